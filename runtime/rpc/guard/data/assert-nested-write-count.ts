import type { Limits } from '../../../limits.js'
import type { Model, ModelRelation } from '../../../schema/model.js'
import { isWrappedUpdate } from '../../../schema/keyword-named-fields.js'
import { isObject } from '../../../values/is-object.js'
import { type Args, type Path, limitExceeded } from '../argument-helpers.js'

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
      for (const write of Array.isArray(value) ? value : [value]) count += countNestedWrites(relation, operation, write)
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
