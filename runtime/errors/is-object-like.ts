/** Whether a value is a non-null object, whose properties can be read. */
export function isObjectLike(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
