/** What joins conditions, which only an expression can say. */
export const JOINT = /^(AND|OR|NOT)$/

/** Whether an entry of a filter has to be an expression. */
export function needsExpression([name, value]: readonly [string, unknown]): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return JOINT.test(name) || (isObject && Object.entries(value).some(needsExpression))
}
