import type { Field, ScalarType } from '../../../schema/resource.js'
import type { Model } from '../../../schema/schema.js'
import { fromJson } from '../../../values/from-json.js'
import { DB_NULL, JSON_NULL, namedNull } from '../../../values/null.js'
import { isObject } from '../../../values/is-object.js'
import { ARITHMETIC } from './arithmetic.js'
import { writableField } from '../permissions.js'
import { type Args, below, objectAt, type Path, refuse, refuseName, refuseValue } from '../refuse.js'

/** Checks the data of a new row of `createMany`: scalars only. */
export function createManyData(model: Model, value: unknown, at: Path): Args {
  const given = objectAt(value, at)
  const data: Args = {}
  for (const [key, member] of Object.entries(given)) {
    refuseRelation(model, key, at)
    data[key] = fieldValue(writableField(model, key, at), member, below(at, key))
  }
  requireFields(model, given, at)
  return data
}

/** Checks the changes of `updateMany`: scalars only. */
export function updateManyData(model: Model, value: unknown, at: Path): Args {
  const data: Args = {}
  for (const [key, member] of Object.entries(objectAt(value, at))) {
    refuseRelation(model, key, at)
    data[key] = fieldUpdate(writableField(model, key, at), member, below(at, key))
  }
  return data
}

function refuseRelation(model: Model, key: string, at: Path): void {
  if (model.relations.has(key)) refuseValue(below(at, key), 'is a relation, and cannot be written here')
}

/** A foreign key and its relation, both given, may contradict each other. */
export function requireOneSpelling(model: Model, given: Args, at: Path): void {
  for (const [name, relation] of model.relations) {
    if (!relation.foreignKey || !Object.hasOwn(given, name)) continue
    const key = Object.keys(relation.foreignKey).find((field) => Object.hasOwn(given, field))
    if (key !== undefined) refuseValue(below(at, key), `must not be given beside ${name}`)
  }
}

/** Fields that must be given. Foreign keys are left to the client: a relation or the place in a nested write may stand for them. */
export function requireFields(model: Model, given: Args, at: Path): void {
  for (const name of model.required) {
    if (Object.hasOwn(given, name) || isForeignKey(model, name)) continue
    refuse('invalid-value', `${below(at, name)} must be given.`)
  }
}

function isForeignKey(model: Model, field: string): boolean {
  for (const { foreignKey } of model.relations.values()) {
    if (foreignKey && Object.hasOwn(foreignKey, field)) return true
  }
  return false
}

const NOT_STORED = 'cannot be this null: only JsonNull, and DbNull where the field is optional, can be stored'

/** A value to store, checked against the field's type and rule. */
export function fieldValue(field: Field, value: unknown, at: Path): unknown {
  // Prisma takes the elements of a scalar list as `{ set: […] }` too.
  const named = field.type === 'Json' && !field.list ? namedNull(value) : undefined
  if (named) return named === JSON_NULL || (named === DB_NULL && field.optional) ? named : refuseValue(at, NOT_STORED)
  const plain = field.list && isObject(value) ? onlyMember(value, 'set', at) : value
  const parsed = fromJson(field, plain)
  if (parsed.ok) return parsed.value
  const [fault] = parsed.faults
  return refuse('invalid-value', `${[at, ...fault.path].join('.')} ${fault.message}.`)
}

const NUMERIC: ReadonlySet<ScalarType> = new Set<ScalarType>(['Int', 'BigInt', 'Float', 'Decimal'])

/** A new value, or an operation that makes one of the old value. A Json field has no operations: an object is its value. */
export function fieldUpdate(field: Field, value: unknown, at: Path): unknown {
  if ((field.type === 'Json' && !field.list) || !isObject(value)) return fieldValue(field, value, at)
  const [key, ...others] = Object.keys(value)
  if (key === undefined || others.length > 0) return refuseValue(at, 'must be a value, or an object with one operation')
  const path = below(at, key)
  if (key === 'set') return { set: fieldValue(field, value[key], path) }
  const push = key === 'push' && field.list
  if (!push && !(ARITHMETIC.has(key) && NUMERIC.has(field.type) && !field.list)) return refuseName(key, at)
  if (field.rule) {
    const detail = `${path}: what comes of it cannot be checked against the rules of this field.`
    refuse('invalid-value', `${detail} Read the value, and write the new one: { "set": … }.`)
  }
  if (!push) {
    const operand = fieldValue({ type: field.type }, value[key], path)
    if (key === 'divide' && Number(operand) === 0) refuse('invalid-value', `${path} must not be 0.`)
    return { [key]: operand }
  }
  const list: Field = { type: field.type, list: true, ...(field.values && { values: field.values }) }
  const element: Field = { type: field.type, ...(field.values && { values: field.values }) }
  return { push: fieldValue(Array.isArray(value[key]) ? list : element, value[key], path) }
}

function onlyMember(value: Args, key: string, at: Path): unknown {
  for (const name of Object.keys(value)) if (name !== key) refuseName(name, at)
  return value[key]
}
