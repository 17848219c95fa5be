import { idFields, type Model, type ModelRelation } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import type { Members } from './members.js'
import type { Args } from '../arguments.js'
import { maxTake } from './window.js'
import { selectFields } from '../../../orm/select-fields.js'

/**
 * What a call makes Prisma load beyond what it answers. Prisma 7.10 gives the database a LIMIT for the rows of the call itself,
 * and for the direct members of one row that a unique criterion tells; of several rows it loads all members, and cuts the lists
 * to `take` itself, each level before it loads the next one.
 */
export interface UnboundedLoad {
  readonly model: Model
  /** To-one relations below which members are loaded. */
  readonly one: readonly { readonly name: string; readonly where: unknown; readonly below: UnboundedLoad }[]
  readonly many: readonly UnboundedRelation[]
}

/** A to-many relation that is loaded, or below which others are. */
export interface UnboundedRelation {
  readonly name: string
  readonly relation: ModelRelation
  /** Which members are asked for. */
  readonly window: Args
  /** Whether the members are to be counted: all are loaded, because the database does not bound them. */
  readonly counted: boolean
  readonly below: UnboundedLoad | undefined
}

/**
 * How many members a row is taken to have where it is not looked at: what so few rows have that their members are within the
 * limit is not counted, because two queries more are much for a small page.
 */
const MEMBERS_EACH = 500

/** Which rows a selection is of. */
export interface LoadSource {
  /** How many there may be. */
  readonly rows: number
  /** Whether it is one row that a unique criterion tells, so that the database bounds its direct members. */
  readonly unique?: boolean
  /** How many members may be loaded. */
  readonly most: number
}

/**
 * Tells the relations of a call whose members Prisma loads without a LIMIT, and which may be too many.
 * @param args arguments that were checked
 */
export function findUnboundedLoads(model: Model, args: Args, from: LoadSource): UnboundedLoad | undefined {
  const selected = args['select'] ?? args['include']
  if (!isObject(selected)) return undefined
  const { rows, unique = false, most } = from
  const one = []
  const many = []
  for (const [name, value] of Object.entries(selected)) {
    const relation = model.relations.get(name)
    if (!relation) continue
    const { select, include, omit: _, ...window } = isObject(value) ? value : {}
    // Prisma does not even ask for them.
    if (window['take'] === 0) continue
    const below = findUnboundedLoads(
      relation.target,
      { select, include },
      { rows: relation.many ? rows * (maxTake(window) ?? Infinity) : rows, most },
    )
    if (!relation.many) {
      if (below) one.push({ name, where: window['where'], below })
      continue
    }
    const loaded = !unique || window['distinct'] !== undefined || window['cursor'] !== undefined
    const counted = loaded && rows * MEMBERS_EACH > most
    if (counted || below) many.push({ name, relation, window, counted, below })
  }
  return one.length > 0 || many.length > 0 ? { model, one, many } : undefined
}

/** Whether relations at a depth are to be counted: 0 are those of the rows themselves and of their to-one relations. */
export function relationsAtDepth({ one, many }: UnboundedLoad, depth: number): boolean {
  if (one.some(({ below }) => relationsAtDepth(below, depth))) return true
  return many.some(({ counted, below }) =>
    depth === 0 ? counted : below !== undefined && relationsAtDepth(below, depth - 1),
  )
}

/** How many to-many relations are loaded, one inside the other. */
export function nestingDepth({ one, many }: UnboundedLoad): number {
  return Math.max(
    0,
    ...one.map(({ below }) => nestingDepth(below)),
    ...many.map(({ below }) => 1 + (below ? nestingDepth(below) : 0)),
  )
}

/** A `select` of the keys that members at a depth are counted by. */
export function keySelect({ model, one, many }: UnboundedLoad, depth: number): Args {
  const select: Args = selectFields(idFields(model))
  for (const { name, where, below } of one) {
    if (relationsAtDepth(below, depth))
      select[name] = { select: keySelect(below, depth), ...(where !== undefined && { where }) }
  }
  for (const { name, relation, window, below } of many) {
    if (depth === 0) for (const key of ownerKey(model, relation)) select[key] = true
    else if (below && relationsAtDepth(below, depth - 1))
      select[name] = { ...window, select: keySelect(below, depth - 1) }
  }
  return select
}

/** The members that are to be counted at a depth, with the rows that they belong to. */
export function* membersAt(
  { model, one, many }: UnboundedLoad,
  rows: readonly Args[],
  depth: number,
): Iterable<{ readonly model: Model; readonly rows: readonly Args[]; readonly many: UnboundedRelation }> {
  for (const { name, below } of one) yield* membersAt(below, relatedOf(rows, name), depth)
  for (const each of many) {
    if (depth > 0) {
      if (each.below) yield* membersAt(each.below, relatedOf(rows, each.name), depth - 1)
    } else if (each.counted) yield { model, rows, many: each }
  }
}

/** All relations of a call that are to be counted, each with all rows that its members could be. */
export function anyMembers({ one, many }: UnboundedLoad): Members[] {
  return [
    ...one.flatMap(({ below }) => anyMembers(below)),
    ...many.flatMap(({ relation, window, counted, below }) => [
      ...(counted ? [{ target: relation.target, where: windowFilter(window) }] : []),
      ...(below ? anyMembers(below) : []),
    ]),
  ]
}

/** Whether a table between two models holds one of the relations: then a member is loaded once for each row that has it. */
export function sharesJoinTable({ one, many }: UnboundedLoad): boolean {
  return (
    one.some(({ below }) => sharesJoinTable(below)) ||
    many.some((each) => usesJoinTable(each) || (each.below && sharesJoinTable(each.below)))
  )
}

/** Whether a table between the two models holds a relation. */
function usesJoinTable({ relation }: UnboundedRelation): boolean {
  return relation.back?.many === true
}

/** The fields that the members of a relation refer to; where a table between the two holds it, those of the id. */
export function ownerKey(model: Model, { back }: ModelRelation): readonly string[] {
  const references = Object.values(back?.foreignKey ?? {})
  return references.length > 0 ? references : idFields(model)
}

/** The filter of a window; what has none takes all rows. */
export function windowFilter(window: Args): Args {
  const { where } = window
  return isObject(where) ? where : {}
}

/**
 * Whether Prisma loads all rows of the filter and cuts them itself: it compares them for `distinct`, and looks for `cursor`
 * among those that rank equal, unless the order is by fields that are never null, and by one that is unique.
 */
export function loadsAll(model: Model, { distinct, cursor, orderBy }: Args): boolean {
  if (distinct !== undefined) return true
  if (cursor === undefined) return false
  const parts = (Array.isArray(orderBy) ? orderBy : [orderBy ?? {}]).flatMap((part) => Object.keys(part))
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

/** Returns the related rows that some rows contain for a relation. */
export function relatedOf(rows: readonly Args[], name: string): Args[] {
  return rows.flatMap((row) => row[name]).filter(isObject)
}
