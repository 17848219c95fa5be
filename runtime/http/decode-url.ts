/**
 * Decodes a segment of a URL's path.
 * @returns undefined if the segment is not percent-encoded UTF-8
 */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Decodes a name or a value of a URL's query as `application/x-www-form-urlencoded`.
 * @returns undefined if the text is not percent-encoded UTF-8
 */
export function decodeForm(text: string): string | undefined {
  return decodeSegment(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Returns the names and values of a URL's query, in order and still encoded. */
export function queryPairs(url: string): readonly (readonly [name: string, value: string])[] {
  const start = url.indexOf('?')
  if (start < 0) return []
  const end = url.indexOf('#', start)
  const pairs = url.slice(start + 1, end < 0 ? undefined : end).split('&')
  return pairs.flatMap((pair) => {
    if (pair === '') return []
    const equals = pair.indexOf('=')
    return [equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]] as const
  })
}
