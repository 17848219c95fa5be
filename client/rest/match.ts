import type { UpsertMatch } from './body.js'

/** Builds the `meta` of an upsert request. */
export function buildMatch(match: string | readonly string[]): UpsertMatch {
  return { operation: 'upsert', matchFields: typeof match === 'string' ? [match] : match }
}
