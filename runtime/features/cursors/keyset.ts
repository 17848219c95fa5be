import { whereNoRows } from '../../prisma/keys.js'
import type { Dialect } from '../../prisma/dialect.js'
import type { Field } from '../../schema/resource.js'
import { isNullable, type SortKey, unsupportedSort } from './sort-keys.js'
import { getEncoding, toBase64 } from '../../values/to-json.js'
import { scalarFromJson } from '../../values/from-json.js'
import { decodeUtf8 } from '../../http/read-body.js'
import { fromBase64 } from '../../values/parse-scalars.js'

type Where = Readonly<Record<string, unknown>>

/** A position in a sorted list: at a row or between two rows. */
export interface KeysetPosition {
  /** The values of the list's sort keys at this position, in order. */
  readonly values: readonly unknown[]
  /** Whether a row exactly at the position is treated as beyond it. */
  readonly inclusive: boolean
}

/**
 * Returns Prisma's `where` for the rows on one side of a position. Unlike with an offset, inserts and deletes do not shift the rows, and an
 * index on the keys finds the first row directly.
 */
export function whereBeyond(
  keys: readonly SortKey[],
  position: KeysetPosition,
  side: 'after' | 'before',
  dialect: Dialect,
): Where {
  const alternatives: Where[] = []
  const equal: Where[] = []
  for (const [index, key] of keys.entries()) {
    const value = position.values[index]
    const further = whereFurther(key, value, side, dialect)
    if (further) alternatives.push(mergeWhere([...equal, further]))
    equal.push(whereEqual(key, value))
  }
  if (position.inclusive) alternatives.push(mergeWhere(equal))
  // If every key has its last possible value, such as `true` for a Boolean, no row can follow.
  const where: Where =
    alternatives.length > 0 ? { OR: alternatives } : whereNoRows(localFieldNames(keys), fieldsByName(keys))
  const bound = keys.length > 1 ? createBound(keys[0], position.values[0], side, dialect) : undefined
  return bound ? mergeWhere([bound, where]) : where
}

/**
 * Returns a bound on the first key that every alternative implies, because databases do not derive it from the alternatives. Returns
 * undefined if the bound would require more than one comparison.
 */
function createBound(key: SortKey | undefined, value: unknown, side: Side, dialect: Dialect): Where | undefined {
  if (!key || value === null || key.field.type === 'Boolean') return undefined
  if (isNullable(key) && !nullsFirst(key, side, dialect)) return undefined
  return whereKey(key, { [isAscending(key, side) ? 'gte' : 'lte']: value })
}

function fieldsByName(keys: readonly SortKey[]): Readonly<Record<string, Field>> {
  return Object.fromEntries(keys.map(({ name, field }) => [name, field]))
}

function localFieldNames(keys: readonly SortKey[]): readonly string[] {
  return keys.flatMap(({ path, name }) => (path.length === 0 ? [name] : []))
}

type Side = 'after' | 'before'

/** Returns the filter for rows whose key lies beyond a value. Undefined if no row can match. */
function whereFurther(key: SortKey, value: unknown, side: Side, dialect: Dialect): Where | undefined {
  if (value === null) return nullsFirst(key, side, dialect) ? isPresent(key) : undefined
  const further = whereFurtherValue(key, value, side)
  if (!isNullable(key) || nullsFirst(key, side, dialect)) return further
  const missing = isMissing(key)
  return further ? whereAny([further, ...missing]) : whereAny(missing)
}

function whereFurtherValue(key: SortKey, value: unknown, side: Side): Where | undefined {
  const ascending = isAscending(key, side)
  // False sorts before true, and Prisma only compares Booleans for equality.
  if (key.field.type === 'Boolean') return value === ascending ? undefined : whereKey(key, ascending)
  return whereKey(key, { [ascending ? 'gt' : 'lt']: value })
}

function whereEqual(key: SortKey, value: unknown): Where {
  return value === null ? whereAny(isMissing(key)) : whereKey(key, value)
}

function isAscending({ descending }: SortKey, side: Side): boolean {
  return descending === (side === 'before')
}

/**
 * Whether rows with a null key come first when reading from a position towards one side. Postgres sorts null as the largest value, other
 * databases as the smallest.
 */
function nullsFirst(key: SortKey, side: Side, { provider }: Dialect): boolean {
  return isAscending(key, side) !== (provider === 'postgresql')
}

/** Returns a filter on the field of a key. */
function whereKey({ path, name }: SortKey, condition: unknown): Where {
  return path.reduceRight<Where>((filter, step) => ({ [step.name]: { is: filter } }), { [name]: condition })
}

/** Returns the conditions under which a key is null: one for the field, and one for each optional relation on its path. */
function isMissing(key: SortKey): Where[] {
  const relations = key.path.flatMap(({ name, optional }, index) => {
    return optional ? [whereKey({ ...key, path: key.path.slice(0, index), name }, { is: null })] : []
  })
  return key.field.optional ? [...relations, whereKey(key, null)] : relations
}

function isPresent(key: SortKey): Where {
  if (key.field.optional) return whereKey(key, { not: null })
  const last = key.path.findLastIndex(({ optional }) => optional)
  const name = key.path[last]?.name ?? key.name
  return whereKey({ ...key, path: key.path.slice(0, Math.max(0, last)), name }, { isNot: null })
}

/** Combines filters with AND. Uses a single object if the filters have different keys, because Prisma compiles it faster than a list. */
export function mergeWhere(conditions: readonly Where[]): Where {
  const merged = Object.assign({}, ...conditions)
  const count = conditions.reduce((sum, condition) => sum + Object.keys(condition).length, 0)
  return Object.keys(merged).length === count ? merged : { AND: conditions }
}

function whereAny(conditions: readonly Where[]): Where {
  const [only] = conditions
  return only && conditions.length === 1 ? only : { OR: conditions }
}

/** Maximum length of a cursor. Leaves room for the rest of the URL within the limits of common servers. */
const MAX_LENGTH = 3000

/**
 * Creates a function that encodes positions as cursors: the values of the sort keys and the fingerprint of the list. Cursors contain only
 * values of the row, and they select only rows that a filter could also select.
 * @param list the fingerprint that identifies the list's sort order and filter
 * @returns a function that throws RequestError 400 if the values are too long for a URL, or if no filter can contain them
 */
export function createCursorEncoder(keys: readonly SortKey[], list: string): (position: KeysetPosition) => string {
  const encodings = keys.map(({ field }) => getEncoding(field))
  return ({ values, inclusive }) => {
    const encode = (value: unknown, index: number) =>
      value === null ? null : (encodings[index]?.encode(value) ?? value)
    // Other programs can store invalid dates, and numbers that no filter can contain.
    const isValid = values.every((value) => typeof value === 'string' || Number.isFinite(Number(value)))
    const cursor = isValid && base64Url(JSON.stringify([list, inclusive ? 1 : 0, ...values.map(encode)]))
    if (!cursor || cursor.length > MAX_LENGTH) throw unsupportedSort('The sort values do not fit in a cursor.')
    return cursor
  }
}

function base64Url(text: string): string {
  // Each row of a page has a cursor. `Buffer` takes a third of the time, but is not available in all runtimes.
  if (typeof Buffer === 'function') return Buffer.from(text).toString('base64url')
  return toBase64(new TextEncoder().encode(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Decodes a cursor.
 * @returns an error message if the cursor is invalid or belongs to a different list
 */
export function decodeCursor(keys: readonly SortKey[], cursor: string, list: string): KeysetPosition | string {
  const parts = parseParts(cursor)
  if (!parts) return 'This is not a valid cursor. Use one from the links or the resources of a page.'
  const [fingerprint, inclusive, ...encoded] = parts
  if (fingerprint !== list || encoded.length !== keys.length || (inclusive !== 0 && inclusive !== 1)) {
    return 'The cursor belongs to a list with a different sort order or filter. Start without a cursor.'
  }
  const values: unknown[] = []
  for (const [index, key] of keys.entries()) {
    const value = encoded[index]
    const parsed = value === null ? undefined : scalarFromJson(key.field, value)
    if (parsed ? !parsed.ok : !isNullable(key))
      return 'This is not a valid cursor. Use one from the links or the resources of a page.'
    values.push(parsed?.ok ? parsed.value : null)
  }
  return { values, inclusive: inclusive === 1 }
}

function parseParts(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined
  try {
    const bytes = fromBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const parts: unknown = JSON.parse(decodeUtf8(bytes))
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}

/** Returns a short hash that identifies a list. If two lists have the same hash, a cursor of one is accepted as a position in the other. */
export function listFingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
