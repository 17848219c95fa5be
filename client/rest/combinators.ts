/** Filter keys that require an expression: logical operators and comparisons with another field. */
export const COMBINATORS = /^(AND|OR|NOT|\$field)$/

/** Whether a filter entry must be sent as an expression. */
export function needsExpression([name, value]: readonly [string, unknown]): boolean {
  if (COMBINATORS.test(name)) return true
  return typeof value === 'object' && !Array.isArray(value) && Object.entries(value ?? {}).some(needsExpression)
}
