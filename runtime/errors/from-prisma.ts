import { type DriverError, isObjectLike, prismaMeta } from './driver-error.js'
import { byCode, type CodeTable } from './code-table.js'
import type { DatabaseErrorKind } from './database-error.js'
import type { ErrorDetail } from './request-error.js'

/** What Prisma's codes mean. The codes that are not here are the server's own failures. */
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

/** What an error of Prisma's without a code means, by its class. */
const CLASSES: CodeTable = [
  [/^PrismaClient(Validation|UnknownRequest)Error$/, 'bad-arguments'],
  [/^PrismaClientInitializationError$/, 'unavailable'],
]

/**
 * What an error means by Prisma's own code, whoever throws it: the client, an extension, or our policies.
 * @param cause what the database said of it
 * @returns undefined where it has none, or one that says nothing about the request
 */
export function kindFromPrismaCode(error: unknown, cause: DriverError): DatabaseErrorKind | undefined {
  const code = prismaCode(error)
  if (code === undefined) return undefined
  const denial = policyDenial(error)
  if (denial) return denial.reason === 'DATA_VALIDATION_VIOLATION' ? 'rule-violation' : 'denied'
  if (code === 'P2022') return isMisplacedAlias(cause) ? 'bad-arguments' : undefined
  // No transaction could be begun, or one ran out of its time.
  if (code === 'P2028' && cause.message.includes('expired transaction')) return 'transaction-timeout'
  return byCode(CODES, [code])
}

/**
 * Whether a column is unknown because of the SQL that Prisma 7.10 writes for MySQL: in writes, a filter on related rows can name the table
 * instead of its alias. A column that is really missing causes the same error only if a condition names it: reads name it first among
 * the selected columns.
 */
function isMisplacedAlias({ codes, message }: DriverError): boolean {
  return codes.includes('1054') && /^Unknown column '\w+\.\w+' in '?where/im.test(message)
}

/** What an error means by Prisma's class of it: only to be asked where neither a code nor the database tells more. */
export function kindFromPrismaClass(error: unknown): DatabaseErrorKind | undefined {
  return error instanceof Error ? byCode(CLASSES, [error.name]) : undefined
}

/** What an access policy of a client extension says, our own among them: the code of a constraint, with a reason. */
export function policyDenial(error: unknown): { readonly reason: unknown } | undefined {
  const meta = prismaMeta(error)
  return prismaCode(error) === 'P2004' && 'reason' in meta ? { reason: meta['reason'] } : undefined
}

/** Whether an error comes from the client, or through it. */
export function isPrismaError(error: unknown): boolean {
  return error instanceof Error && (/^Prisma|^DriverAdapterError$/.test(error.name) || prismaCode(error) !== undefined)
}

/** What an answer says of the client that the fault comes from (contract 7.4). */
export function ormErrorMembers(error: unknown): Pick<ErrorDetail, 'orm' | 'ormCode'> {
  const ormCode = prismaCode(error)
  if (ormCode === undefined) return isPrismaError(error) ? { orm: true } : {}
  return { orm: true, ormCode }
}

function prismaCode(error: unknown): string | undefined {
  const code = isObjectLike(error) ? error['code'] : undefined
  return typeof code === 'string' && /^P\d{4}$/.test(code) ? code : undefined
}
