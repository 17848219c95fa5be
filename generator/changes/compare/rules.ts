import { parseAnnotations } from '../../model/annotations/read-annotations.js'
import { buildChain } from '../../model/annotations/foreign-zod.js'
import type { ChainCall } from '../../model/annotations/parse-chain.js'
import type { FieldSpec } from '../../model/api-model.js'

/** How a rule differs from an earlier one. */
export interface RuleChange {
  /** It may refuse what was taken. */
  readonly stricter: boolean
  /** It may take what was refused. */
  readonly looser: boolean
  /** It stores another value for the same one. */
  readonly stores: boolean
}

/** A number that values may reach from one side. */
interface Bound {
  readonly value: number | bigint
  readonly isOpen: boolean
}

/** What a chain of checks lets through, as far as that can be compared. */
interface Range {
  readonly lower: Bound | undefined
  readonly upper: Bound | undefined
  /** Checks of other kinds, each in one spelling. */
  readonly others: ReadonlySet<string>
  /** What changes values before they are stored, in order. */
  readonly transforms: readonly string[]
}

const TRANSFORMS = /^(?:trim|toLowerCase|toUpperCase|normalize|slugify)$/

/** Compares the rules that two comments give a field. Two that cannot be compared are taken for stricter and looser. */
export function compareRules(
  before: { readonly field: FieldSpec; readonly comment: string | undefined },
  after: { readonly field: FieldSpec; readonly comment: string | undefined },
): RuleChange {
  const [was, is] = [rangeOf(before), rangeOf(after)]
  const transforms = was.transforms.join() !== is.transforms.join()
  const checks = isBounded(is) || isBounded(was)
  return {
    stricter: !implies(was, is) || (transforms && checks),
    looser: !implies(is, was) || (transforms && checks),
    stores: transforms,
  }
}

function rangeOf({ field, comment }: { readonly field: FieldSpec; readonly comment: string | undefined }): Range {
  if (field.rule === undefined) return { lower: undefined, upper: undefined, others: new Set(), transforms: [] }
  const { chains } = parseAnnotations(comment, 'field', () => {})
  let [lower, upper]: [Bound | undefined, Bound | undefined] = [undefined, undefined]
  const others = new Set<string>()
  const transforms: string[] = []
  for (const call of buildChain(chains, field, () => {})) {
    const bounds = boundsOf(call)
    if (TRANSFORMS.test(call.name)) transforms.push(spelled(call))
    else if (bounds === undefined) others.add(spelled(call))
    else {
      if (bounds.lower && isInside(bounds.lower, lower, 1)) lower = bounds.lower
      if (bounds.upper && isInside(bounds.upper, upper, -1)) upper = bounds.upper
    }
  }
  return { lower, upper, others, transforms }
}

function isBounded({ lower, upper, others }: Range): boolean {
  return lower !== undefined || upper !== undefined || others.size > 0
}

/** Whether what one range lets through is let through by another one too. */
function implies(one: Range, other: Range): boolean {
  return (
    [...other.others].every((check) => one.others.has(check)) &&
    (other.lower === undefined || (one.lower !== undefined && !isInside(other.lower, one.lower, 1))) &&
    (other.upper === undefined || (one.upper !== undefined && !isInside(other.upper, one.upper, -1)))
  )
}

/** Whether a bound lets through less than another one. */
function isInside(bound: Bound, other: Bound | undefined, direction: 1 | -1): boolean {
  if (other === undefined) return true
  if (bound.value === other.value) return bound.isOpen && !other.isOpen
  return direction === 1 ? bound.value > other.value : bound.value < other.value
}

function boundsOf({ name, args }: ChainCall): { readonly lower?: Bound; readonly upper?: Bound } | undefined {
  const given = args[0]?.value
  const value = given instanceof Date ? given.getTime() : given
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

/** Checks whose first text is what they look for; of others it is a message. */
const SEARCHES = /^(?:includes|startsWith|endsWith|hash|stringFormat|normalize)$/

/** A check in one spelling, without its messages. */
function spelled({ name, args }: ChainCall): string {
  const kept = args.flatMap(({ value, source }, at) => {
    if (typeof value === 'string') return at === 0 && SEARCHES.test(name) ? [source] : []
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RegExp) return [source]
    if (value instanceof Date) return [source]
    const said = Object.entries(value).filter(([key]) => !/^(?:message|error|abort)$/.test(key))
    return said.length === 0 ? [] : [said.map(([key, each]) => `${key}: ${String(each)}`).join()]
  })
  return `${name}(${kept.join()})`
}
