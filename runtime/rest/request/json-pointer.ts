/** Appends a key to a JSON pointer (RFC 6901). */
export function childPointer(pointer: string, key: string | number): string {
  if (typeof key === 'number' || !/[~/]/.test(key)) return `${pointer}/${key}`
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
