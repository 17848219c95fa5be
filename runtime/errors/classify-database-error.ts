import { type DriverError, findDriverError } from './driver-error.js'
import { isPrismaError } from './prisma-error.js'
import { kindFromPrismaCode, kindFromPrismaClass } from './kind-from-prisma-error.js'
import { kindFromDriverError } from './kind-from-driver-error.js'
import { type DatabaseErrorKind, isOutage } from './database-error-kind.js'

/**
 * Determines the kind of a client or database error.
 * @param error any thrown value
 * @param cause the driver error, if the caller already has it
 * @returns undefined if no kind applies, or if the error is not related to the request
 */
export function classifyDatabaseError(
  error: unknown,
  cause: DriverError = findDriverError(error),
): DatabaseErrorKind | undefined {
  const sqlKind = kindFromDriverError(cause)
  if (sqlKind === 'denied' || sqlKind === 'missing-privilege') return sqlKind
  // SQLite's adapters report an error raised by a trigger as a violated foreign key.
  if (sqlKind === 'check-violation' && isPrismaError(error)) return sqlKind
  const prismaKind = kindFromPrismaCode(error, cause)
  if (prismaKind && !isOutage(prismaKind)) return prismaKind
  // An error thrown by the app may contain the same codes and messages. Only those of a lost connection are unambiguous.
  if (sqlKind && !isOutage(sqlKind) && isPrismaError(error)) return sqlKind
  if (sqlKind === 'interrupted') return sqlKind
  return kindFromPrismaClass(error) ?? prismaKind ?? (sqlKind === 'unavailable' ? sqlKind : undefined)
}
