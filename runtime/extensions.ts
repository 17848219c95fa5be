/**
 * Whether something may stand between a client's callers and its database: an access policy, or another extension (`$extends`).
 * Prisma has no documented member that tells; where a client does not have this one, the answer is yes, which is never wrong,
 * only slower.
 */
export function mayBeExtended(orm: unknown): boolean {
  const extensions = memberOf(orm, '_extensions')
  const isEmpty = memberOf(extensions, 'isEmpty')
  return typeof isEmpty !== 'function' || Reflect.apply(isEmpty, extensions, []) !== true
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
