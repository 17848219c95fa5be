import type { UpsertMatch } from './body.js'

/** How an upsert finds what it updates, as a body says it. */
export function buildMatch(match: string | readonly string[]): UpsertMatch {
  return { operation: 'upsert', matchFields: typeof match === 'string' ? [match] : match }
}
