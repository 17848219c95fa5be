/**
 * What a hook gave that cannot be waited for.
 * @param at the hook's name
 * @throws Error where it gave a promise
 */
export function assertSync<R>(at: string, given: R): R {
  if (!(given instanceof Promise)) return given
  // Its failure is not the one that is told.
  given.catch(() => {})
  throw new Error(`The hook ${at} gave a promise: it must give its value at once. Load what it needs in "context".`)
}
