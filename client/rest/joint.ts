/** What joins conditions, which only an expression can say. */
export const JOINT = /^(AND|OR|NOT)$/

/** Whether an entry of a filter has to be an expression. */
export function needsExpression([name, value]: readonly [string, unknown]): boolean {
  if (JOINT.test(name)) return true
  return typeof value === 'object' && !Array.isArray(value) && Object.entries(value ?? {}).some(needsExpression)
}
