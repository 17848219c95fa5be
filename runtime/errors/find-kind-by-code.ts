import type { DatabaseErrorKind } from './database-error-kind.js'

/** Maps error codes to kinds. The first pattern that matches applies. */
export type CodeTable = readonly (readonly [code: RegExp, kind: DatabaseErrorKind])[]

/** Returns the kind of the first entry that matches one of the codes. */
export function findKindByCode(table: CodeTable, codes: readonly string[]): DatabaseErrorKind | undefined {
  return table.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1]
}
