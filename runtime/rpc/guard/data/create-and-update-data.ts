import type { Limits } from '../../../limits.js'
import { type ErrorDetail, throwErrors } from '../../../errors/request-error.js'
import type { Field } from '../../../schema/resource.js'
import { idFields, type Model, type ModelRelation } from '../../../schema/model.js'
import { isWrappedUpdate } from '../../../schema/keyword-named-fields.js'
import { assertLinkable, assertOperation, assertWritable, writableField } from '../assert-permissions.js'
import {
  type Args,
  collectErrors,
  childPath,
  recordErrors,
  expectNames,
  expectObject,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
} from '../argument-helpers.js'
import {
  createManyRows,
  fieldUpdate,
  fieldValue,
  collectMissingFields,
  assertKeyOrRelation,
  updateManyData,
} from './scalar-data.js'
import { changedWhere, where, whereUnique } from '../where/where.js'

/** A nested write: the relation and the written value. */
interface Write {
  readonly relation: ModelRelation
  readonly value: unknown
  readonly path: Path
  readonly limits: Limits
}

type Parse = (write: Write) => unknown

const CREATES_ONE: Readonly<Record<string, Parse>> = { create: createOne, connect: connectOne, connectOrCreate }

const CREATES_MANY: Readonly<Record<string, Parse>> = {
  create: oneOrMany(createOne),
  createMany,
  connect: oneOrMany(connectOne),
  connectOrCreate: oneOrMany(connectOrCreate),
}

const UPDATES_ONE: Readonly<Record<string, Parse>> = {
  ...CREATES_ONE,
  update: updateOne,
  upsert: upsertOne,
}

const UPDATES_OPTIONAL: Readonly<Record<string, Parse>> = {
  ...UPDATES_ONE,
  disconnect: disconnectOptional,
  delete: parseDelete(trueOrWhere),
}

const UPDATES_MANY: Readonly<Record<string, Parse>> = {
  ...CREATES_MANY,
  set: replaceMembers,
  disconnect: oneOrMany(connectOne),
  update: oneOrMany(updateOneOfMany),
  updateMany: rejectCompoundIds(oneOrMany(updateMany)),
  upsert: oneOrMany(upsertOneOfMany),
  delete: oneOrMany(parseDelete(connected)),
  deleteMany: rejectCompoundIds(
    oneOrMany(parseDelete(({ relation, value, path, limits }) => changedWhere(relation.target, value, path, limits))),
  ),
}

/**
 * Validates the data of a new row, including relations.
 * @param through the relation of the parent row, if the row is nested
 */
export function createData(model: Model, value: unknown, path: Path, limits: Limits, through?: ModelRelation): Args {
  const input = expectObject(value, path)
  const errors: ErrorDetail[] = []
  const data = parseMembers(model, input, path, nestedCreates, fieldValue, limits, errors)
  collectMissingFields(model, input, path, errors, through)
  throwErrors(errors)
  return data
}

/**
 * Validates the data of an update, including relations.
 * @param where the filter for the row, which may contain its version
 */
export function updateData(model: Model, value: unknown, path: Path, limits: Limits, where?: Args): Args {
  const errors: ErrorDetail[] = []
  const data = parseMembers(model, expectObject(value, path), path, nestedUpdates, fieldUpdate, limits, errors)
  throwErrors(errors)
  return { ...data, ...model.versionChecks?.bump(where) }
}

function parseMembers(
  model: Model,
  input: Args,
  path: Path,
  nested: (write: Write) => Args,
  scalar: (field: Field, value: unknown, path: Path) => unknown,
  limits: Limits,
  errors: ErrorDetail[],
): Args {
  const data: Args = {}
  for (const key of Object.keys(input)) {
    // Equivalent to `collectErrors`, but without a closure for each key.
    try {
      const relation = model.relations.get(key)
      if (relation) {
        assertWritable(model, key, relation, path)
        data[key] = nested({ relation, value: input[key], path: childPath(path, key), limits })
      } else data[key] = scalar(writableField(model, key, path), input[key], childPath(path, key))
    } catch (error) {
      recordErrors(errors, error)
    }
  }
  collectErrors(errors, () => assertKeyOrRelation(model, input, path))
  return data
}

/** Validates a new row's nested writes to one relation, against the permissions of the target. See {@link assertWritable}. */
function nestedCreates(write: Write): Args {
  return nested(write.relation.many ? CREATES_MANY : CREATES_ONE, write)
}

/** Validates an update's nested writes to one relation, against the permissions of the target. See {@link assertWritable}. */
function nestedUpdates(write: Write): Args {
  const { many, optional } = write.relation
  return nested(many ? UPDATES_MANY : optional ? UPDATES_OPTIONAL : UPDATES_ONE, write)
}

function nested(writes: Readonly<Record<string, Parse>>, write: Write): Args {
  const data: Args = {}
  const errors: ErrorDetail[] = []
  for (const [key, value] of Object.entries(expectObject(write.value, write.path)))
    collectErrors(errors, () => {
      const parse = Object.hasOwn(writes, key) ? writes[key] : undefined
      data[key] = parse ? parse({ ...write, value, path: childPath(write.path, key) }) : unknownName(key, write.path)
    })
  throwErrors(errors)
  return data
}

function oneOrMany(parse: Parse): Parse {
  return (write) =>
    mapOneOrMany(write.value, write.path, write.limits, (value, path) => parse({ ...write, value, path }))
}

/**
 * Rejects a write to all members of a relation if Prisma 7.10 would also write other rows. Prisma finds members with compound ids by each
 * part separately (`a IN (…) AND b IN (…)`), unless the foreign key contains all parts except one.
 */
function rejectCompoundIds(parse: Parse): Parse {
  return (write) => {
    const parsed = parse(write)
    const { target, inverseRelation } = write.relation
    const parts = idFields(target).filter((name) => !Object.hasOwn(inverseRelation?.foreignKey ?? {}, name))
    if (parts.length <= 1) return parsed
    const hint = `identify each row by its id, or write to ${target.name} directly`
    return invalidValue(write.path, `cannot be used for related rows with compound ids: ${hint}`)
  }
}

/** Parses a nested delete. `find` parses the filter for its rows. */
function parseDelete(find: Parse): Parse {
  return (write) => {
    const { target } = write.relation
    assertOperation(target, 'delete', write.path)
    const where = find(write)
    target.versionChecks?.rejectNested(where, write.path)
    return where
  }
}

function createOne({ relation, value, path, limits }: Write): Args {
  assertOperation(relation.target, 'create', path)
  return createData(relation.target, value, path, limits, relation)
}

function createMany({ relation, value, path }: Write): Args {
  assertOperation(relation.target, 'create', path)
  return createManyRows(relation.target, expectNames(value, ['data', 'skipDuplicates'], path), path, relation)
}

function connectOne(write: Write): Args {
  assertLinkable(write.relation, write.path)
  return connected(write)
}

function replaceMembers(write: Write): unknown {
  // Checked here, and not for each row, because an empty list disconnects all members.
  assertLinkable(write.relation, write.path)
  return rejectCompoundIds(oneOrMany(connected))(write)
}

function connected({ relation, value, path, limits }: Write): Args {
  return whereUnique(relation.target, value, path, limits)
}

function connectOrCreate(write: Write): Args {
  const { value, path } = write
  const input = expectNames(value, ['where', 'create'], path)
  return {
    where: connectOne({ ...write, value: input['where'], path: childPath(path, 'where') }),
    create: createOne({ ...write, value: input['create'], path: childPath(path, 'create') }),
  }
}

/** Parses `true`, or a filter that the related row must match. */
function trueOrWhere({ relation, value, path, limits }: Write): unknown {
  return typeof value === 'boolean' ? value : where(relation.target, value, path, limits)
}

function disconnectOptional(write: Write): unknown {
  assertLinkable(write.relation, write.path)
  const filter = trueOrWhere(write)
  rejectConditions(write.relation, filter, write.path, 'Use true')
  return filter
}

/**
 * Rejects conditions on a to-one relation whose foreign key is in the row. Prisma 7.10 ignores those of a disconnect. It applies those of
 * an upsert to the table of the row, if they do not match and it links a new row.
 */
function rejectConditions({ foreignKey }: ModelRelation, filter: unknown, path: Path, fix: string): void {
  if (foreignKey && Object.keys(Object(filter)).length > 0) {
    invalidValue(path, `cannot contain conditions on this relation. ${fix}`)
  }
}

/** Validates the update of a to-one relation, which is either the data itself or an object with `data` and an optional `where`. */
function updateOne({ relation: { target }, value, path, limits }: Write): Args {
  assertOperation(target, 'update', path)
  const input = expectObject(value, path)
  if (!isWrappedUpdate(target, input)) {
    target.versionChecks?.rejectNested(undefined, childPath(path, 'where'))
    const data = updateData(target, input, path, limits)
    // If the target has a field named `data`, the wrapper makes the update unambiguous.
    return Object.hasOwn(data, 'data') ? { data } : data
  }
  const data = updateData(target, input['data'], childPath(path, 'data'), limits)
  const filter = Object.hasOwn(input, 'where') && where(target, input['where'], childPath(path, 'where'), limits)
  target.versionChecks?.rejectNested(filter, childPath(path, 'where'))
  return filter ? { where: filter, data } : { data }
}

function upsertOne({ relation, value, path, limits }: Write): Args {
  const input = expectNames(value, ['where', 'create', 'update'], path)
  const filterPath = childPath(path, 'where')
  const filter = Object.hasOwn(input, 'where') && where(relation.target, input['where'], filterPath, limits)
  rejectConditions(relation, filter, filterPath, 'Use "update" with "where"')
  return { ...(filter && { where: filter }), ...upsertData(relation, input, path, limits) }
}

function updateOneOfMany({ relation: { target }, value, path, limits }: Write): Args {
  assertOperation(target, 'update', path)
  const input = expectNames(value, ['where', 'data'], path)
  const found = whereUnique(target, input['where'], childPath(path, 'where'), limits)
  target.versionChecks?.rejectNested(found, childPath(path, 'where'))
  return {
    where: found,
    data: updateData(target, input['data'], childPath(path, 'data'), limits),
  }
}

function updateMany({ relation: { target }, value, path, limits }: Write): Args {
  assertOperation(target, 'update', path)
  const input = expectNames(value, ['where', 'data'], path)
  const found = changedWhere(target, input['where'], childPath(path, 'where'), limits)
  target.versionChecks?.rejectNested(found, childPath(path, 'where'))
  return {
    where: found,
    data: updateManyData(target, input['data'], childPath(path, 'data')),
  }
}

function upsertOneOfMany({ relation, value, path, limits }: Write): Args {
  const { target } = relation
  const input = expectNames(value, ['where', 'create', 'update'], path)
  return {
    where: whereUnique(target, input['where'], childPath(path, 'where'), limits),
    ...upsertData(relation, input, path, limits),
  }
}

function upsertData(relation: ModelRelation, input: Args, path: Path, limits: Limits): Args {
  const { target } = relation
  assertOperation(target, 'create', path)
  assertOperation(target, 'update', path)
  target.versionChecks?.rejectUpsert(input['where'], path)
  return {
    create: createData(target, input['create'], childPath(path, 'create'), limits, relation),
    update: updateData(target, input['update'], childPath(path, 'update'), limits),
  }
}
