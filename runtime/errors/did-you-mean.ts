/** The longest name to look for a similar one. Longer ones are not misspelled names. */
const MAX_LENGTH = 100

/**
 * Suggests the name that a caller may have meant: another case, a plural, or a spelling with at most two other characters.
 * @param names the names that the caller may know
 * @returns a sentence that goes after another one, such as ` Did you mean "patient"?`, or an empty text
 */
export function didYouMean(name: string, names: Iterable<string>): string {
  if (name.length > MAX_LENGTH) return ''
  const word = normalize(name)
  let nearest: string | undefined
  let fewest = word.length < 5 ? 2 : 3
  for (const known of names) {
    const edits = countEdits(word, normalize(known))
    if (edits < fewest) [nearest, fewest] = [known, edits]
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

/** The number of characters to insert, remove or replace (Levenshtein distance). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
