const BASE = 36

/**
 * Computes a 64-bit hash of a text, which is the same on every machine. The hash is not cryptographic, so an attacker can construct
 * collisions.
 */
export function fastHash(text: string): string {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x27d4eb2d) + high
    low = (low << 13) | (low >>> 19)
  }
  return mixHash(high ^ low, text.length) + mixHash(low, high)
}

/** Mixes the bits of a value, so that each input bit affects all output bits. */
function mixHash(value: number, seed: number): string {
  let bits = Math.imul(value ^ seed ^ (value >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return ((bits ^ (bits >>> 16)) >>> 0).toString(BASE)
}
