import type { RawMatch } from './body.js'

/** How an upsert finds what it updates, as a body says it. */
export function matchOf(match: string | readonly string[]): RawMatch {
  return { operation: 'upsert', matchFields: typeof match === 'string' ? [match] : match }
}
