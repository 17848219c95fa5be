import type { Field, ScalarType } from '../../../schema/resource.js'
import { type ErrorDetail, throwErrors } from '../../../errors/request-error.js'
import { isReadOnlyKey, type Model, type ModelRelation } from '../../../schema/model.js'
import { fromJson } from '../../../values/from-json.js'
import { describeValueError, MISSING } from '../../../values/value-error.js'
import { DB_NULL, JSON_NULL, namedNull } from '../../../values/prisma-values.js'
import { ARITHMETIC } from '../../../values/arithmetic.js'
import { isObject } from '../../../values/is-object.js'
import { writableField } from '../assert-permissions.js'
import {
  type Args,
  collectErrors,
  childPath,
  expectBoolean,
  pathKeys,
  expectNames,
  expectObject,
  mapElements,
  type Path,
  invalidArguments,
  unknownName,
  invalidValue,
} from '../argument-helpers.js'

/**
 * Validates the data of a row in `createMany`, which contains only scalars.
 * @param through the relation of the parent row, if the row is nested
 */
function createManyData(model: Model, value: unknown, path: Path, through?: ModelRelation): Args {
  const input = expectObject(value, path)
  const errors: ErrorDetail[] = []
  const data = parseScalars(model, input, path, fieldValue, errors)
  collectMissingFields(model, input, path, errors, through)
  throwErrors(errors)
  return data
}

/** Validates `data` and `skipDuplicates` of `createMany` and similar operations. Only `limits.nodes` limits the number of rows. */
export function createManyRows(model: Model, input: Args, path: Path, through?: ModelRelation): Args {
  const dataPath = childPath(path, 'data')
  const { data, skipDuplicates } = input
  const row = (value: unknown, rowPath: Path) => createManyData(model, value, rowPath, through)
  const all = Array.isArray(data) ? mapElements(data, dataPath, row) : row(data, dataPath)
  if (skipDuplicates === undefined) return { data: all }
  return { data: all, skipDuplicates: expectBoolean(skipDuplicates, childPath(path, 'skipDuplicates')) }
}

/** Validates the data of `updateMany`, which contains only scalars. */
export function updateManyData(model: Model, value: unknown, path: Path, where?: Args): Args {
  const errors: ErrorDetail[] = []
  const data = parseScalars(model, expectObject(value, path), path, fieldUpdate, errors)
  throwErrors(errors)
  return { ...data, ...model.versionChecks?.bump(where) }
}

function parseScalars(
  model: Model,
  input: Args,
  path: Path,
  parse: (field: Field, value: unknown, path: Path) => unknown,
  errors: ErrorDetail[],
): Args {
  const data: Args = {}
  for (const [key, member] of Object.entries(input)) {
    const memberPath = childPath(path, key)
    collectErrors(errors, () => {
      if (model.relations.has(key)) invalidValue(memberPath, 'is a relation and cannot be written here')
      data[key] = parse(writableField(model, key, path), member, memberPath)
    })
  }
  return data
}

/**
 * Rejects data with both a foreign key and its relation, which could contradict each other. If any relation with a foreign key is
 * written, Prisma does not accept any foreign key as a field.
 */
export function assertKeyOrRelation(model: Model, input: Args, path: Path): void {
  const relations = [...model.relations].filter(([, { foreignKey }]) => foreignKey)
  const written = relations.find(([name]) => Object.hasOwn(input, name))
  if (!written) return
  const keys = relations.flatMap(([, { foreignKey = {} }]) => Object.keys(foreignKey))
  const key = keys.find((name) => Object.hasOwn(input, name))
  if (key) invalidValue(childPath(path, key), `must not be combined with ${written[0]}`)
}

/**
 * Collects an error for each missing required field. A foreign key may also be set through its relation, or by the parent of a nested
 * write.
 * @param through the relation of the parent row, if the row is nested
 */
export function collectMissingFields(
  model: Model,
  input: Args,
  path: Path,
  errors: ErrorDetail[],
  through?: ModelRelation,
): void {
  const isOwner = through !== undefined && through.foreignKey === undefined
  // If the resource does not contain the inverse relation, the parent could set any field.
  const isOwnerKey = (name: string) =>
    isOwner && (!through.inverseRelation || Object.hasOwn(through.inverseRelation.foreignKey ?? {}, name))
  const addError = (name: string, or = '') => {
    const missing = childPath(path, name)
    errors.push({ ...MISSING, code: 'invalid-value', detail: `${missing}${or} is required.`, path: pathKeys(missing) })
  }
  for (const name of model.required) {
    if (Object.hasOwn(input, name) || isOwnerKey(name)) continue
    const keys = [...model.relations].filter(
      ([, { foreignKey }]) => foreignKey && Object.hasOwn(foreignKey, name) && !isReadOnlyKey(model, foreignKey),
    )
    if (keys.some(([relation]) => Object.hasOwn(input, relation))) continue
    const [key] = keys
    addError(name, key && ` or ${childPath(path, key[0])}`)
  }
  for (const name of model.requiredRelations) {
    const relation = model.relations.get(name)
    if (!relation?.foreignKey || Object.hasOwn(input, name)) continue
    if (!Object.keys(relation.foreignKey).some(isOwnerKey)) addError(name)
  }
}

const NOT_STORED = 'must be JsonNull, or DbNull if the field is optional'

/** Parses a value to store, and validates it against the field's type and rule. */
export function fieldValue(field: Field, value: unknown, path: Path): unknown {
  // Prisma also accepts a scalar list as `{ set: […] }`.
  const nullValue = field.type === 'Json' && !field.list ? namedNull(value) : undefined
  if (nullValue)
    return nullValue === JSON_NULL || (nullValue === DB_NULL && field.optional)
      ? nullValue
      : invalidValue(path, NOT_STORED)
  const unwrapped = field.list && isObject(value) ? expectNames(value, ['set'], path)['set'] : value
  const parsed = fromJson(field, unwrapped)
  if (parsed.ok) return parsed.value
  const errors: ErrorDetail[] = parsed.errors.map((error) => ({
    code: 'invalid-value',
    ...describeValueError([path, ...error.path].join('.'), field, error),
    path: [...pathKeys(path), ...error.path],
  }))
  return throwErrors(errors)
}

const NUMERIC: ReadonlySet<ScalarType> = new Set<ScalarType>(['Int', 'BigInt', 'Float', 'Decimal'])

/**
 * Parses a new value, or an operation on the current value. A Json field has no operations, because an object is always stored as its
 * value.
 */
export function fieldUpdate(field: Field, value: unknown, path: Path): unknown {
  if ((field.type === 'Json' && !field.list) || !isObject(value)) return fieldValue(field, value, path)
  const [key, ...others] = Object.keys(value)
  if (key === undefined || others.length > 0)
    return invalidValue(path, 'must be a value, or an object with one operation')
  const operationPath = childPath(path, key)
  if (key === 'set') return { set: fieldValue(field, value[key], operationPath) }
  const push = key === 'push' && field.list
  if (!push && !(ARITHMETIC.has(key) && NUMERIC.has(field.type) && !field.list)) return unknownName(key, path)
  // The result of an operation cannot be validated against the field's rule. For a write-only field, the error for a result outside the range
  // would reveal the current value.
  if (field.rule || (field.writeOnly && !push)) {
    const detail = `${operationPath} is not allowed, because this field ${field.rule ? 'has a rule' : 'is write-only'}. Use { "set": … }.`
    invalidArguments('invalid-value', detail, operationPath)
  }
  if (!push) {
    const operand = fieldValue({ type: field.type }, value[key], operationPath)
    if (key === 'divide' && Number(operand) === 0)
      invalidArguments('invalid-value', `${operationPath} must not be 0.`, operationPath)
    return { [key]: operand }
  }
  const { type, values } = field
  const pushed: Field = { type, ...(values && { values }), ...(Array.isArray(value[key]) && { list: true }) }
  return { push: fieldValue(pushed, value[key], operationPath) }
}
