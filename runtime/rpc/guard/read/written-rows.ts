import type { Model, ModelRelation } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import type { Args } from '../arguments.js'

/** Rows that a write makes or changes, and what it writes to them: so the members of the new ones are known before it is done. */
export interface Written {
  /** Checked data, one for each row. */
  readonly rows: readonly Args[]
  /** Whether the write makes the rows, so that they have no other relations than those of its data. */
  readonly fresh: boolean
  /** The relation that leads back to the row that each was made for. */
  readonly back?: string
}

/** Nested writes that change no row but the one that they are written to, and those that they link to it. */
const LINKS: ReadonlySet<string> = new Set(['create', 'createMany', 'connect', 'connectOrCreate', 'disconnect'])

/** Tells what `create` writes. */
export function createdRow(data: Args): Written {
  return { rows: [data], fresh: true }
}

/**
 * Tells what `update` writes.
 * @returns undefined where it changes other rows too: those could be linked to rows that it makes
 */
export function updatedRow(model: Model, data: Args): Written | undefined {
  const linksOnly = [...model.relations.keys()].every((name) => Object.keys(writesTo(data, name)).every(isLink))
  return linksOnly ? { rows: [data], fresh: false } : undefined
}

/**
 * Tells the related rows, where the write makes all of them.
 * @returns undefined where there may be others
 */
export function nestedWrittenRows(
  written: Written | undefined,
  name: string,
  relation: ModelRelation,
): Written | undefined {
  // The row that they were made for would be there once for each of them.
  if (!written || written.back === name || (relation.many && !written.fresh)) return undefined
  const rows: Args[] = []
  for (const row of written.rows) {
    const { create, createMany, ...others } = writesTo(row, name)
    if (Object.keys(others).length > 0) return undefined
    const made = [...listOf(create), ...(isObject(createMany) ? listOf(createMany['data']) : [])].filter(isObject)
    // What a column says, or its default, is a row that was there before.
    if (!relation.many && made.length === 0) return undefined
    rows.push(...made)
  }
  const back = inverseName(name, relation)
  return { rows, fresh: true, ...(back !== undefined && { back }) }
}

/**
 * Counts the members that rows will have, where the write tells all of them.
 * @returns undefined where there may be others
 */
export function countWrittenMembers(written: Written | undefined, name: string): number | undefined {
  if (!written?.fresh) return undefined
  const back = written.back === name ? written.rows.length : 0
  return written.rows.reduce((sum, row) => {
    return Object.entries(writesTo(row, name)).reduce<number>((count, [operation, given]) => {
      return count + listOf(operation === 'createMany' && isObject(given) ? given['data'] : given).length
    }, sum)
  }, back)
}

function isLink(operation: string): boolean {
  return LINKS.has(operation)
}

function writesTo(row: Args, name: string): Args {
  const writes = Object.hasOwn(row, name) ? row[name] : undefined
  return isObject(writes) ? writes : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** The name of the relation at the other end, which either side may tell. */
function inverseName(name: string, { target, inverse }: ModelRelation): string | undefined {
  if (inverse !== undefined) return inverse
  return [...target.relations].find(([, other]) => other.inverse === name)?.[0]
}
