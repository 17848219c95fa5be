/**
 * Suggests the name that a caller may have meant: a different case, a plural, or a spelling that differs in at most two adjacent
 * characters.
 * @param names the names that the caller is allowed to know
 * @returns a sentence to append to a message, such as ` Did you mean "patient"?`, or an empty string
 */
export function didYouMean(name: string, names: Iterable<string>): string {
  const word = normalize(name)
  let nearest: string | undefined
  let fewest = word.length < 5 ? 2 : 3
  for (const candidate of names) {
    const edits = countEdits(word, normalize(candidate))
    if (edits < fewest) [nearest, fewest] = [candidate, edits]
  }
  return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
}

function normalize(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
}

/** Returns the length of the part in which two words differ, without their common beginning and end. */
function countEdits(from: string, to: string): number {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  let end = 0
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return Math.max(from.length, to.length) - start - end
}
