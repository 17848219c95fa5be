import type { Field, ScalarType } from '../../../schema/resource.js'
import { type ErrorDetail, throwErrors } from '../../../errors/request-error.js'
import type { Model, ModelRelation } from '../../../schema/schema.js'
import { formMessage, fromJson, MISSING_MESSAGE, valueErrorMessage } from '../../../values/from-json.js'
import { DB_NULL, JSON_NULL, namedNull } from '../../../values/null.js'
import { isObject } from '../../../values/is-object.js'
import { ARITHMETIC } from './arithmetic.js'
import { bumpVersion } from './version.js'
import { writableField } from '../permissions.js'
import {
  type Args,
  collectErrors,
  childPath,
  expectBoolean,
  pathKeys,
  expectObject,
  type Path,
  invalidArguments,
  unknownName,
  invalidValue,
} from '../arguments.js'

/** Checks the data of a new row of `createMany`: scalars only. `through` is the relation that a nested one is written to. */
export function createManyData(model: Model, value: unknown, at: Path, through?: ModelRelation): Args {
  const given = expectObject(value, at)
  const faults: ErrorDetail[] = []
  const data = scalars(model, given, at, fieldValue, faults)
  collectMissingFields(model, given, at, faults, through)
  throwErrors(faults)
  return data
}

/** Checks `data` and `skipDuplicates`, of `createMany` and its relatives. Not bound by the length of lists, only by `nodes`. */
export function createManyRows(model: Model, given: Args, at: Path, through?: ModelRelation): Args {
  const path = childPath(at, 'data')
  const { data, skipDuplicates } = given
  const faults: ErrorDetail[] = []
  const row = (value: unknown, place: Path) => createManyData(model, value, place, through)
  const rows: Args[] = []
  if (Array.isArray(data)) {
    for (const [index, value] of data.entries())
      collectErrors(faults, () => rows.push(row(value, childPath(path, index))))
    throwErrors(faults)
  }
  const all = Array.isArray(data) ? rows : row(data, path)
  if (skipDuplicates === undefined) return { data: all }
  return { data: all, skipDuplicates: expectBoolean(skipDuplicates, childPath(at, 'skipDuplicates')) }
}

/** Checks the changes of `updateMany`: scalars only. */
export function updateManyData(model: Model, value: unknown, at: Path, where?: Args): Args {
  const faults: ErrorDetail[] = []
  const data = scalars(model, expectObject(value, at), at, fieldUpdate, faults)
  throwErrors(faults)
  return bumpVersion(model, data, where)
}

function scalars(
  model: Model,
  given: Args,
  at: Path,
  parse: (field: Field, value: unknown, at: Path) => unknown,
  faults: ErrorDetail[],
): Args {
  const data: Args = {}
  for (const [key, member] of Object.entries(given)) {
    const path = childPath(at, key)
    collectErrors(faults, () => {
      if (model.relations.has(key)) invalidValue(path, 'is a relation, and cannot be written here')
      data[key] = parse(writableField(model, key, at), member, path)
    })
  }
  return data
}

/**
 * A foreign key and its relation, both given, may contradict each other. Beside the relation of one foreign key, the client takes
 * none of the others as a field either.
 */
export function assertKeyOrRelation(model: Model, given: Args, at: Path): void {
  for (const [name, { foreignKey }] of model.relations) {
    if (foreignKey && Object.hasOwn(given, name)) return refuseKeysBeside(name, model, given, at)
  }
}

function refuseKeysBeside(relation: string, model: Model, given: Args, at: Path): void {
  for (const [other, { foreignKey = {} }] of model.relations) {
    const key = Object.keys(foreignKey).find((field) => Object.hasOwn(given, field))
    if (key === undefined) continue
    if (Object.hasOwn(given, other)) invalidValue(childPath(at, key), `must not be given beside ${other}`)
    invalidValue(
      childPath(at, key),
      `must not be given beside ${relation}: write ${other} in its place, as ${relation}`,
    )
  }
}

/**
 * Notes fields that must be given. For a foreign key a relation may stand, or the place in a nested write.
 * @param through the relation that a nested row is written to
 */
export function collectMissingFields(
  model: Model,
  given: Args,
  at: Path,
  faults: ErrorDetail[],
  through?: ModelRelation,
): void {
  const isOwner = through !== undefined && through.foreignKey === undefined
  // A resource that does not tell the other end is taken at its word.
  const byPlace = (name: string) => isOwner && (!through.back || Object.hasOwn(through.back.foreignKey ?? {}, name))
  for (const name of model.required) {
    if (Object.hasOwn(given, name) || byPlace(name)) continue
    const keys = [...model.relations].filter(([, { foreignKey }]) => foreignKey && Object.hasOwn(foreignKey, name))
    if (keys.some(([relation]) => Object.hasOwn(given, relation))) continue
    const [key] = keys
    const or = key ? ` or ${childPath(at, key[0])}` : ''
    faults.push({
      code: 'invalid-value',
      detail: `${childPath(at, name)}${or} must be given.`,
      message: MISSING_MESSAGE,
      path: pathKeys(childPath(at, name)),
    })
  }
  for (const name of model.requiredRelations) {
    const relation = model.relations.get(name)
    if (!relation?.foreignKey || Object.hasOwn(given, name)) continue
    if (Object.keys(relation.foreignKey).some(byPlace)) continue
    faults.push({
      code: 'invalid-value',
      detail: `${childPath(at, name)} must be given.`,
      path: pathKeys(childPath(at, name)),
    })
  }
}

const NOT_STORED = 'cannot be this null: only JsonNull, and DbNull where the field is optional, can be stored'

/** A value to store, checked against the field's type and rule. */
export function fieldValue(field: Field, value: unknown, at: Path): unknown {
  // Prisma takes the elements of a scalar list as `{ set: […] }` too.
  const named = field.type === 'Json' && !field.list ? namedNull(value) : undefined
  if (named) return named === JSON_NULL || (named === DB_NULL && field.optional) ? named : invalidValue(at, NOT_STORED)
  const plain = field.list && isObject(value) ? onlyMember(value, 'set', at) : value
  const parsed = fromJson(field, plain)
  if (parsed.ok) return parsed.value
  const faults: ErrorDetail[] = parsed.faults.map((fault) => ({
    code: 'invalid-value',
    detail: valueErrorMessage([at, ...fault.path].join('.'), fault),
    message: formMessage(fault),
    path: [...pathKeys(at), ...fault.path],
    ...(fault.rule && { rule: fault.rule }),
  }))
  return throwErrors(faults)
}

const NUMERIC: ReadonlySet<ScalarType> = new Set<ScalarType>(['Int', 'BigInt', 'Float', 'Decimal'])

/** A new value, or an operation that makes one of the old value. A Json field has no operations: an object is its value. */
export function fieldUpdate(field: Field, value: unknown, at: Path): unknown {
  if ((field.type === 'Json' && !field.list) || !isObject(value)) return fieldValue(field, value, at)
  const [key, ...others] = Object.keys(value)
  if (key === undefined || others.length > 0)
    return invalidValue(at, 'must be a value, or an object with one operation')
  const path = childPath(at, key)
  if (key === 'set') return { set: fieldValue(field, value[key], path) }
  const push = key === 'push' && field.list
  if (!push && !(ARITHMETIC.has(key) && NUMERIC.has(field.type) && !field.list)) return unknownName(key, at)
  if (field.rule) {
    const detail = `${path}: what comes of it cannot be checked against the rules of this field.`
    invalidArguments('invalid-value', `${detail} Read the value, and write the new one: { "set": … }.`, path)
  }
  if (!push) {
    const operand = fieldValue({ type: field.type }, value[key], path)
    if (key === 'divide' && Number(operand) === 0) invalidArguments('invalid-value', `${path} must not be 0.`, path)
    return { [key]: operand }
  }
  const list: Field = { type: field.type, list: true, ...(field.values && { values: field.values }) }
  const element: Field = { type: field.type, ...(field.values && { values: field.values }) }
  return { push: fieldValue(Array.isArray(value[key]) ? list : element, value[key], path) }
}

function onlyMember(value: Args, key: string, at: Path): unknown {
  for (const name of Object.keys(value)) if (name !== key) unknownName(name, at)
  return value[key]
}
