import type { ErrorDetail } from '../errors/request-error.js'
import { brokenRule } from '../values/value-error.js'

/** An issue that a schema of any library reports. Its members beyond `message` and `path` depend on the library. */
export interface ValidationIssue {
  readonly message: string
  /** The path in the value, outermost first. */
  readonly path?: readonly PathPart[] | undefined
  /** The code of the violated rule, in issues of zod, ArkType and the emitted `input.ts`. */
  readonly code?: string
  /** The code of the violated rule, in issues of valibot. */
  readonly type?: string
  /** The parameters of the rule, in issues of `input.ts` and custom issues of zod. In other issues of zod, they are further properties. */
  readonly params?: Readonly<Record<string, unknown>>
  /** The names of unknown properties, in issues of zod. */
  readonly keys?: readonly PropertyKey[]
  /** The expected value, in issues of valibot (`>=3`) and ArkType (`at least length 3`). */
  readonly expected?: string | null
  /** The parameter of the rule, in issues of valibot. */
  readonly requirement?: unknown
  /** The message without the path, in issues of ArkType. */
  readonly problem?: string
}

type PathPart = PropertyKey | { readonly key: PropertyKey }

/** The parts of an issue that an error contains. */
interface DescribedIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly rule: ErrorDetail['rule']
}

/**
 * Describes an issue in the same way for all libraries.
 * @param vendor the library that reported it
 */
export function describeIssue(issue: ValidationIssue, vendor: string): DescribedIssue {
  const message = vendor === 'arktype' ? toArkTypeMessage(issue) : issue.message
  return { path: getPath(issue, vendor), message, rule: findRule(issue, vendor) }
}

/** The maximum number of characters of a path, because each error contains several copies of its path. */
const MAX_PATH_LENGTH = 500

/**
 * Returns the path of an issue. For unknown properties, zod reports the path of their object, so the first unknown key is appended. The end of
 * a long path is omitted, because callers choose the keys of records.
 */
function getPath({ path = [], code, keys = [] }: ValidationIssue, vendor: string): readonly (string | number)[] {
  const isUnknownKey = vendor === 'zod' && code === 'unrecognized_keys'
  const shortPath: (string | number)[] = []
  let length = 0
  for (const part of isUnknownKey ? [...path, ...keys.slice(0, 1)] : path) {
    const key = toJsonKey(part)
    length += String(key).length + 1
    if (length > MAX_PATH_LENGTH) break
    shortPath.push(key)
  }
  return shortPath
}

/** Converts a part of a path to a key or index that JSON can represent. */
function toJsonKey(part: PathPart): string | number {
  const key = typeof part === 'object' ? part.key : part
  return typeof key === 'symbol' ? String(key) : key
}

/** Returns the rule that an issue names. Other libraries use `code` for different values. */
function findRule(issue: ValidationIssue, vendor: string): ErrorDetail['rule'] {
  const { code, params, message } = issue
  // Only the `params` of custom issues are meant for callers. `reason` and `fields` have other meanings in responses.
  const custom = { ...params, reason: undefined, fields: undefined, code, message }
  if (vendor === 'zod') return brokenRule(code === 'custom' ? custom : issue)
  const { type, expected, requirement } = issue
  const valibotIssue = { code: type, message, expected, requirement }
  if (vendor === 'valibot') return brokenRule(valibotIssue)
  const arkTypeIssue = { code, message, expected: describeExpected(issue) }
  if (vendor === 'arktype') return brokenRule(arkTypeIssue)
  return vendor === 'routewright' && code !== undefined ? { rule: code, ...params } : undefined
}

/**
 * Returns the message of an issue of ArkType without its path, which the error contains separately, and without the rejected value, which may
 * be a secret. A custom `message` is used unchanged, and a custom `problem` is capitalized.
 */
function toArkTypeMessage(issue: ValidationIssue): string {
  const { message, path = [], problem, expected } = issue
  if (problem === undefined || !message.endsWith(problem)) return message
  const prefix = `${path.map(toJsonKey).join('.')} `
  const text = problem.startsWith(prefix) ? problem.slice(prefix.length) : problem
  const isGenerated = text.startsWith(`must be ${expected}`) || text.includes('must be...')
  // A value can contain any text, so everything after the first value is omitted.
  const sentence = isGenerated ? `must be ${describeExpected(issue)}` : text.replace(/ \(was [\s\S]*\)$/, '')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/**
 * Returns the expected value of an issue of ArkType as one line.
 * @returns undefined for a union, because ArkType describes it as a sentence
 */
function describeExpected({ code, expected }: ValidationIssue): string | undefined {
  if (code === 'union') return undefined
  return expected
    ?.split('\n')
    .map((line) => line.replace(/^\s*◦\s*/, ''))
    .join(' and ')
}
