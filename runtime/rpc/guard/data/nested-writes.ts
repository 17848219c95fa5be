import type { Model, ModelRelation } from '../../../schema/model.js'
import { isObject } from '../../../values/is-object.js'
import { type Args, type Path, limitExceeded } from '../argument-helpers.js'
import type { Limits } from '../../../limits.js'
import { isWrappedUpdate } from '../../../schema/keyword-named-fields.js'

/** The rows that a write creates or updates, with their data. Used to count the members of new rows before the write. */
export interface PlannedRows {
  /** The validated data of each row. */
  readonly rows: readonly Args[]
  /** Whether the write creates the rows. New rows have only the members that the write's data contains. */
  readonly fresh: boolean
  /** The name of the relation from these rows to their parent row. */
  readonly inverse?: string
}

/** Nested writes that change only their own row and the rows that they connect to it or disconnect from it. */
const LINKS: ReadonlySet<string> = new Set(['create', 'createMany', 'connect', 'connectOrCreate', 'disconnect'])

/** Returns the rows that `create` writes. */
export function planCreate(data: Args): PlannedRows {
  return { rows: [data], fresh: true }
}

/**
 * Returns the row that `update` writes.
 * @returns undefined if the write also changes other rows, because these could be linked to rows that it creates
 */
export function planUpdate(model: Model, data: Args): PlannedRows | undefined {
  const linksOnly = [...model.relations.keys()].every((name) => Object.keys(writesTo(data, name)).every(isLink))
  return linksOnly ? { rows: [data], fresh: false } : undefined
}

/**
 * Returns the related rows, if the write creates all of them.
 * @returns undefined if there may be other related rows
 */
export function planNestedRows(
  written: PlannedRows | undefined,
  name: string,
  relation: ModelRelation,
): PlannedRows | undefined {
  // Through the inverse relation, each of these rows would include its parent row again.
  if (!written || written.inverse === name || (relation.many && !written.fresh)) return undefined
  const rows: Args[] = []
  for (const row of written.rows) {
    const { create, createMany, ...others } = writesTo(row, name)
    if (Object.keys(others).length > 0) return undefined
    const created = [...toList(create), ...(isObject(createMany) ? toList(createMany['data']) : [])].filter(isObject)
    // Without a nested create, the foreign key refers to a row that existed before.
    if (!relation.many && created.length === 0) return undefined
    rows.push(...created)
  }
  const inverse = inverseName(name, relation)
  return { rows, fresh: true, ...(inverse !== undefined && { inverse }) }
}

/**
 * Counts the members that rows will have, if the write contains all of them.
 * @returns undefined if there may be other members
 */
export function countPlannedMembers(written: PlannedRows | undefined, name: string): number | undefined {
  if (!written?.fresh) return undefined
  const initial = written.inverse === name ? written.rows.length : 0
  return written.rows.reduce((sum, row) => {
    return Object.entries(writesTo(row, name)).reduce<number>((count, [operation, write]) => {
      return count + toList(operation === 'createMany' && isObject(write) ? write['data'] : write).length
    }, sum)
  }, initial)
}

function isLink(operation: string): boolean {
  return LINKS.has(operation)
}

function writesTo(row: Args, name: string): Args {
  const writes = Object.hasOwn(row, name) ? row[name] : undefined
  return isObject(writes) ? writes : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** Returns the name of the inverse relation. Either side of the relation may specify it. */
function inverseName(name: string, { target, inverse }: ModelRelation): string | undefined {
  if (inverse !== undefined) return inverse
  return [...target.relations].find(([, candidate]) => candidate.inverse === name)?.[0]
}

/** Nested writes that Prisma executes one by one, each after a query. It executes all others together. */
const ONE_BY_ONE: ReadonlySet<string> = new Set(['connectOrCreate', 'update', 'upsert', 'updateMany', 'deleteMany'])

/** Nested writes that Prisma executes in batches of several hundred rows, with a query for each batch. */
const BY_HUNDREDS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'set'])

/**
 * Rejects a request with more nested writes than the limit. Each nested write takes several queries, and the transaction holds its locks
 * and its connection until it ends.
 * @param data the validated data of the rows. Both parts of an upsert count, although only one is written
 */
export function assertNestedWriteCount(
  model: Model,
  data: readonly Args[],
  path: Path,
  { nestedWrites }: Limits,
): void {
  const count = data.reduce((sum, row) => sum + countWrites(model, row), 0)
  if (count <= nestedWrites) return
  limitExceeded('nestedWrites', `${path} has more than ${nestedWrites} nested writes. Split the request.`)
}

function countWrites(model: Model, data: unknown): number {
  if (!isObject(data)) return 0
  let count = 0
  for (const [name, relation] of model.relations) {
    const writes = Object.hasOwn(data, name) ? data[name] : undefined
    if (!isObject(writes)) continue
    for (const [operation, value] of Object.entries(writes)) {
      if (Array.isArray(value) && BY_HUNDREDS.has(operation)) count += Math.ceil(value.length / 100)
      for (const write of [value].flat()) count += countNestedWrites(relation, operation, write)
    }
  }
  return count
}

function countNestedWrites(relation: ModelRelation, operation: string, write: unknown): number {
  const { target } = relation
  const nested = writtenData(relation, operation, write).reduce<number>(
    (sum, data) => sum + countWrites(target, data),
    0,
  )
  // Prisma creates rows one by one if they contain nested rows.
  const isCreatedSeparately =
    operation === 'create' && isObject(write) && Object.keys(write).some((name) => target.relations.has(name))
  return nested + (isCreatedSeparately || ONE_BY_ONE.has(operation) ? 1 : 0)
}

/** Returns the data of rows that a nested write contains. */
function writtenData({ target, many }: ModelRelation, operation: string, write: unknown): readonly unknown[] {
  if (!isObject(write)) return []
  if (operation === 'create') return [write]
  if (operation === 'connectOrCreate') return [write['create']]
  if (operation === 'upsert') return [write['create'], write['update']]
  if (operation === 'update') return [many || isWrappedUpdate(target, write) ? write['data'] : write]
  return []
}
