import type { Limits } from '../../limits.js'
import { limitError } from '../../rest/request/limit-error.js'
import { malformedAtPosition, PARAMETER } from './expression-error.js'

/** One token of an expression. */
export interface Token {
  readonly kind: 'name' | 'text' | '(' | ')' | ',' | '.' | 'end'
  /** The name, the unescaped text between quotes, or the character. */
  readonly text: string
  /** The zero-based position of the token's first character. */
  readonly at: number
}

const NAME = /[A-Za-z0-9_-]+/y

/**
 * Splits an expression into tokens. Spaces between tokens are ignored. Inside quoted text, `''` is an escaped quote.
 * @throws RequestError 400 if a character is invalid or a quote is not closed
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
      throw limitError('nodes', `A filter can have at most ${limits.nodes} tokens.`, PARAMETER)
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
        `${JSON.stringify(charAt(expression, at))} is allowed only inside quotes.`,
      )
    }
    tokens.push({ kind: 'name', text: name, at })
    at += name.length
  }
  return tokens
}

/** Returns the position of the closing quote. */
function endOfText(expression: string, start: number): number {
  let end = expression.indexOf("'", start + 1)
  while (end >= 0 && expression.charAt(end + 1) === "'") end = expression.indexOf("'", end + 2)
  if (end < 0)
    throw malformedAtPosition(expression, start, "The value has no closing quote. Write quotes inside a value as ''.")
  return end
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}
