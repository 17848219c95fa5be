/** Returns a Prisma `select` or `omit` with the given fields. */
export function selectFields(names: Iterable<string>): Record<string, true> {
  return Object.fromEntries(Array.from(names, (name) => [name, true] as const))
}
