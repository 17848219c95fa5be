/** Adds the header that reports the applied preference to a minimal response (RFC 7240). */
export function withPreferenceApplied(response: Response): Response {
  response.headers.set('Preference-Applied', 'return=minimal')
  return response
}
