/**
 * superjson's spelling of a path: keys joined with dots, a dot inside a key written `\.` and, since its version 1, a
 * backslash `\\`.
 */

/** Spells one key as a segment of a path. */
export function escapeKey(key: string): string {
  return key.includes('\\') || key.includes('.') ? key.replace(/\\/g, '\\\\').replace(/\./g, '\\.') : key
}

/**
 * Takes a path apart.
 * @param legacy the spelling before superjson's version 1, which has no `\\`
 * @returns its keys, or undefined where it is not spelled as a path
 */
export function parsePath(path: string, legacy: boolean): string[] | undefined {
  const keys: string[] = []
  let key = ''
  for (let at = 0; at < path.length; at++) {
    const char = path.charAt(at)
    const next = path.charAt(at + 1)
    if (char === '\\' && (next === '.' || (next === '\\' && !legacy))) {
      key += next
      at++
    } else if (char === '\\' && !legacy) {
      return undefined
    } else if (char === '.') {
      keys.push(key)
      key = ''
    } else {
      key += char
    }
  }
  keys.push(key)
  return keys
}
