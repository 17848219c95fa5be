import type { Limits } from '../../../limits.js'
import type { Model, ModelRelation } from '../../../schema/schema.js'
import { isWrappedUpdate } from '../../../schema/filter-ambiguity.js'
import { isObject } from '../../../values/is-object.js'
import { type Args, type Path, limitExceeded } from '../arguments.js'

/** Nested writes that Prisma makes one after the other, each with a look before it; all others it makes together. */
const ONE_BY_ONE: ReadonlySet<string> = new Set(['connectOrCreate', 'update', 'upsert', 'updateMany', 'deleteMany'])

/** Nested writes of which one query makes some hundreds, and each part of them is looked at. */
const BY_HUNDREDS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'set'])

/**
 * Ends a request with more nested writes than the limit: each is some queries, in one transaction that holds its locks and its
 * connection to the end.
 * @param data checked data of a row, or several of them: of an upsert, where only one is written, both count
 */
export function assertNestedWrites(model: Model, data: readonly Args[], at: Path, { nestedWrites }: Limits): void {
  const count = data.reduce((sum, each) => sum + writesIn(model, each), 0)
  if (count <= nestedWrites) return
  limitExceeded('nestedWrites', `${at} holds more than ${nestedWrites} nested writes. Make several requests of it.`)
}

function writesIn(model: Model, data: unknown): number {
  if (!isObject(data)) return 0
  let count = 0
  for (const [name, relation] of model.relations) {
    const writes = Object.hasOwn(data, name) ? data[name] : undefined
    if (!isObject(writes)) continue
    for (const [operation, given] of Object.entries(writes)) {
      if (Array.isArray(given) && BY_HUNDREDS.has(operation)) count += Math.ceil(given.length / 100)
      for (const write of Array.isArray(given) ? given : [given]) count += writesOf(relation, operation, write)
    }
  }
  return count
}

function writesOf(relation: ModelRelation, operation: string, write: unknown): number {
  const { target } = relation
  const below = dataOf(relation, operation, write).reduce<number>((sum, data) => sum + writesIn(target, data), 0)
  // Rows that hold others are not made together.
  const alone =
    operation === 'create' && isObject(write) && Object.keys(write).some((name) => target.relations.has(name))
  return below + (alone || ONE_BY_ONE.has(operation) ? 1 : 0)
}

/** The data of rows that a nested write holds. */
function dataOf({ target, many }: ModelRelation, operation: string, write: unknown): readonly unknown[] {
  if (!isObject(write)) return []
  if (operation === 'create') return [write]
  if (operation === 'connectOrCreate') return [write['create']]
  if (operation === 'upsert') return [write['create'], write['update']]
  if (operation === 'update') return [many || isWrappedUpdate(target, write) ? write['data'] : write]
  return []
}
