/** What only an expression can say: what joins conditions, and another field to compare with. */
export const COMBINATORS = /^(AND|OR|NOT|\$field)$/

/** Whether an entry of a filter has to be an expression. */
export function needsExpression([name, value]: readonly [string, unknown]): boolean {
  if (COMBINATORS.test(name)) return true
  return typeof value === 'object' && !Array.isArray(value) && Object.entries(value ?? {}).some(needsExpression)
}
