import type { Limits } from '../../../limits.js'
import { type ErrorDetail, throwErrors } from '../../../errors/request-error.js'
import type { Field } from '../../../schema/resource.js'
import { idFields, type Model, type ModelRelation } from '../../../schema/schema.js'
import { isWrappedUpdate } from '../../../schema/filter-ambiguity.js'
import { isObject } from '../../../values/is-object.js'
import { assertLinkable, assertOperation, assertWritable, writableField } from '../permissions.js'
import {
  type Args,
  collectErrors,
  childPath,
  recordErrors,
  expectObject,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
} from '../arguments.js'
import { bumpVersion, rejectNestedVersion, rejectVersionedUpsert } from './version.js'
import {
  createManyRows,
  fieldUpdate,
  fieldValue,
  collectMissingFields,
  assertKeyOrRelation,
  updateManyData,
} from './scalar-data.js'
import { changedWhere, where, whereUnique } from '../where/where.js'

/** A nested write: the model that holds the relation, the relation, and what is written to it. */
interface Write {
  readonly model: Model
  readonly relation: ModelRelation
  readonly value: unknown
  readonly at: Path
  readonly limits: Limits
}

type Parse = (write: Write) => unknown

const CREATES_ONE: Readonly<Record<string, Parse>> = { create: createOne, connect: connectOne, connectOrCreate }

const CREATES_MANY: Readonly<Record<string, Parse>> = {
  create: each(createOne),
  createMany,
  connect: each(connectOne),
  connectOrCreate: each(connectOrCreate),
}

const UPDATES_ONE: Readonly<Record<string, Parse>> = {
  ...CREATES_ONE,
  update: updateOne,
  upsert: upsertOne,
}

const UPDATES_OPTIONAL: Readonly<Record<string, Parse>> = {
  ...UPDATES_ONE,
  disconnect: linkEnd,
  delete: removing(trueOrWhere),
}

const UPDATES_MANY: Readonly<Record<string, Parse>> = {
  ...CREATES_MANY,
  set: ofMembersOnly(each(connectOne)),
  disconnect: each(connectOne),
  update: each(updateOneOfMany),
  updateMany: ofMembersOnly(each(updateMany)),
  upsert: each(upsertOneOfMany),
  delete: each(removing(connected)),
  deleteMany: ofMembersOnly(
    each(removing(({ relation, value, at, limits }) => changedWhere(relation.target, value, at, limits))),
  ),
}

/** Checks the data of a new row, relations included. `through` is the relation that a nested one is written to. */
export function createData(model: Model, value: unknown, at: Path, limits: Limits, through?: ModelRelation): Args {
  const given = expectObject(value, at)
  const faults: ErrorDetail[] = []
  const data = written(model, given, at, nestedCreates, fieldValue, limits, faults)
  collectMissingFields(model, given, at, faults, through)
  throwErrors(faults)
  return data
}

/** Checks the changes of a row, relations included. `where` finds it, where the caller says which version it is changed of. */
export function updateData(model: Model, value: unknown, at: Path, limits: Limits, where?: Args): Args {
  const faults: ErrorDetail[] = []
  const data = written(model, expectObject(value, at), at, nestedUpdates, fieldUpdate, limits, faults)
  throwErrors(faults)
  return bumpVersion(model, data, where)
}

function written(
  model: Model,
  given: Args,
  at: Path,
  nested: (model: Model, relation: ModelRelation, value: unknown, at: Path, limits: Limits) => Args,
  scalar: (field: Field, value: unknown, at: Path) => unknown,
  limits: Limits,
  faults: ErrorDetail[],
): Args {
  const data: Args = {}
  for (const key of Object.keys(given)) {
    // As `attempt` does, but for a function that each member would need.
    try {
      const relation = model.relations.get(key)
      if (relation) {
        assertWritable(model, key, relation, at)
        data[key] = nested(model, relation, given[key], childPath(at, key), limits)
      } else data[key] = scalar(writableField(model, key, at), given[key], childPath(at, key))
    } catch (error) {
      recordErrors(faults, error)
    }
  }
  collectErrors(faults, () => assertKeyOrRelation(model, given, at))
  return data
}

/** Checks what a new row's data writes to a relation, with the rules of the target (see `permissions.ts`). */
function nestedCreates(model: Model, relation: ModelRelation, value: unknown, at: Path, limits: Limits): Args {
  return nested(relation.many ? CREATES_MANY : CREATES_ONE, { model, relation, value, at, limits })
}

/** Checks what changes of a row write to a relation, with the rules of the target (see `permissions.ts`). */
function nestedUpdates(model: Model, relation: ModelRelation, value: unknown, at: Path, limits: Limits): Args {
  const writes = relation.many ? UPDATES_MANY : relation.optional ? UPDATES_OPTIONAL : UPDATES_ONE
  return nested(writes, { model, relation, value, at, limits })
}

function nested(writes: Readonly<Record<string, Parse>>, write: Write): Args {
  const data: Args = {}
  for (const [key, value] of Object.entries(expectObject(write.value, write.at))) {
    const parse = Object.hasOwn(writes, key) ? writes[key] : undefined
    data[key] = parse ? parse({ ...write, value, at: childPath(write.at, key) }) : unknownName(key, write.at)
  }
  return data
}

function each(parse: Parse): Parse {
  return (write) => mapOneOrMany(write.value, write.at, write.limits, (value, at) => parse({ ...write, value, at }))
}

/**
 * Refuses a write to all members of a relation where Prisma 7.10 would write rows of others too: it looks for members with
 * compound ids by each part alone (`a IN (…) AND b IN (…)`), unless the foreign key holds all parts but one.
 */
function ofMembersOnly(parse: Parse): Parse {
  return (write) => {
    const parsed = parse(write)
    const { target, back } = write.relation
    const parts = idFields(target).filter((name) => !Object.hasOwn(back?.foreignKey ?? {}, name))
    if (parts.length <= 1) return parsed
    const instead = `name each by its id, or write to ${target.name} itself`
    return invalidValue(write.at, `cannot be used for members with compound ids: ${instead}`)
  }
}

/** Parses a nested delete, whose rows `find` selects. */
function removing(find: Parse): Parse {
  return (write) => {
    const { target } = write.relation
    assertOperation(target, 'delete', write.at)
    const where = find(write)
    rejectNestedVersion(target, where, write.at)
    return where
  }
}

function createOne({ relation, value, at, limits }: Write): Args {
  assertOperation(relation.target, 'create', at)
  return createData(relation.target, value, at, limits, relation)
}

function createMany({ relation, value, at }: Write): Args {
  assertOperation(relation.target, 'create', at)
  return createManyRows(relation.target, members(value, at, ['data', 'skipDuplicates']), at, relation)
}

function connectOne(write: Write): Args {
  assertLinkable(write.model, write.relation, write.at)
  return connected(write)
}

function connected({ relation, value, at, limits }: Write): Args {
  return whereUnique(relation.target, value, at, limits)
}

function connectOrCreate(write: Write): Args {
  const { relation, value, at, limits } = write
  const given = members(value, at, ['where', 'create'])
  return {
    where: connectOne({ ...write, value: given['where'], at: childPath(at, 'where') }),
    create: createOne({ relation, value: given['create'], at: childPath(at, 'create'), limits, model: write.model }),
  }
}

/** `true`, or a filter that the related row must meet. */
function trueOrWhere({ relation, value, at, limits }: Write): unknown {
  return typeof value === 'boolean' ? value : where(relation.target, value, at, limits)
}

function linkEnd(write: Write): unknown {
  assertLinkable(write.model, write.relation, write.at)
  return trueOrWhere(write)
}

/** The changes of a to-one relation's row: bare, or as `data` beside a `where`. */
function updateOne({ relation: { target }, value, at, limits }: Write): Args {
  assertOperation(target, 'update', at)
  const given = expectObject(value, at)
  if (!isWrappedUpdate(target, given)) {
    rejectNestedVersion(target, undefined, childPath(at, 'where'))
    const data = updateData(target, given, at, limits)
    // A field is called so: whoever reads the change after us does not have to find out once more.
    return Object.hasOwn(data, 'data') ? { data } : data
  }
  const data = updateData(target, given['data'], childPath(at, 'data'), limits)
  const filter = Object.hasOwn(given, 'where') && where(target, given['where'], childPath(at, 'where'), limits)
  rejectNestedVersion(target, filter, childPath(at, 'where'))
  return filter ? { where: filter, data } : { data }
}

function upsertOne({ relation, value, at, limits }: Write): Args {
  const { target } = relation
  const given = members(value, at, ['where', 'create', 'update'])
  return {
    ...(Object.hasOwn(given, 'where') && { where: where(target, given['where'], childPath(at, 'where'), limits) }),
    ...upsertData(relation, given, at, limits),
  }
}

function updateOneOfMany({ relation: { target }, value, at, limits }: Write): Args {
  assertOperation(target, 'update', at)
  const given = members(value, at, ['where', 'data'])
  const found = whereUnique(target, given['where'], childPath(at, 'where'), limits)
  rejectNestedVersion(target, found, childPath(at, 'where'))
  return {
    where: found,
    data: updateData(target, given['data'], childPath(at, 'data'), limits),
  }
}

function updateMany({ relation: { target }, value, at, limits }: Write): Args {
  assertOperation(target, 'update', at)
  const given = members(value, at, ['where', 'data'])
  const found = changedWhere(target, given['where'], childPath(at, 'where'), limits)
  rejectNestedVersion(target, found, childPath(at, 'where'))
  return {
    where: found,
    data: updateManyData(target, given['data'], childPath(at, 'data')),
  }
}

function upsertOneOfMany({ relation, value, at, limits }: Write): Args {
  const { target } = relation
  const given = members(value, at, ['where', 'create', 'update'])
  return {
    where: whereUnique(target, given['where'], childPath(at, 'where'), limits),
    ...upsertData(relation, given, at, limits),
  }
}

function upsertData(relation: ModelRelation, given: Args, at: Path, limits: Limits): Args {
  const { target } = relation
  assertOperation(target, 'create', at)
  assertOperation(target, 'update', at)
  rejectVersionedUpsert(target, given['where'], at)
  return {
    create: createData(target, given['create'], childPath(at, 'create'), limits, relation),
    update: updateData(target, given['update'], childPath(at, 'update'), limits),
  }
}

function members(value: unknown, at: Path, names: readonly string[]): Args {
  if (!isObject(value)) return invalidValue(at, 'must be an object')
  for (const key of Object.keys(value)) if (!names.includes(key)) unknownName(key, at)
  return value
}
