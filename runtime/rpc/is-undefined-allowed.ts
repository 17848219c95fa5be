import type { Model, ModelRelation } from '../schema/model.js'
import { isWrappedUpdate } from '../schema/keyword-named-fields.js'
import { isObject } from '../values/is-object.js'

/** Arguments that determine the matching rows. If a part of them is missing, more rows match. */
const CONDITIONS: ReadonlySet<string> = new Set(['where', 'having', 'cursor', 'limit'])

/** Arguments that contain the data of a row. */
const DATA: ReadonlySet<string> = new Set(['data', 'create', 'update'])

/** Arguments that select fields and relations of the result. */
const SELECTIONS: ReadonlySet<string> = new Set(['select', 'include', 'omit'])

/** Nested writes whose value is a condition. */
const CONDITIONAL: ReadonlySet<string> = new Set(['connect', 'disconnect', 'delete', 'deleteMany', 'set'])

/**
 * Whether a value may be `undefined`, which is treated like a missing value, as in Prisma. Arguments, data and parts of a selection may be
 * undefined. Conditions may not, because they would match more rows if a part were missing.
 * @param model the model of the arguments; if undefined, no condition at any depth may contain `undefined`
 * @param args the arguments of the request, not validated
 * @param keys the path of the value
 */
export function isUndefinedAllowed(model: Model | undefined, args: unknown, keys: readonly string[]): boolean {
  if (!model) return !keys.some((key) => CONDITIONS.has(key))
  const [key, ...rest] = keys
  if (key === undefined) return true
  if (CONDITIONS.has(key)) return false
  const nested = member(args, key)
  if (DATA.has(key)) return isInData(model, nested, rest)
  return SELECTIONS.has(key) ? isInSelection(model, nested, rest) : true
}

function isInSelection(model: Model, selection: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  const nested = member(selection, key)
  const relation = model.relations.get(key)
  if (relation) return isUndefinedAllowed(relation.target, nested, rest)
  // `_count` selects relations, each with its own condition.
  return key === '_count' ? isUndefinedAllowed(model, nested, rest) : true
}

function isInData(model: Model, data: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  const nested = member(data, key)
  if (Array.isArray(data)) return isInData(model, nested, rest)
  const relation = model.relations.get(key)
  return relation ? isInWrites(relation, nested, rest) : true
}

function isInWrites(relation: ModelRelation, writes: unknown, keys: readonly string[]): boolean {
  const [operation, ...rest] = keys
  if (operation === undefined || rest.length === 0) return true
  return !CONDITIONAL.has(operation) && isInWrite(relation, operation, member(writes, operation), rest)
}

function isInWrite(relation: ModelRelation, operation: string, write: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  if (Array.isArray(write)) return isInWrite(relation, operation, member(write, key), rest)
  const { target, many } = relation
  const isBare = operation === 'create' || (operation === 'update' && !many && !isWrapped(target, write))
  return isBare ? isInData(target, write, keys) : isUndefinedAllowed(target, write, keys)
}

function isWrapped(target: Model, write: unknown): boolean {
  return isObject(write) && isWrappedUpdate(target, write)
}

function member(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
