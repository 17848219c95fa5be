import { parseAnnotations } from '../../model/annotations/read-annotations.js'
import { buildChain } from '../../model/annotations/foreign-zod.js'
import type { ChainCall } from '../../model/annotations/parse-chain.js'
import type { FieldSpec } from '../../model/api-model.js'

/** The differences between two versions of a rule. */
export interface RuleChange {
  /** Whether it may reject values that were accepted before. */
  readonly stricter: boolean
  /** Whether it may accept values that were rejected before. */
  readonly looser: boolean
  /** Whether it stores a different value for the same input. */
  readonly changesStoredValue: boolean
}

/** A lower or upper bound. If `isOpen` is true, the value itself is excluded. */
interface Bound {
  readonly value: number | bigint
  readonly isOpen: boolean
}

/** The values that a chain of checks accepts, if they can be compared. */
interface Range {
  readonly lower: Bound | undefined
  readonly upper: Bound | undefined
  /** Other checks, in normalized form. */
  readonly checks: ReadonlySet<string>
  /** The calls that change values before they are stored, in order. */
  readonly transforms: readonly string[]
}

const TRANSFORMS = /^(?:trim|toLowerCase|toUpperCase|normalize|slugify)$/

/** A field, and its comment in the schema. */
interface RuledField {
  readonly field: FieldSpec
  readonly comment: string | undefined
}

/** Compares the rules of two versions of a field. Rules that cannot be compared count as both stricter and looser. */
export function compareRules(before: RuledField, after: RuledField): RuleChange {
  const [oldRange, newRange] = [parseRange(before), parseRange(after)]
  const transforms = oldRange.transforms.join() !== newRange.transforms.join()
  const checks = isBounded(newRange) || isBounded(oldRange)
  return {
    stricter: !implies(oldRange, newRange) || (transforms && checks),
    looser: !implies(newRange, oldRange) || (transforms && checks),
    changesStoredValue: transforms,
  }
}

/**
 * Whether the rule of a field rejects all values that do not fit in a column.
 * @param size the maximum number of characters or, for a Decimal, of digits before the decimal point
 */
export function isBoundedBy(size: number, field: FieldSpec, comment: string | undefined): boolean {
  const { type, list } = field
  const { lower, upper, transforms } = parseRange({ field, comment })
  // Transforms can lengthen a value after it is checked.
  if (list || transforms.length > 0 || upper === undefined) return false
  if (type === 'String') return upper.value <= size
  // The database rounds the digits after the decimal point, possibly to the next integer.
  const maximum = 10 ** size - 1
  return type === 'Decimal' && lower !== undefined && lower.value >= -maximum && upper.value <= maximum
}

function parseRange({ field, comment }: RuledField): Range {
  if (field.rule === undefined) return { lower: undefined, upper: undefined, checks: new Set(), transforms: [] }
  const { chains } = parseAnnotations(comment, 'field', () => {})
  let [lower, upper]: [Bound | undefined, Bound | undefined] = [undefined, undefined]
  const others = new Set<string>()
  const transforms: string[] = []
  for (const call of buildChain(chains, field, () => {})) {
    const bounds = toBounds(call)
    if (TRANSFORMS.test(call.name)) transforms.push(normalizeCheck(call))
    else if (bounds === undefined) others.add(normalizeCheck(call))
    else {
      if (bounds.lower && isStricter(bounds.lower, lower, 1)) lower = bounds.lower
      if (bounds.upper && isStricter(bounds.upper, upper, -1)) upper = bounds.upper
    }
  }
  return { lower, upper, checks: others, transforms }
}

function isBounded({ lower, upper, checks }: Range): boolean {
  return lower !== undefined || upper !== undefined || checks.size > 0
}

/** Whether the superset accepts all values that the subset accepts. */
function implies(subset: Range, superset: Range): boolean {
  return (
    [...superset.checks].every((check) => subset.checks.has(check)) &&
    (superset.lower === undefined || (subset.lower !== undefined && !isStricter(superset.lower, subset.lower, 1))) &&
    (superset.upper === undefined || (subset.upper !== undefined && !isStricter(superset.upper, subset.upper, -1)))
  )
}

/** Whether a bound is stricter than the reference. */
function isStricter(bound: Bound, reference: Bound | undefined, direction: 1 | -1): boolean {
  if (reference === undefined) return true
  if (bound.value === reference.value) return bound.isOpen && !reference.isOpen
  return direction === 1 ? bound.value > reference.value : bound.value < reference.value
}

function toBounds({ name, args }: ChainCall): { readonly lower?: Bound; readonly upper?: Bound } | undefined {
  const argument = args[0]?.value
  const value = argument instanceof Date ? argument.getTime() : argument
  const number = typeof value === 'number' || typeof value === 'bigint' ? value : undefined
  const closed = number === undefined ? undefined : { value: number, isOpen: false }
  const open = number === undefined ? undefined : { value: number, isOpen: true }
  switch (name) {
    case 'min':
    case 'gte':
      return closed && { lower: closed }
    case 'max':
    case 'lte':
      return closed && { upper: closed }
    case 'gt':
      return open && { lower: open }
    case 'lt':
      return open && { upper: open }
    case 'length':
      return closed && { lower: closed, upper: closed }
    case 'nonempty':
      return { lower: { value: 1, isOpen: false } }
    case 'positive':
      return { lower: { value: 0, isOpen: true } }
    case 'nonnegative':
      return { lower: { value: 0, isOpen: false } }
    case 'negative':
      return { upper: { value: 0, isOpen: true } }
    case 'nonpositive':
      return { upper: { value: 0, isOpen: false } }
    default:
      return undefined
  }
}

/** Checks whose first string argument is a parameter. In other checks, it is the error message. */
const SEARCHES = /^(?:includes|startsWith|endsWith|hash|stringFormat|normalize)$/

/** Normalizes a check and removes its error messages. */
function normalizeCheck({ name, args }: ChainCall): string {
  const parts = args.flatMap(({ value, source }, index) => {
    if (typeof value === 'string') return index === 0 && SEARCHES.test(name) ? [source] : []
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RegExp) return [source]
    if (value instanceof Date) return [source]
    const entries = Object.entries(value).filter(([key]) => !/^(?:message|error|abort)$/.test(key))
    return entries.length === 0 ? [] : [entries.map(([key, each]) => `${key}: ${String(each)}`).join()]
  })
  return `${name}(${parts.join()})`
}
