import type { Limits } from '../../../limits.js'
import { limitError } from '../limit-error.js'
import { malformedAtPosition, PARAMETER } from './position.js'

/** One token of an expression. */
export interface Token {
  readonly kind: 'name' | 'text' | '(' | ')' | ',' | '.' | 'end'
  /** A name; what is between the quotes of a text; or the character itself. */
  readonly text: string
  /** Where it begins: how many characters of the expression stand before it. */
  readonly at: number
}

const NAME = /[A-Za-z0-9_-]+/y

/**
 * Splits an expression into its tokens. Between them may be spaces. Inside of a text, `''` is a quote.
 * @throws RequestError 400 for a character that begins none, or a text that does not end
 */
export function tokenize(expression: string, limits: Limits): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < expression.length) {
    const char = expression.charAt(at)
    if (char === ' ') {
      at++
      continue
    }
    if (tokens.length >= limits.nodes)
      throw limitError('nodes', `A filter can have at most ${limits.nodes} words and signs.`, PARAMETER)
    if (char === '(' || char === ')' || char === ',' || char === '.') {
      tokens.push({ kind: char, text: char, at })
      at++
      continue
    }
    if (char === "'") {
      const end = endOfText(expression, at)
      tokens.push({ kind: 'text', text: expression.slice(at + 1, end).replaceAll("''", "'"), at })
      at = end + 1
      continue
    }
    NAME.lastIndex = at
    const name = NAME.exec(expression)?.[0]
    if (name === undefined) {
      throw malformedAtPosition(
        expression,
        at,
        `${JSON.stringify(charAt(expression, at))} is possible only between quotes.`,
      )
    }
    tokens.push({ kind: 'name', text: name, at })
    at += name.length
  }
  return tokens
}

/** Where the quote stands that ends a text. */
function endOfText(expression: string, start: number): number {
  let end = expression.indexOf("'", start + 1)
  while (end >= 0 && expression.charAt(end + 1) === "'") end = expression.indexOf("'", end + 2)
  if (end < 0)
    throw malformedAtPosition(
      expression,
      start,
      "The value that begins here has no quote at its end; '' is a quote in it.",
    )
  return end
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}
