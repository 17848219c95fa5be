import type { Limits } from '../../../limits.js'
import type { Model, ModelRelation } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import { readableField, assertReadable } from '../permissions.js'
import {
  type Args,
  childPath,
  expectBoolean,
  expectObject,
  type Path,
  limitExceeded,
  unknownName,
  invalidValue,
} from '../arguments.js'
import { where } from '../where/where.js'
import { ROW_WINDOW, maxTake, addWindowArgument } from './window.js'
import { countWrittenMembers, type Written, nestedWrittenRows } from './written-rows.js'

/** What was selected: the arguments for Prisma, and which relations the rows will hold. */
export interface Selection {
  /** `select`, `include` and `omit`, as far as they are needed. */
  readonly args: Args
  /** Relations that the rows will hold, each with what its own rows will hold. */
  readonly relations: RelationPlan
  /** The to-many relations of the rows themselves of which `take` does not say how many: what to count of them. */
  readonly unbounded: Args
  /** To-many relations without `take` whose members the write itself tells: how many each adds. */
  readonly written: readonly number[]
  /** Where to-many relations stand whose members the write does not tell. */
  readonly unwritten: readonly Path[]
}

/** Relations that rows will hold, each with those that its own rows will hold. */
export interface RelationPlan extends ReadonlyMap<string, RelationPlan> {}

/** Where in a selection: how deep, and how many rows there may be at that depth. */
export interface SelectionScope {
  readonly limits: Limits
  readonly depth: number
  /** How many rows can be there at most, as far as `take` says it. */
  readonly rows: number
  /**
   * What the rows answer: a read of one row, whose to-many relations the database itself can bound; or a write, which has to be
   * refused before it is done.
   */
  readonly answers?: 'unique' | 'write'
  /** What the write that is answered writes to the rows, where it is known. */
  readonly written?: Written
}

/** What a selection was found to hold so far. */
interface Found {
  readonly relations: Map<string, RelationPlan>
  readonly unbounded: Args
  readonly written: number[]
  readonly unwritten: Path[]
}

/**
 * Checks `select`, `include` and `omit` of some arguments. What is never read is omitted, whatever the caller omits, and where
 * whole rows are asked for: by `omit`, because a `select` would undo the `omit` that the client itself may have.
 * @param given the arguments that hold them; its other members are not looked at
 */
export function selection(model: Model, given: Args, at: Path, scope: SelectionScope): Selection {
  const select = given['select'] ?? undefined
  const include = given['include'] ?? undefined
  const omit = given['omit'] ?? undefined
  const relations = new Map<string, RelationPlan>()
  const unbounded: Args = {}
  const found: Found = { relations, unbounded, written: [], unwritten: [] }
  if (select !== undefined) {
    if (include !== undefined || omit !== undefined) {
      invalidValue(at, `must not have "select" beside ${include === undefined ? '"omit"' : '"include"'}`)
    }
    return { args: { select: selected(model, select, childPath(at, 'select'), scope, found) }, ...found }
  }
  const args: Args = {}
  if (include !== undefined) args['include'] = included(model, include, childPath(at, 'include'), scope, found)
  const omitted = omittedFields(model, omit, childPath(at, 'omit'))
  if (omitted) args['omit'] = omitted
  return { args, ...found }
}

function omittedFields(model: Model, value: unknown, at: Path): Args | undefined {
  if (value === undefined) return model.omit
  const omitted: Args = { ...model.omit }
  for (const [name, choice] of Object.entries(expectObject(value, at))) {
    if (!model.computed.has(name)) readableField(model, name, at)
    // `false` would bring back what the client itself omits.
    if (expectBoolean(choice, childPath(at, name))) omitted[name] = true
  }
  return Object.keys(omitted).length > 0 ? omitted : undefined
}

function selected(model: Model, value: unknown, at: Path, scope: SelectionScope, found: Found): Args {
  const select: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    const relation = model.relations.get(key)
    if (relation) addRelation(select, key, relation, member, at, scope, found)
    else if (key === '_count') addCount(select, model, member, childPath(at, key), scope.limits)
    else {
      if (!model.computed.has(key)) readableField(model, key, at)
      if (expectBoolean(member, childPath(at, key))) select[key] = true
    }
  }
  if (Object.keys(select).length === 0) invalidValue(at, 'must select something')
  return select
}

function included(model: Model, value: unknown, at: Path, scope: SelectionScope, found: Found): Args {
  const include: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    const relation = model.relations.get(key)
    if (relation) addRelation(include, key, relation, member, at, scope, found)
    else if (key === '_count') addCount(include, model, member, childPath(at, key), scope.limits)
    else unknownName(key, at)
  }
  return include
}

function addRelation(
  into: Args,
  key: string,
  relation: ModelRelation,
  value: unknown,
  at: Path,
  scope: SelectionScope,
  found: Found,
): void {
  const path = childPath(at, key)
  if (value === false) return
  assertReadable(relation, path)
  if (scope.depth >= scope.limits.includeDepth) {
    limitExceeded('includeDepth', `${path} is more than ${scope.limits.includeDepth} relations deep.`)
  }
  const given = value === true ? {} : expectObject(value, path)
  const args: Args = {}
  for (const [name, member] of Object.entries(given)) {
    if (name === 'select' || name === 'include' || name === 'omit') continue
    const known = relation.many ? ROW_WINDOW.has(name) : name === 'where' && relation.optional
    if (!known) unknownName(name, path)
    addWindowArgument(args, relation.target, name, member, childPath(path, name), scope.limits)
  }
  const rows = scope.rows * (relation.many ? (maxTake(args) ?? 1) : 1)
  if (relation.many && rows > scope.limits.includedRows) {
    limitExceeded('includedRows', `${path} may add more than ${scope.limits.includedRows} rows. Take fewer.`)
  }
  if (relation.many && countWrittenMembers(scope.written, key) === undefined) found.unwritten.push(path)
  if (relation.many && args['take'] === undefined) boundRelation(key, args, path, scope, found)
  const { written: above, ...others } = scope
  const written = nestedWrittenRows(above, key, relation)
  const inner = selection(relation.target, given, path, {
    ...others,
    depth: scope.depth + 1,
    rows,
    ...(written && { written }),
  })
  found.written.push(...inner.written)
  found.unwritten.push(...inner.unwritten)
  found.relations.set(key, inner.relations)
  Object.assign(args, inner.args)
  into[key] = Object.keys(args).length > 0 ? args : true
}

/**
 * Bounds a to-many relation without `take`. Prisma reads the members of many rows together and cuts them itself, so that a
 * `take` of ours would spare the database nothing there; those are counted once they are read.
 */
function boundRelation(key: string, args: Args, path: Path, scope: SelectionScope, found: Found) {
  const { limits, depth, answers } = scope
  if (answers === 'unique' && depth === 0) args['take'] = limits.includedRows + 1
  if (answers !== 'write') return
  const known = countWrittenMembers(scope.written, key)
  if (known !== undefined) {
    found.written.push(known)
    return
  }
  if (depth > 0) {
    const clause = path.split('.').at(-2)
    const line = `${clause}: { ${key}: { take: 100 } }`
    invalidValue(path, `needs "take" in the answer to a write that does not make all of its rows, such as ${line}`)
  }
  found.unbounded[key] = args['where'] === undefined ? true : { where: args['where'] }
}

/** `_count: true` counts every relation, hidden ones too; so the visible ones are named. */
function addCount(into: Args, model: Model, value: unknown, at: Path, limits: Limits): void {
  if (value === false) return
  const select: Args = {}
  if (value === true) {
    for (const [name, relation] of model.relations) {
      if (relation.many && relation.target.operations.has('list')) select[name] = true
    }
  } else {
    const { select: counted, ...others } = expectObject(value, at)
    for (const name of Object.keys(others)) unknownName(name, at)
    const path = childPath(at, 'select')
    for (const [name, member] of Object.entries(expectObject(counted, path))) {
      addRelationCount(select, model, name, member, path, limits)
    }
  }
  if (Object.keys(select).length === 0) invalidValue(at, 'must count something')
  into['_count'] = { select }
}

function addRelationCount(into: Args, model: Model, name: string, value: unknown, at: Path, limits: Limits): void {
  const relation = model.relations.get(name)
  const path = childPath(at, name)
  if (!relation?.many) return unknownName(name, at)
  if (value === false) return
  assertReadable(relation, path)
  if (!isObject(value)) {
    into[name] = expectBoolean(value, path)
    return
  }
  for (const key of Object.keys(value)) if (key !== 'where') unknownName(key, path)
  into[name] = Object.hasOwn(value, 'where')
    ? { where: where(relation.target, value['where'], childPath(path, 'where'), limits) }
    : true
}

/** How many rows the to-one relations of a row can add to it. */
export function toOneRelations(relations: RelationPlan): number {
  let count = 0
  for (const inner of relations.values()) count += 1 + toOneRelations(inner)
  return count
}

/**
 * Counts the rows that relations added to a result, as far as the limit.
 * @param rows one row, a list of rows, or null
 * @returns how many; where there are more than `most`, some number beyond it
 */
export function countIncluded(rows: unknown, relations: RelationPlan, most: number): number {
  if (relations.size === 0) return 0
  let count = 0
  for (const row of Array.isArray(rows) ? rows : [rows]) {
    if (!isObject(row)) continue
    for (const [name, inner] of relations) {
      const related = row[name]
      count += Array.isArray(related) ? related.length : related === null ? 0 : 1
      if (count > most) return count
      count += countIncluded(related, inner, most - count)
      if (count > most) return count
    }
  }
  return count
}
