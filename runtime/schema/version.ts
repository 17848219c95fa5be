import type { Resource } from './resource.js'

/** The field of a model that tells the revisions of a row apart (`@api.version`). */
export interface Version {
  readonly name: string
  /** Whether it is counted, as an Int is; else it is the time of the last write. */
  readonly isCounted: boolean
  /** Whether every change must say which revision it was made of. */
  readonly isRequired: boolean
}

/** A value of the field. */
export type Revision = number | Date

/** The version of a resource, if it has one. */
export function getVersion({ fields }: Pick<Resource, 'fields'>): Version | undefined {
  for (const [name, { type, version }] of Object.entries(fields)) {
    if (version) return { name, isCounted: type === 'Int', isRequired: version === 'required' }
  }
  return undefined
}

/** A revision as text, as callers are told and tell it: a count, or milliseconds since 1970. */
export function formatRevision(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return value instanceof Date ? String(value.getTime()) : undefined
}

/** The value of the field that a text means. Undefined where no row can have it. */
export function parseRevision({ isCounted }: Version, text: string): Revision | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  if (String(value) !== text) return undefined
  if (isCounted) return Math.abs(value) < 2 ** 31 ? value : undefined
  return value >= 0 && value <= LATEST ? new Date(value) : undefined
}

/** The latest time that Prisma's clients write to all databases: the end of the year 9999. */
const LATEST = 253_402_300_799_999

/** How far another server's clock may be ahead of ours, in milliseconds. */
const AHEAD = 60 * 60 * 1000

/**
 * What a change writes to the version.
 * @param before the revisions that the change may be made of, where it says so: a time must be later than each, even where clocks are not.
 *   One that no clock tells yet is not counted from: callers name what they like, and after the latest time there is no other
 */
export function nextRevision(
  { isCounted }: Version,
  before: readonly unknown[] = [],
): { readonly increment: 1 } | Date {
  if (isCounted) return { increment: 1 }
  const now = Date.now()
  const times = before.map((one) => (one instanceof Date ? one.getTime() : 0)).filter((time) => time < now + AHEAD)
  return new Date(Math.max(now, ...times.map((time) => time + 1)))
}
