/** What an answer says of the preference that was kept (RFC 7240). */
const APPLIED = { 'Preference-Applied': 'return=minimal' } as const

/**
 * Whether a write is to be answered with no more than needed: `Prefer: return=minimal` (RFC 7240, section 4.2). Of several preferences about
 * one thing the first counts.
 * @param header the `Prefer` header
 */
export function prefersMinimal(header: string | undefined | null): boolean {
  if (header === undefined || header === null) return false
  const returns = header
    .split(',')
    .map((preference) => /^\s*return\s*=\s*"?([\w-]*)"?\s*(?:;|$)/i.exec(preference)?.[1]?.toLowerCase())
    .find((value) => value !== undefined)
  return returns === 'minimal'
}

/** Says of an answer that it is minimal because that was preferred. */
export function withPreferenceApplied(response: Response): Response {
  for (const [name, value] of Object.entries(APPLIED)) response.headers.set(name, value)
  return response
}
