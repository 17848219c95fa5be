import type { Style } from '../options.js'

/** A name or a value as sentences show it. */
export function quote(name: string): string {
  // A backtick of its own would end it, and what follows would be Markdown.
  return `\`${name.replaceAll('`', "'")}\``
}

/** Several things as one: `a, b and c`. */
export function joinList(items: readonly string[], joint = 'and'): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${joint} ${last}`
}

/** Names as one, quoted. */
export function joinNames(items: readonly string[]): string {
  return joinList(items.map(quote))
}

/**
 * What a change is in each style, in parentheses: `(REST filter and sort, RPC where)`.
 * @param said the words for each style; the empty string where a style alone says enough
 */
export function inStyles(styles: readonly Style[], said: Readonly<Record<Style, string>>): string {
  const named = styles.map((style) => [style.toUpperCase(), said[style]] as const)
  if (named.every(([, words]) => words === ''))
    return named.length === 0 ? '' : ` (${named.map(([style]) => style).join(' and ')})`
  return ` (${named.map(([style, words]) => `${style} ${words}`.trim()).join('; ')})`
}
