import type { Limits } from '../../../limits.js'
import type { Model, ModelRelation } from '../../../schema/model.js'
import { isObject } from '../../../values/is-object.js'
import { readableField, assertReadable } from '../assert-permissions.js'
import {
  type Args,
  childPath,
  expectBoolean,
  expectNames,
  expectObject,
  type Path,
  limitExceeded,
  unknownName,
  invalidValue,
} from '../argument-helpers.js'
import { where } from '../where/where.js'
import { ROW_WINDOW, maxTake, addWindowArgument } from './window-arguments.js'
import { countPlannedMembers, type PlannedRows, planNestedRows } from '../data/nested-writes.js'

/** A validated selection, and the relations that the rows will contain. */
export interface Selection {
  /** `select`, `include` and `omit` for Prisma. */
  readonly args: Args
  /** The relations that the rows will contain, with their nested relations. */
  readonly relations: RelationPlan
  /** The to-many relations of the rows themselves that have no `take`, in the format of `_count`. */
  readonly unbounded: Args
  /** The number of members, for each to-many relation without `take` whose members are all in the write's data. */
  readonly written: readonly number[]
  /** The paths of to-many relations whose members are not all in the write's data. */
  readonly unwritten: readonly Path[]
}

/** The relations that rows will contain, with their nested relations. */
export interface RelationPlan extends ReadonlyMap<string, RelationPlan> {}

/** The position in a selection. */
export interface SelectionScope {
  readonly limits: Limits
  readonly depth: number
  /** Maximum number of rows at this depth, according to `take`. */
  readonly rows: number
  /**
   * `unique` for a read of one row, whose to-many relations the database can limit. `write` for a write, which can only be rejected before
   * it runs.
   */
  readonly operationKind?: 'unique' | 'write'
  /** The data that the write contains for the rows, if known. */
  readonly planned?: PlannedRows
}

/** The contents of a selection, collected while it is parsed. */
interface SelectionState {
  readonly relations: Map<string, RelationPlan>
  readonly unbounded: Args
  readonly written: number[]
  readonly unwritten: Path[]
}

/**
 * Validates `select`, `include` and `omit`. Without `select`, fields that are never readable are always omitted. This uses `omit`, because
 * `select` would override the client's own `omit`.
 * @param input the arguments; only `select`, `include` and `omit` are used
 */
export function selection(model: Model, input: Args, path: Path, scope: SelectionScope): Selection {
  const select = input['select'] ?? undefined
  const include = input['include'] ?? undefined
  const omit = input['omit'] ?? undefined
  const relations = new Map<string, RelationPlan>()
  const unbounded: Args = {}
  const found: SelectionState = { relations, unbounded, written: [], unwritten: [] }
  if (select !== undefined) {
    if (include !== undefined || omit !== undefined) {
      invalidValue(path, `must not contain both "select" and ${include === undefined ? '"omit"' : '"include"'}`)
    }
    return { args: { select: parseSelect(model, select, childPath(path, 'select'), scope, found) }, ...found }
  }
  const args: Args = {}
  if (include !== undefined) args['include'] = parseInclude(model, include, childPath(path, 'include'), scope, found)
  const omitted = parseOmit(model, omit, childPath(path, 'omit'))
  if (omitted) args['omit'] = omitted
  return { args, ...found }
}

function parseOmit(model: Model, value: unknown, path: Path): Args | undefined {
  if (value === undefined) return model.omit
  const omitted: Args = { ...model.omit }
  for (const [name, choice] of Object.entries(expectObject(value, path))) {
    if (!model.computed.has(name)) readableField(model, name, path)
    // `false` would override the client's own `omit`.
    if (expectBoolean(choice, childPath(path, name))) omitted[name] = true
  }
  return Object.keys(omitted).length > 0 ? omitted : undefined
}

function parseSelect(model: Model, value: unknown, path: Path, scope: SelectionScope, found: SelectionState): Args {
  const select: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, path))) {
    const relation = model.relations.get(key)
    if (relation) addRelation(select, key, relation, member, path, scope, found)
    else if (key === '_count') addCount(select, model, member, childPath(path, key), scope.limits)
    else {
      if (!model.computed.has(key)) readableField(model, key, path)
      if (expectBoolean(member, childPath(path, key))) select[key] = true
    }
  }
  if (Object.keys(select).length === 0) invalidValue(path, 'must select at least one field or relation')
  return select
}

function parseInclude(model: Model, value: unknown, path: Path, scope: SelectionScope, found: SelectionState): Args {
  const include: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, path))) {
    const relation = model.relations.get(key)
    if (relation) addRelation(include, key, relation, member, path, scope, found)
    else if (key === '_count') addCount(include, model, member, childPath(path, key), scope.limits)
    else unknownName(key, path)
  }
  return include
}

function addRelation(
  into: Args,
  key: string,
  relation: ModelRelation,
  value: unknown,
  path: Path,
  scope: SelectionScope,
  found: SelectionState,
): void {
  const relationPath = childPath(path, key)
  if (value === false) return
  assertReadable(relation, relationPath)
  if (scope.depth >= scope.limits.includeDepth) {
    limitExceeded('includeDepth', `${relationPath} is more than ${scope.limits.includeDepth} relations deep.`)
  }
  const relationArgs = value === true ? {} : expectObject(value, relationPath)
  const args: Args = {}
  for (const [name, member] of Object.entries(relationArgs)) {
    if (name === 'select' || name === 'include' || name === 'omit') continue
    const isAllowed = relation.many ? ROW_WINDOW.has(name) : name === 'where' && relation.optional
    if (!isAllowed) unknownName(name, relationPath)
    addWindowArgument(args, relation.target, name, member, childPath(relationPath, name), scope.limits)
  }
  const rows = scope.rows * (relation.many ? (maxTake(args) ?? 1) : 1)
  if (relation.many && rows > scope.limits.includedRows) {
    limitExceeded(
      'includedRows',
      `${relationPath} may add more than ${scope.limits.includedRows} rows. Use a smaller "take".`,
    )
  }
  if (relation.many && countPlannedMembers(scope.planned, key) === undefined) found.unwritten.push(relationPath)
  if (relation.many && args['take'] === undefined) boundRelation(key, args, relationPath, scope, found)
  const { planned: parentPlan, ...others } = scope
  const written = planNestedRows(parentPlan, key, relation)
  const nested = selection(relation.target, relationArgs, relationPath, {
    ...others,
    depth: scope.depth + 1,
    rows,
    ...(written && { planned: written }),
  })
  found.written.push(...nested.written)
  found.unwritten.push(...nested.unwritten)
  found.relations.set(key, nested.relations)
  Object.assign(args, nested.args)
  into[key] = Object.keys(args).length > 0 ? args : true
}

/**
 * Limits a to-many relation without `take`. For multiple rows, Prisma loads all members together and truncates the lists itself, so a
 * `take` would not reduce the work of the database. These members are counted after loading.
 */
function boundRelation(key: string, args: Args, path: Path, scope: SelectionScope, found: SelectionState) {
  const { limits, depth, operationKind } = scope
  if (operationKind === 'unique' && depth === 0) args['take'] = limits.includedRows + 1
  if (operationKind !== 'write') return
  const memberCount = countPlannedMembers(scope.planned, key)
  if (memberCount !== undefined) {
    found.written.push(memberCount)
    return
  }
  if (depth > 0) {
    const clause = path.split('.').at(-2)
    const line = `${clause}: { ${key}: { take: 100 } }`
    invalidValue(path, `requires "take", because the write may not create all of its rows. Example: ${line}`)
  }
  found.unbounded[key] = args['where'] === undefined ? true : { where: args['where'] }
}

/** Adds a `_count`. For `_count: true`, selects the exposed relations by name, because Prisma would also count hidden relations. */
function addCount(into: Args, model: Model, value: unknown, path: Path, limits: Limits): void {
  if (value === false) return
  const select: Args = {}
  if (value === true) {
    for (const [name, relation] of model.relations) {
      if (relation.many && relation.target.operations.has('list')) select[name] = true
    }
  } else {
    const { select: counted } = expectNames(value, ['select'], path)
    const selectPath = childPath(path, 'select')
    for (const [name, member] of Object.entries(expectObject(counted, selectPath))) {
      addRelationCount(select, model, name, member, selectPath, limits)
    }
  }
  if (Object.keys(select).length === 0) invalidValue(path, 'must select at least one relation')
  into['_count'] = { select }
}

function addRelationCount(into: Args, model: Model, name: string, value: unknown, path: Path, limits: Limits): void {
  const relation = model.relations.get(name)
  const relationPath = childPath(path, name)
  if (!relation?.many) return unknownName(name, path)
  if (value === false) return
  assertReadable(relation, relationPath)
  if (!isObject(value)) {
    into[name] = expectBoolean(value, relationPath)
    return
  }
  expectNames(value, ['where'], relationPath)
  into[name] = Object.hasOwn(value, 'where')
    ? { where: where(relation.target, value['where'], childPath(relationPath, 'where'), limits) }
    : true
}

/** Returns the maximum number of rows that the to-one relations add to a row. */
export function toOneRelations(relations: RelationPlan): number {
  let count = 0
  for (const inner of relations.values()) count += 1 + toOneRelations(inner)
  return count
}

/**
 * Counts the related rows in a result, up to a maximum.
 * @param rows one row, a list of rows, or null
 * @returns the number of rows; if there are more than `max`, any number greater than `max`
 */
export function countIncluded(rows: unknown, relations: RelationPlan, max: number): number {
  if (relations.size === 0) return 0
  let count = 0
  for (const row of [rows].flat()) {
    if (!isObject(row)) continue
    for (const [name, inner] of relations) {
      const related = row[name]
      count += Array.isArray(related) ? related.length : related === null ? 0 : 1
      if (count > max) return count
      count += countIncluded(related, inner, max - count)
      if (count > max) return count
    }
  }
  return count
}
