import type { ErrorDetail } from '../request-error.js'

/**
 * Returns the reason if an access policy denied a call, or undefined for other errors. Policies of the runtime and of client extensions use
 * Prisma's code for a violated constraint, with the reason in `meta`.
 */
export function policyDenial(error: unknown): { readonly reason: unknown } | undefined {
  const meta = prismaMeta(error)
  return prismaCode(error) === 'P2004' && 'reason' in meta ? { reason: meta['reason'] } : undefined
}

/** Whether an error comes from the client or from a driver adapter. */
export function isPrismaError(error: unknown): boolean {
  return error instanceof Error && (/^Prisma|^DriverAdapterError$/.test(error.name) || prismaCode(error) !== undefined)
}

/** Returns the response members that identify the client as the source of an error (contract 7.4). */
export function ormErrorMembers(error: unknown): Pick<ErrorDetail, 'orm' | 'ormCode'> {
  const ormCode = prismaCode(error)
  if (ormCode === undefined) return isPrismaError(error) ? { orm: true } : {}
  return { orm: true, ormCode }
}

/** Returns the code of a Prisma error, such as `P2002`. */
export function prismaCode(error: unknown): string | undefined {
  const code = isObjectLike(error) ? error['code'] : undefined
  return typeof code === 'string' && /^P\d{4}$/.test(code) ? code : undefined
}

/** Returns the `meta` of a Prisma error, or an empty object. */
export function prismaMeta(error: unknown): Readonly<Record<string, unknown>> {
  return isObjectLike(error) && isObjectLike(error['meta']) ? error['meta'] : {}
}

/** Whether a value is a non-null object, whose properties can be read. */
export function isObjectLike(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
