/**
 * Whether a text is longer than so many bytes of UTF-8. Most texts are so short or so long that no character has to be looked at.
 */
export function exceedsByteLength(bytes: number, text: string): boolean {
  if (text.length > bytes) return true
  if (text.length * 3 <= bytes) return false
  let left = bytes
  for (let at = 0; at < text.length && left >= 0; at++) {
    const unit = text.charCodeAt(at)
    // Each half of a pair counts two of its four.
    left -= unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return left < 0
}
