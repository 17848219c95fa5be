import type { Resource } from './resource.js'

/** The version field of a model (`@api.version`). */
export interface Version {
  readonly name: string
  /** Whether it is an Int that is incremented. Otherwise it is the time of the last write. */
  readonly isNumber: boolean
  /** Whether every change must state the version that it is based on. */
  readonly isRequired: boolean
}

/** A value of the version field. */
export type Revision = number | Date

/** Returns the version field of a resource, or undefined if it has none. */
export function getVersion({ fields }: Pick<Resource, 'fields'>): Version | undefined {
  for (const [name, { type, version }] of Object.entries(fields)) {
    if (version) return { name, isNumber: type === 'Int', isRequired: version === 'required' }
  }
  return undefined
}

/** Formats a version for callers: the value of the counter, or milliseconds since 1970. */
export function formatRevision(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return value instanceof Date ? String(value.getTime()) : undefined
}

/**
 * Parses a version as formatted by {@link formatRevision}.
 * @returns undefined if no row can have it
 */
export function parseRevision({ isNumber }: Version, text: string): Revision | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  if (String(value) !== text) return undefined
  if (isNumber) return Math.abs(value) < 2 ** 31 ? value : undefined
  return value >= 0 && value <= LATEST ? new Date(value) : undefined
}

/** The latest time that Prisma's clients can write to all databases: the end of the year 9999. */
const LATEST = 253_402_300_799_999

/** Maximum difference between the clocks of two servers, in milliseconds. */
const AHEAD = 60 * 60 * 1000

/**
 * Returns the value that a change writes to the version field.
 * @param before the versions that the change may be based on, if known. A new time is later than each of them, even if the servers' clocks
 * differ. Times more than an hour in the future are ignored: callers can send any time, and no valid time is later than the latest one.
 */
export function nextRevision({ isNumber }: Version, before: readonly unknown[] = []): { readonly increment: 1 } | Date {
  if (isNumber) return { increment: 1 }
  const now = Date.now()
  const times = before
    .map((revision) => (revision instanceof Date ? revision.getTime() : 0))
    .filter((time) => time < now + AHEAD)
  return new Date(Math.max(now, ...times.map((time) => time + 1)))
}
