import type { BrokenRule, Rule, RuleIssue } from '../schema/resource.js'
import type { ValueError } from './from-json.js'

/** Stands for every message that is not the author's own. */
const DEFAULT = '\0'

/**
 * What a rule found wrong with a value. A message that the schema's author has written stands as it is; zod's own begins with
 * what it is about. Which is which, zod does not tell: asked again for other words, it gives them in place of its own only.
 * @param rule the field's rule
 * @param value what it does not accept
 * @param issues what it said
 */
export function validateRule(rule: Rule, value: unknown, issues: readonly RuleIssue[]): ValueError[] {
  const again = rule.safeParse(value, { error: () => DEFAULT })
  const others = again.success ? [] : again.error.issues
  return issues.map((issue, index) => {
    const isOwn = others[index] !== undefined && others[index].message === issue.message
    const broken = brokenRule(issue)
    return {
      message: isOwn ? issue.message : `is not acceptable: ${issue.message}`,
      path: issue.path.map((key) => (typeof key === 'number' ? key : String(key))),
      text: issue.message,
      ...(isOwn && { own: true as const }),
      ...(broken && { rule: broken }),
    }
  })
}

/** What answers leave out: what is said elsewhere, and the value itself. */
const SAID: ReadonlySet<string> = new Set([
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

/** Zod's own patterns, as that of an e-mail address, say nothing that the format does not. */
function brokenRule(issue: RuleIssue & { readonly format?: unknown }): BrokenRule | undefined {
  if (issue.code === undefined) return undefined
  const parameters: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(issue)) {
    if (SAID.has(name) || (name === 'pattern' && issue.format !== 'regex')) continue
    const parameter = parameterOf(value)
    if (parameter !== undefined) parameters[name] = parameter
  }
  return { rule: issue.code, ...parameters }
}

/** A parameter as JSON can say it. */
function parameterOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map((element) => parameterOf(element) ?? null)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
