import { whereNone } from '../../orm/keys.js'
import type { Dialect } from '../../orm/dialect.js'
import type { Field } from '../../schema/resource.js'
import { isNullable, type SortKey } from './sort-keys.js'

type Where = Readonly<Record<string, unknown>>

/** A place in an ordered list: between two rows, or at one. */
export interface KeysetPosition {
  /** The values of the list's keys there, in order. */
  readonly values: readonly unknown[]
  /** Whether a row that stands at it is on its far side too. */
  readonly inclusive: boolean
}

/**
 * The rows on one side of a place, as Prisma's `where`. Whatever is deleted or inserted, they are the same rows, and an index on the keys leads to the
 * first of them: that is what an offset cannot do.
 */
export function whereBeyond(
  keys: readonly SortKey[],
  place: KeysetPosition,
  side: 'after' | 'before',
  dialect: Dialect,
): Where {
  const alternatives: Where[] = []
  const same: Where[] = []
  for (const [index, key] of keys.entries()) {
    const value = place.values[index]
    const further = furtherThan(key, value, side, dialect)
    if (further) alternatives.push(mergeWhere([...same, further]))
    same.push(equal(key, value))
  }
  if (place.inclusive) alternatives.push(mergeWhere(same))
  // An id of Booleans alone has a last row that nothing can lie behind.
  const where: Where = alternatives.length > 0 ? { OR: alternatives } : whereNone(ownNames(keys), ownFields(keys))
  const bound = keys.length > 1 ? boundOf(keys[0], place.values[0], side, dialect) : undefined
  return bound ? mergeWhere([bound, where]) : where
}

/**
 * What the alternatives have in common, for the database that does not see it in them: all rows stand at the first key's value or beyond. Undefined
 * where it is not one comparison.
 */
function boundOf(key: SortKey | undefined, value: unknown, side: Side, dialect: Dialect): Where | undefined {
  if (!key || value === null || key.field.type === 'Boolean') return undefined
  if (isNullable(key) && !nullsFirst(key, side, dialect)) return undefined
  return at(key, { [isAscending(key, side) ? 'gte' : 'lte']: value })
}

function ownFields(keys: readonly SortKey[]): Readonly<Record<string, Field>> {
  return Object.fromEntries(keys.map(({ name, field }) => [name, field]))
}

function ownNames(keys: readonly SortKey[]): readonly string[] {
  return keys.flatMap(({ path, name }) => (path.length === 0 ? [name] : []))
}

type Side = 'after' | 'before'

/** Rows whose key stands further on one side than a value does; undefined where none can. */
function furtherThan(key: SortKey, value: unknown, side: Side, dialect: Dialect): Where | undefined {
  if (value === null) return nullsFirst(key, side, dialect) ? isPresent(key) : undefined
  const further = furtherValue(key, value, side)
  if (!isNullable(key) || nullsFirst(key, side, dialect)) return further
  const missing = isMissing(key)
  return further ? any([further, ...missing]) : any(missing)
}

function furtherValue(key: SortKey, value: unknown, side: Side): Where | undefined {
  const ascending = isAscending(key, side)
  // False comes before true, and the client compares them for equality only.
  if (key.field.type === 'Boolean') return value === ascending ? undefined : at(key, ascending)
  return at(key, { [ascending ? 'gt' : 'lt']: value })
}

function equal(key: SortKey, value: unknown): Where {
  return value === null ? any(isMissing(key)) : at(key, value)
}

function isAscending({ descending }: SortKey, side: Side): boolean {
  return descending === (side === 'before')
}

/** Whether rows without a value come first on the way from a place to one side: Postgres takes null for the largest value, others for the smallest. */
function nullsFirst(key: SortKey, side: Side, { provider }: Dialect): boolean {
  return isAscending(key, side) !== (provider === 'postgresql')
}

/** A condition on the field of a key. */
function at({ path, name }: SortKey, condition: unknown): Where {
  return path.reduceRight<Where>((below, step) => ({ [step.name]: { is: below } }), { [name]: condition })
}

/** The ways in which a key can be null: one for the field, and one for each relation that may lead nowhere. */
function isMissing(key: SortKey): Where[] {
  const relations = key.path.flatMap(({ name, optional }, index) => {
    return optional ? [at({ ...key, path: key.path.slice(0, index), name }, { is: null })] : []
  })
  return key.field.optional ? [...relations, at(key, null)] : relations
}

function isPresent(key: SortKey): Where {
  if (key.field.optional) return at(key, { not: null })
  const last = key.path.findLastIndex(({ optional }) => optional)
  const name = key.path[last]?.name ?? key.name
  return at({ ...key, path: key.path.slice(0, Math.max(0, last)), name }, { isNot: null })
}

/** What holds where all of some conditions do: in one object, where their members differ, of which the client makes a query sooner than of lists. */
export function mergeWhere(conditions: readonly Where[]): Where {
  const merged = Object.assign({}, ...conditions)
  const count = conditions.reduce((sum, condition) => sum + Object.keys(condition).length, 0)
  return Object.keys(merged).length === count ? merged : { AND: conditions }
}

function any(conditions: readonly Where[]): Where {
  const [only] = conditions
  return only && conditions.length === 1 ? only : { OR: conditions }
}
