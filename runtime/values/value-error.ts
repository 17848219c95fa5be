import type { BrokenRule, Field, Rule, RuleIssue } from '../schema/resource.js'

/** An error in a value. */
export interface ValueError {
  /** A phrase that follows the name of the value: `must be an integer`. */
  readonly message: string
  /** The path in the value: list indices and object keys, outermost first. */
  readonly path: readonly (string | number)[]
  /** Whether the message is a full sentence that the schema's author wrote. */
  readonly isCustom?: true
  /** The rule's own message, if the value broke a rule. */
  readonly text?: string
  /** The broken rule. Undefined if the value does not have the field's type. */
  readonly rule?: BrokenRule | undefined
}

/** The descriptions of an error in a response. */
interface ValueErrorTexts {
  /** A sentence that names the value. */
  readonly detail: string
  /** The message for the person who entered the value. Omits the name, because a form shows the message next to the field. */
  readonly message: string
  readonly rule: BrokenRule
}

/** Describes an error of a field's value. If the value is not of the field's type, the rule has the code that zod has for this error. */
export function describeValueError(
  name: string,
  { type, values, uuid }: Pick<Field, 'type' | 'values' | 'uuid'>,
  { message, isCustom, text, rule }: ValueError,
): ValueErrorTexts {
  return {
    detail: isCustom ? message : `${name} ${message}.`,
    message: rule === REQUIRED ? MISSING.message : (text ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`),
    rule:
      rule ?? (values ? { rule: 'invalid_value', values } : { rule: 'invalid_type', expected: uuid ? 'UUID' : type }),
  }
}

/** The code of a required value that is missing or null. */
export const REQUIRED: BrokenRule = { rule: 'required' }

/** The error of a required field without a value. */
export const MISSING = { message: 'Must have a value.', rule: REQUIRED }

/** A placeholder for all messages that the schema's author did not write. */
const DEFAULT = '\0'

/**
 * Converts the issues of a rule to errors. A message that the schema's author wrote is used unchanged. A default message of zod gets the
 * prefix `is invalid:`. zod does not report which kind a message is, so the value is validated again with a placeholder that replaces only
 * default messages.
 * @param rule the field's rule
 * @param value the rejected value
 * @param issues the issues of the first validation
 */
export function toValueErrors(rule: Rule, value: unknown, issues: readonly RuleIssue[]): ValueError[] {
  const revalidated = rule.safeParse(value, { error: () => DEFAULT })
  const placeholderIssues = revalidated.success ? [] : revalidated.error.issues
  return issues.map((issue, index) => {
    const isCustom = placeholderIssues[index] !== undefined && placeholderIssues[index].message === issue.message
    return {
      message: isCustom ? issue.message : `is invalid: ${issue.message}`,
      path: issue.path.map((key) => (typeof key === 'number' ? key : String(key))),
      text: issue.message,
      ...(isCustom && { isCustom: true as const }),
      rule: brokenRule(issue),
    }
  })
}

/** Keys that are omitted from responses, because they contain the value itself or information that the response already contains. */
const OMITTED_KEYS: ReadonlySet<string> = new Set([
  'code',
  'rule',
  'message',
  'path',
  'input',
  'inst',
  'continue',
  'abort',
  'issues',
  'errors',
])

/**
 * Returns the code and parameters of the rule that an issue of zod names. The code defaults to `custom`. Omits the patterns of zod's formats, such as email addresses,
 * because the format identifies them.
 */
export function brokenRule(issue: Omit<RuleIssue, 'path'> & { readonly format?: unknown }): BrokenRule {
  const parameters: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(issue)) {
    if (OMITTED_KEYS.has(name) || (name === 'pattern' && issue.format !== 'regex')) continue
    const parameter = toParameter(value)
    if (parameter !== undefined) parameters[name] = parameter
  }
  return { rule: issue.code ?? 'custom', ...parameters }
}

/** Converts a parameter to a JSON value. */
function toParameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map((element) => toParameter(element) ?? null)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
