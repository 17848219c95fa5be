/** The header that reports the applied preference in a response (RFC 7240). */
const APPLIED = { 'Preference-Applied': 'return=minimal' } as const

/**
 * Whether the caller prefers a minimal response to a write: `Prefer: return=minimal` (RFC 7240, section 4.2). If a preference is repeated,
 * the first one counts.
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

/** Adds the header `Preference-Applied` to a minimal response. */
export function withPreferenceApplied(response: Response): Response {
  for (const [name, value] of Object.entries(APPLIED)) response.headers.set(name, value)
  return response
}
