/**
 * Parses `Retry-After`, given in seconds or as a date.
 * @returns the delay in seconds, or undefined if the header is missing or invalid
 */
export function parseRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get('Retry-After')?.trim()
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
