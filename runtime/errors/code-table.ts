import type { DatabaseErrorKind } from './database-error.js'

/** What codes mean. The first pattern that matches counts. */
export type CodeTable = readonly (readonly [code: RegExp, kind: DatabaseErrorKind])[]

/** Returns what any of some codes means. */
export function byCode(table: CodeTable, codes: readonly string[]): DatabaseErrorKind | undefined {
  return table.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1]
}
