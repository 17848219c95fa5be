/**
 * Decodes a segment of a URL's path.
 * @returns undefined where it is not percent-encoded UTF-8
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
 * Decodes a name or a value of a URL's query, as `application/x-www-form-urlencoded`.
 * @returns undefined where it is not percent-encoded UTF-8
 */
export function decodeForm(text: string): string | undefined {
  return decodeSegment(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
