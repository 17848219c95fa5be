// Some engines limit the number of arguments of a call.
const BYTES_PER_CALL = 0x8000

/** Encodes bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += BYTES_PER_CALL) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_CALL))
  }
  return btoa(binary)
}

/** Decodes Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
