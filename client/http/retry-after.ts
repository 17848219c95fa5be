/** After how many seconds a server asks to try again: `Retry-After` in seconds, or as a date. Undefined where it does not ask. */
export function parseRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get('Retry-After')?.trim()
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
