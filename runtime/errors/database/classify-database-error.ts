import { type DatabaseErrorKind, isOutage, findKindByCode, type CodeTable } from './database-error-kind.js'
import { type DriverError, findDriverError } from './driver-error.js'
import { kindFromDriverError } from './kind-from-driver-error.js'
import { isPrismaError, policyDenial, prismaCode } from './prisma-error.js'

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

/** Kinds by Prisma's error code. Other codes are server errors. */
const CODES: CodeTable = [
  [/^P(10(0[01238]|1[01])|2024|2028|2037)$/, 'unavailable'],
  [/^P1017$/, 'interrupted'],
  [/^P2000$/, 'value-too-long'],
  [/^P20(01|15|18|25)$/, 'not-found'],
  [/^P2002$/, 'unique-violation'],
  [/^P2003$/, 'foreign-key-violation'],
  [/^P2004$/, 'check-violation'],
  [/^P200[567]$/, 'value-unfit'],
  [/^P201[12]$/, 'not-null-violation'],
  [/^P2013$/, 'missing-argument'],
  [/^P2014$/, 'required-relation-violation'],
  [/^P2017$/, 'not-related'],
  [/^P2019$/, 'bad-arguments'],
  [/^P20(20|33)$/, 'value-out-of-range'],
  [/^P2029$/, 'too-many-values'],
  [/^P2030$/, 'no-full-text-index'],
  [/^P2034$/, 'write-conflict'],
]

/** Kinds by class, for Prisma errors without a code. */
const CLASSES: CodeTable = [
  [/^PrismaClient(Validation|UnknownRequest)Error$/, 'bad-arguments'],
  [/^PrismaClientInitializationError$/, 'unavailable'],
]

/**
 * Determines the kind of an error from its Prisma code. The error may come from the client, an extension or the runtime's policies.
 * @returns undefined if the error has no code, or a code that is not related to the request
 */
function kindFromPrismaCode(error: unknown, cause: DriverError): DatabaseErrorKind | undefined {
  const code = prismaCode(error)
  if (code === undefined) return undefined
  const denial = policyDenial(error)
  if (denial) return denial.reason === 'DATA_VALIDATION_VIOLATION' ? 'rule-violation' : 'denied'
  if (code === 'P2022') return isMisplacedAlias(cause) ? 'bad-arguments' : undefined
  // P2028 covers both a transaction that could not be started and one that exceeded its time limit.
  if (code === 'P2028' && cause.message.includes('expired transaction')) return 'transaction-timeout'
  return findKindByCode(CODES, [code])
}

/**
 * Whether MySQL reports an unknown column because of the SQL that Prisma 7.10 generates: in writes, a filter on related rows can name the
 * table instead of its alias. If a column is really missing, reads fail earlier, on the list of selected columns. Only a condition that
 * names the column causes the same error.
 */
function isMisplacedAlias({ codes, message }: DriverError): boolean {
  return codes.includes('1054') && /^Unknown column '\w+\.\w+' in '?where/im.test(message)
}

/** Determines the kind of an error from its Prisma class. Used only if neither a code nor the driver error is more specific. */
function kindFromPrismaClass(error: unknown): DatabaseErrorKind | undefined {
  return error instanceof Error ? findKindByCode(CLASSES, [error.name]) : undefined
}
