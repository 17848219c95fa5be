/**
 * Vouches that a client, or arguments that were checked against the resource, are what the emitted code expects. The client's
 * types are known there only; this is the one place where the runtime says so without the compiler.
 */
export function erase(value: unknown): never {
  return value as never
}
