import { selectFields } from '../../../prisma/keys.js'
import { uniqueConditions } from '../../../prisma/transactions/row-lock.js'
import { idFields, type Model, type ModelRelation } from '../../../schema/model.js'
import { isObject } from '../../../values/is-object.js'
import type { Args } from '../argument-helpers.js'
import { maxTake } from './window-arguments.js'

/**
 * The rows that Prisma loads in addition to those in the response. Prisma 7.10 sends a LIMIT to the database only for the rows of the
 * call itself, and for the direct members of a single row that a unique criterion identifies. For multiple rows, it loads all members of a
 * level and applies `take` itself before it loads the next level.
 */
export interface UnboundedLoad {
  readonly model: Model
  /** To-one relations that contain to-many relations to load. */
  readonly toOne: readonly { readonly name: string; readonly where: unknown; readonly nested: UnboundedLoad }[]
  readonly toMany: readonly UnboundedRelation[]
}

/** A to-many relation whose members Prisma loads without a LIMIT, or that contains such a relation. */
export interface UnboundedRelation {
  readonly name: string
  readonly relation: ModelRelation
  /** The arguments that select members. */
  readonly window: Args
  /** Whether to count the members. True if the database does not limit them, so that Prisma loads all of them. */
  readonly hasCount: boolean
  readonly nested: UnboundedLoad | undefined
}

/**
 * The assumed number of members per row. If the limit would not be exceeded even with this many members per row, the members are not
 * counted: two more queries would be expensive for a small page.
 */
const MEMBERS_EACH = 500

/** The rows of a selection. */
export interface LoadSource {
  /** Maximum number of rows. */
  readonly rows: number
  /** Whether the source is a single row that a unique criterion identifies, so that the database limits its direct members. */
  readonly unique?: boolean
  /** Maximum number of members that may be loaded. */
  readonly maxMembers: number
}

/**
 * Returns the relations of a call whose members Prisma loads without a LIMIT, if there may be too many.
 * @param args the validated arguments
 */
export function findUnboundedLoads(model: Model, args: Args, source: LoadSource): UnboundedLoad | undefined {
  const selected = args['select'] ?? args['include']
  if (!isObject(selected)) return undefined
  const { rows, unique = false, maxMembers } = source
  const toOne = []
  const toMany = []
  for (const [name, value] of Object.entries(selected)) {
    const relation = model.relations.get(name)
    if (!relation) continue
    const { select, include, omit: _, ...window } = isObject(value) ? value : {}
    // Prisma does not load the members.
    if (window['take'] === 0) continue
    const nested = findUnboundedLoads(
      relation.target,
      { select, include },
      { rows: relation.many ? rows * (maxTake(window) ?? Infinity) : rows, maxMembers },
    )
    if (!relation.many) {
      if (nested) toOne.push({ name, where: window['where'], nested })
      continue
    }
    const loaded = !unique || window['distinct'] !== undefined || window['cursor'] !== undefined
    const hasCount = loaded && rows * MEMBERS_EACH > maxMembers
    if (hasCount || nested) toMany.push({ name, relation, window, hasCount, nested })
  }
  return toOne.length > 0 || toMany.length > 0 ? { model, toOne, toMany } : undefined
}

/** Whether any relations at a depth are counted. Depth 0 contains the relations of the rows themselves and of their to-one relations. */
export function relationsAtDepth({ toOne, toMany }: UnboundedLoad, depth: number): boolean {
  if (toOne.some(({ nested }) => relationsAtDepth(nested, depth))) return true
  return toMany.some(({ hasCount, nested }) =>
    depth === 0 ? hasCount : nested !== undefined && relationsAtDepth(nested, depth - 1),
  )
}

/** Returns the nesting depth of the loaded to-many relations. */
export function nestingDepth({ toOne, toMany }: UnboundedLoad): number {
  return Math.max(
    0,
    ...toOne.map(({ nested }) => nestingDepth(nested)),
    ...toMany.map(({ nested }) => 1 + (nested ? nestingDepth(nested) : 0)),
  )
}

/** Returns a `select` for the keys that are needed to count the members at a depth. */
export function keySelect({ model, toOne, toMany }: UnboundedLoad, depth: number): Args {
  const select: Args = selectFields(idFields(model))
  for (const { name, where, nested } of toOne) {
    if (relationsAtDepth(nested, depth))
      select[name] = { select: keySelect(nested, depth), ...(where !== undefined && { where }) }
  }
  for (const { name, relation, window, nested } of toMany) {
    if (depth === 0) for (const key of ownerKey(model, relation)) select[key] = true
    else if (nested && relationsAtDepth(nested, depth - 1))
      select[name] = { ...window, select: keySelect(nested, depth - 1) }
  }
  return select
}

/** Yields the relations to count at a depth, with the parent rows of the members. */
export function* membersAt(
  { model, toOne, toMany }: UnboundedLoad,
  rows: readonly Args[],
  depth: number,
): Iterable<{ readonly model: Model; readonly rows: readonly Args[]; readonly many: UnboundedRelation }> {
  for (const { name, nested } of toOne) yield* membersAt(nested, getRelatedRows(rows, name), depth)
  for (const many of toMany) {
    if (depth > 0) {
      if (many.nested) yield* membersAt(many.nested, getRelatedRows(rows, many.name), depth - 1)
    } else if (many.hasCount) yield { model, rows, many }
  }
}

/** Returns a filter for each counted relation of a call, which matches all possible members. */
export function anyMembers({ toOne, toMany }: UnboundedLoad): Members[] {
  return [
    ...toOne.flatMap(({ nested }) => anyMembers(nested)),
    ...toMany.flatMap(({ relation, window, hasCount, nested }) => [
      ...(hasCount ? [{ target: relation.target, where: windowFilter(window) }] : []),
      ...(nested ? anyMembers(nested) : []),
    ]),
  ]
}

/** Whether any relation uses a join table, so that a member is loaded once for each parent row. */
export function sharesJoinTable({ toOne, toMany }: UnboundedLoad): boolean {
  return (
    toOne.some(({ nested }) => sharesJoinTable(nested)) ||
    toMany.some((many) => usesJoinTable(many) || (many.nested && sharesJoinTable(many.nested)))
  )
}

/** Whether a relation uses a join table. */
function usesJoinTable({ relation }: UnboundedRelation): boolean {
  return relation.inverseRelation?.many === true
}

/** Returns the fields that members refer to: those in their foreign key, or the id for a join table. */
export function ownerKey(model: Model, { inverseRelation }: ModelRelation): readonly string[] {
  const references = Object.values(inverseRelation?.foreignKey ?? {})
  return references.length > 0 ? references : idFields(model)
}

/** Returns the filter of a window. `{}` if it has none, which matches all rows. */
export function windowFilter(window: Args): Args {
  const { where } = window
  return isObject(where) ? where : {}
}

/**
 * Whether Prisma loads all matching rows and limits them itself. It does so to compare rows for `distinct`. It also does so to find the
 * `cursor` among rows that sort equally, unless the sort order contains only required fields and one of them is unique.
 */
export function loadsAll(model: Model, { distinct, cursor, orderBy }: Args): boolean {
  if (distinct !== undefined) return true
  if (cursor === undefined) return false
  const parts = [orderBy ?? {}].flat().flatMap((part) => Object.keys(part))
  const names = parts.length > 0 ? parts : idFields(model)
  const isUnique = (name: string) =>
    [...model.uniques.values()].some(([first, ...more]) => first === name && more.length === 0)
  return (
    (parts.length === 0 && names.length > 1) || !names.every((name) => isRequired(model, name)) || !names.some(isUnique)
  )
}

function isRequired(model: Model, name: string): boolean {
  const field = model.fields.get(name)
  return field !== undefined && !field.optional
}

/** Returns the related rows that the given rows contain for a relation. */
export function getRelatedRows(rows: readonly Args[], name: string): Args[] {
  return rows.flatMap((row) => row[name]).filter(isObject)
}

/** The members of a to-many relation that a read includes. */
export interface Members {
  readonly target: Model
  /** The filter that matches the members of all rows together. */
  readonly where: Args
}

/**
 * Returns filters for the rows that Prisma loads for the to-many relations of a read, at any depth. For the rows of a page, Prisma loads
 * all members and then applies the `take` of each relation itself. Members below a relation with a hidden inverse cannot be filtered and
 * are left out.
 * @param args the validated arguments
 * @param ownerFilter the filter for the rows of the model
 */
export function includedMemberFilters(model: Model, args: Args, ownerFilter: unknown): Members[] {
  const selected = args['select'] ?? args['include']
  if (!isObject(selected)) return []
  return Object.entries(selected).flatMap(([name, value]) => {
    const relation = model.relations.get(name)
    const inverse = relation && findInverse(model, name, relation)
    if (!relation || !inverse) return []
    const { target } = relation
    const relationArgs = isObject(value) ? value : {}
    const owners = { [inverse.name]: { [inverse.many ? 'some' : 'is']: ownerFilter ?? {} } }
    const where = relationArgs['where'] === undefined ? owners : { AND: [relationArgs['where'], owners] }
    return [...(relation.many ? [{ target, where }] : []), ...includedMemberFilters(target, relationArgs, where)]
  })
}

/**
 * Returns filters for the members of one row.
 * @param where the unique filter of the row
 * @param counted the to-many relations, in the format of `_count`
 */
export function rowMemberFilters(model: Model, where: Args, counted: Args): Members[] {
  return includedMemberFilters(model, { include: counted }, { AND: uniqueConditions(model.uniques, where) })
}

interface Inverse {
  readonly name: string
  readonly many: boolean
}

/**
 * Returns the inverse of a relation. The side without the foreign key specifies it. For the other side, the target's relations are
 * searched.
 */
function findInverse(
  model: Model,
  name: string,
  { target, inverse, inverseRelation }: ModelRelation,
): Inverse | undefined {
  if (inverse !== undefined) return { name: inverse, many: inverseRelation?.many ?? false }
  for (const [other, relation] of target.relations) {
    if (relation.target === model && relation.inverse === name) return { name: other, many: relation.many ?? false }
  }
  return undefined
}
