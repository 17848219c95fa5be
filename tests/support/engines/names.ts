import { randomBytes } from 'node:crypto'

const HOUR = 3_600_000

/** A new name for a database on a server that others may use at the same time. Tells when it was made. */
export function databaseName(): string {
  return `routewright_test_${Date.now()}_${randomBytes(4).toString('hex')}`
}

/** Whether a database was made by a run of these tests that must have ended long ago. */
export function isStale(name: string): boolean {
  const createdAt = /^routewright_test_(\d+)_/.exec(name)?.[1]
  return createdAt !== undefined && Number(createdAt) < Date.now() - HOUR
}

/** The quoted names of the tables that a script makes, schemas included. */
export function tablesIn(sql: string): string[] {
  return [...sql.matchAll(/^CREATE TABLE ((?:["`][^"`]+["`]\.)?["`][^"`]+["`])/gm)].flatMap((match) => match[1] ?? [])
}
