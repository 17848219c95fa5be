/**
 * Checks that the result of a hook is not a promise, and returns the result.
 * @throws Error if it is a promise
 */
export function assertSync<R>(hookName: string, result: R): R {
  if (!(result instanceof Promise)) return result
  // Prevents an unhandled rejection. Only the error below is reported.
  result.catch(() => {})
  throw new Error(`The hook ${hookName} must not return a promise. Load the data it needs in "context".`)
}
