/** The header that reports the applied preference in a response (RFC 7240). */
const APPLIED = { 'Preference-Applied': 'return=minimal' } as const

/** Adds the header `Preference-Applied` to a minimal response. */
export function withPreferenceApplied(response: Response): Response {
  for (const [name, value] of Object.entries(APPLIED)) response.headers.set(name, value)
  return response
}
