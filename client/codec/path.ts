/** Spells a key as a step of a path, as superjson does: dots join the steps, `\.` is a dot and `\\` a backslash within one. */
export function escapeKey(key: string): string {
  return key.replace(/[\\.]/g, '\\$&')
}

/** Takes a path apart. */
export function parsePath(path: string): string[] {
  const keys = ['']
  for (let at = 0; at < path.length; at++) {
    const char = path[at]
    if (char === '.') keys.push('')
    else keys.push(keys.pop() + (char === '\\' ? (path[++at] ?? '') : (char ?? '')))
  }
  return keys
}
