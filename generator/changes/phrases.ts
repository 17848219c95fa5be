import type { Style } from '../options.js'

/** Formats a name or a value for a sentence. */
export function quote(name: string): string {
  // A backtick in the name would end the code span, and the rest would be interpreted as Markdown.
  return `\`${name.replaceAll('`', "'")}\``
}

/** Returns a name with an initial capital, as in the names of operations and components: `findMany` → `FindMany`. */
export function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Formats a name with an indefinite article: `an` before an initial A, E, I or O. */
export function withArticle(article: 'A' | 'a', name: string): string {
  return `${article}${/^[aeio]/i.test(name) ? 'n' : ''} ${quote(name)}`
}

/** Joins items into a phrase: `a, b and c`. */
export function joinList(items: readonly string[], conjunction = 'and'): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

/** Joins quoted names into a phrase. */
export function joinNames(items: readonly string[]): string {
  return joinList(items.map(quote))
}

/**
 * Describes a change per API style, in parentheses: `(REST filter and sort; RPC where)`.
 * @param wording the words for each style. If all are empty, only the styles are named.
 */
export function formatPerStyle(styles: readonly Style[], wording: Readonly<Record<Style, string>>): string {
  const entries = styles.map((style) => [style.toUpperCase(), wording[style]] as const)
  if (entries.every(([, words]) => words === ''))
    return entries.length === 0 ? '' : ` (${entries.map(([style]) => style).join(' and ')})`
  return ` (${entries.map(([style, words]) => `${style} ${words}`.trim()).join('; ')})`
}
