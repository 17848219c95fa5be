import type { Model, ModelRelation } from '../schema/model.js'
import { isWrappedUpdate } from '../schema/keyword-named-fields.js'
import { isObject } from '../values/is-object.js'

/** Arguments that specify which rows to use. If a part of them is missing, more rows match. */
const CONDITIONS: ReadonlySet<string> = new Set(['where', 'having', 'cursor', 'limit'])

/** Arguments that contain the data of a row. */
const DATA: ReadonlySet<string> = new Set(['data', 'create', 'update'])

/** Arguments that select members of the result. */
const SELECTIONS: ReadonlySet<string> = new Set(['select', 'include', 'omit'])

/** Nested writes whose value is a condition. */
const CONDITIONAL: ReadonlySet<string> = new Set(['connect', 'disconnect', 'delete', 'deleteMany', 'set'])

/**
 * Whether `undefined` counts as missing, as in Prisma: as an argument, a value or a part of a selection. It does not in a condition, which
 * would match more rows without it.
 * @param model the model of the arguments; if undefined, no condition at any depth may contain `undefined`
 * @param args the arguments of the request, not validated
 * @param keys the path of the value
 */
export function isUndefinedAllowed(model: Model | undefined, args: unknown, keys: readonly string[]): boolean {
  if (!model) return !keys.some((key) => CONDITIONS.has(key))
  const [key, ...rest] = keys
  if (key === undefined) return true
  if (CONDITIONS.has(key)) return false
  const inside = member(args, key)
  if (DATA.has(key)) return isInData(model, inside, rest)
  return SELECTIONS.has(key) ? isInSelection(model, inside, rest) : true
}

function isInSelection(model: Model, selection: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  const inside = member(selection, key)
  const relation = model.relations.get(key)
  if (relation) return isUndefinedAllowed(relation.target, inside, rest)
  // `_count` selects relations, each with its own condition.
  return key === '_count' ? isUndefinedAllowed(model, inside, rest) : true
}

function isInData(model: Model, data: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  const inside = member(data, key)
  if (Array.isArray(data)) return isInData(model, inside, rest)
  const relation = model.relations.get(key)
  return relation ? isInWrites(relation, inside, rest) : true
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
