/** Escapes a key for a path in superjson's format: `.` separates the keys, `\.` is a literal dot and `\\` a literal backslash. */
export function escapeKey(key: string): string {
  return key.replace(/[\\.]/g, '\\$&')
}

/** Splits a path into its unescaped keys. */
export function parsePath(path: string): string[] {
  const keys = ['']
  for (let index = 0; index < path.length; index++) {
    const char = path[index]
    if (char === '.') keys.push('')
    else keys.push(keys.pop() + (char === '\\' ? (path[++index] ?? '') : (char ?? '')))
  }
  return keys
}
