import type { BrokenRule, Rule, RuleIssue } from '../schema/resource.js'

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
  /** The broken rule, if the value broke one. */
  readonly rule?: BrokenRule
}

/** Formats an error as a sentence. */
export function valueErrorMessage(name: string, { message, isCustom }: ValueError): string {
  return isCustom ? message : `${name} ${message}.`
}

/** Formats an error for the person who entered the value. Omits the field's name, because a form shows the message next to the field. */
export function formMessage({ message, text }: Pick<ValueError, 'message' | 'text'>): string {
  return text ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}

/** The message for a required field without a value. */
export const MISSING_MESSAGE = 'Must have a value.'

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
    const broken = brokenRule(issue)
    return {
      message: isCustom ? issue.message : `is invalid: ${issue.message}`,
      path: issue.path.map((key) => (typeof key === 'number' ? key : String(key))),
      text: issue.message,
      ...(isCustom && { isCustom: true as const }),
      ...(broken && { rule: broken }),
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
 * Returns the code and parameters of the rule that an issue of zod names. Omits the patterns of zod's formats, such as email addresses,
 * because the format identifies them.
 */
export function brokenRule(issue: Omit<RuleIssue, 'path'> & { readonly format?: unknown }): BrokenRule | undefined {
  if (issue.code === undefined) return undefined
  const parameters: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(issue)) {
    if (OMITTED_KEYS.has(name) || (name === 'pattern' && issue.format !== 'regex')) continue
    const parameter = toParameter(value)
    if (parameter !== undefined) parameters[name] = parameter
  }
  return { rule: issue.code, ...parameters }
}

/** Converts a parameter to a JSON value. */
function toParameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map((element) => toParameter(element) ?? null)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
