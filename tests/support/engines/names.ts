import { randomBytes } from 'node:crypto'

const HOUR = 3_600_000

/** Returns a new name for a database on a shared server. The name contains the time of its creation. */
export function databaseName(): string {
  return `routewright_test_${Date.now()}_${randomBytes(4).toString('hex')}`
}

/** Whether a database is from a test run that must have ended long ago. */
export function isStale(name: string): boolean {
  const createdAt = /^routewright_test_(\d+)_/.exec(name)?.[1]
  return createdAt !== undefined && Number(createdAt) < Date.now() - HOUR
}

/** Returns the quoted names of the tables that a script creates, including their schemas. */
export function tablesIn(sql: string): string[] {
  return [...sql.matchAll(/^CREATE TABLE ((?:["`][^"`]+["`]\.)?["`][^"`]+["`])/gm)].flatMap((match) => match[1] ?? [])
}
