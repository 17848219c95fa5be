/** Whether a text is longer than a number of bytes in UTF-8. For most texts, the number of UTF-16 units is sufficient to decide. */
export function exceedsByteLength(bytes: number, text: string): boolean {
  if (text.length > bytes) return true
  if (text.length * 3 <= bytes) return false
  let left = bytes
  for (let index = 0; index < text.length && left >= 0; index++) {
    const unit = text.charCodeAt(index)
    // Each half of a surrogate pair counts two of the pair's four bytes.
    left -= unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return left < 0
}
