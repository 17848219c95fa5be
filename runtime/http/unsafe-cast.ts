/**
 * Casts a client, or arguments that were checked against the resource, to the types of the emitted code. This is the only cast of the
 * runtime that the compiler cannot check.
 */
export function unsafeCast(value: unknown): never {
  return value as never
}
