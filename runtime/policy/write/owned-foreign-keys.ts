import { isWrappedUpdate } from '../../schema/filter-ambiguity.js'
import { isObject } from '../../values/is-object.js'
import { allOf } from '../rules/condition.js'
import { rowKey } from '../read/redaction.js'
import { isOneToOneKey, type PolicyModel, type PolicyRelation } from '../schema.js'
import { deny, definedMembers, type Args, asArgs } from '../args.js'
import { plainWhere } from '../read/where.js'
import type { NestedWrite } from './split-data.js'
import { isFieldReadable } from './readable-fields.js'
import { nestedContext, findReadableRow, findReadableRowOrThrow, type WriteContext } from './write-context.js'

/** What nested writes make of the foreign keys that a row holds. */
export interface OwnedForeignKeys {
  readonly values: Args
  /** What can be done only when the row itself is written. */
  readonly afterwards: readonly (() => Promise<void>)[]
}

/** The relations among nested writes whose foreign key may be read of a row as it is. */
export async function readableForeignKeys(
  writing: WriteContext,
  model: PolicyModel,
  nested: readonly NestedWrite[],
  row: Args,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  for (const { relation } of nested)
    if (await isFieldReadable(writing, model, row, relation.name)) shown.add(relation.name)
  return shown
}

/**
 * Does what is nested in relations whose foreign key the row holds, before the row itself is written.
 * @param row the row as it is; undefined where it is new
 * @param shown what {@link shownKeys} found of it before anything was written
 */
export async function writeOwnedForeignKeys(
  writing: WriteContext,
  model: PolicyModel,
  nested: readonly NestedWrite[],
  row?: Args,
  shown: ReadonlySet<string> = new Set(),
): Promise<OwnedForeignKeys> {
  const values: Record<string, unknown> = {}
  const afterwards: (() => Promise<void>)[] = []
  for (const { relation, operations } of nested) {
    for (const [operation, value] of definedMembers(operations)) {
      Object.assign(
        values,
        await writeOwnKey(
          nestedContext(writing, relation.name, operation),
          model,
          relation,
          operation,
          value,
          shown.has(relation.name),
          row,
          afterwards,
        ),
      )
    }
  }
  return { values, afterwards }
}

async function writeOwnKey(
  writing: WriteContext,
  model: PolicyModel,
  relation: PolicyRelation,
  operation: string,
  value: unknown,
  isKeyShown: boolean,
  row: Args | undefined,
  afterwards: (() => Promise<void>)[],
): Promise<Args> {
  const { name, target } = relation
  switch (operation) {
    case 'connect':
      return takenKey(
        writing,
        model,
        relation,
        await findReadableRowOrThrow(writing, target, plainWhere(target, value)),
        row,
      )
    case 'create':
      return keyTo(relation, await writing.rows.create(writing, target, value))
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writing, target, plainWhere(target, where))
      if (found) return takenKey(writing, model, relation, found, row)
      return keyTo(relation, await writing.rows.create(writing, target, create))
    }
  }
  if (!row) return deny(`"${operation}" of "${name}" cannot be verified when a row is created.`)
  const current = async (where: unknown) => {
    const key = isKeyShown ? currentKey(relation, row) : undefined
    return key === undefined ? null : findReadableRow(writing, target, isObject(where) ? where : {}, key)
  }
  switch (operation) {
    case 'disconnect':
      if (value === false) return {}
      if (isObject(value) && !(await current(value))) return {}
      return noKey(relation)
    case 'update': {
      const { where, data } = toOneUpdateData(relation, value)
      const found = await current(where)
      await writing.rows.change(
        writing,
        target,
        found ?? (await findReadableRowOrThrow(writing, target, target.none)),
        data,
      )
      return {}
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await current(where)
      if (!found) return keyTo(relation, await writing.rows.create(writing, target, create))
      await writing.rows.change(writing, target, found, update)
      return {}
    }
    case 'delete': {
      if (value === false) return {}
      const found = (await current(value)) ?? (await findReadableRowOrThrow(writing, target, target.none))
      afterwards.push(() => writing.rows.remove(writing, target, found))
      return noKey(relation)
    }
    default:
      return deny(`"${operation}" of "${name}" cannot be verified: make it a request of its own.`)
  }
}

/** The key to a row. Where only one row may have it, another one that has it lets go of it, as the client itself does it. */
async function takenKey(
  writing: WriteContext,
  model: PolicyModel,
  relation: PolicyRelation,
  target: Args,
  row: Args | undefined,
): Promise<Args> {
  const key = keyTo(relation, target)
  const names = Object.keys(key)
  if (!isOneToOneKey(model, relation) || !names.every((name) => model.fields.get(name)?.optional)) return key
  const other = await findReadableRow(writing, model, key)
  if (other && !(row && rowKey(model, other) === rowKey(model, row))) {
    await writing.rows.change(writing, model, other, {}, { values: noKey(relation), written: relation.name })
  }
  return key
}

/** The change of a to-one relation's row: bare, or as `data` beside a `where`. */
export function toOneUpdateData(
  { name, target }: PolicyRelation,
  value: unknown,
): { readonly where?: unknown; readonly data: unknown } {
  const change = asArgs(value, `"update" of "${name}"`)
  return isWrappedUpdate(target, change) ? { where: change['where'], data: change['data'] } : { data: change }
}

function keyTo({ foreignKey = {} }: PolicyRelation, target: Args): Args {
  return Object.fromEntries(Object.entries(foreignKey).map(([own, other]) => [own, target[other]]))
}

function noKey({ foreignKey = {} }: PolicyRelation): Args {
  return Object.fromEntries(Object.keys(foreignKey).map((own) => [own, null]))
}

/** Finds the row that a foreign key refers to. */
function currentKey({ foreignKey = {} }: PolicyRelation, row: Args): Args | undefined {
  const pairs = Object.entries(foreignKey)
  if (pairs.some(([own]) => row[own] === null || row[own] === undefined)) return undefined
  const key = allOf(pairs.map(([own, other]) => ({ [other]: row[own] })))
  return typeof key === 'boolean' ? undefined : key
}
