import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { limitError } from '../../rest/request/request-errors.js'
import { type Comparator, comparatorSpec, FUNCTIONS, isComparator } from './comparison-functions.js'

/**
 * The syntax tree of a `filter` expression such as `not(equals(author.name,'Ada'))`. The function names are those of JsonApiDotNetCore, for
 * which documentation and query builders exist, plus some additions.
 */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[]; readonly at: number }
  | { readonly kind: 'not'; readonly part: Expression; readonly at: number }
  | QuantifierNode
  | ComparisonNode

/** `has(comments,equals(seq,'1'))`: a condition on the related resources of a to-many relationship. */
export interface QuantifierNode {
  readonly kind: 'has' | 'every'
  readonly chain: FieldPath
  readonly condition: Expression | undefined
  readonly at: number
}

/** A function that compares a field, or the number of related resources, with values. */
export interface ComparisonNode {
  readonly kind: 'compare'
  readonly name: Comparator
  /** Whether it compares `count(…)` of the relationship. */
  readonly isCount: boolean
  readonly chain: FieldPath
  /** At least one operand, except for `isEmpty`, which has none. */
  readonly operands: readonly Operand[]
  readonly at: number
}

/** Names separated by dots: `author.profile.bio`. */
export interface FieldPath {
  readonly names: readonly string[]
  readonly at: number
}

/** An operand of a comparison: quoted text, `null` or another field. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'null'; readonly at: number }
  | { readonly kind: 'field'; readonly chain: FieldPath; readonly at: number }

/**
 * Parses an expression without resolving its names.
 * @throws RequestError 400 that names the position and the expected token, or the exceeded limit
 */
export function parseExpression(text: string, limits: Limits): Expression {
  const tokens = tokenize(text, limits)
  let next = 0

  const expression = parseNode(1)
  if (peek().kind !== 'end') fail('the end', peek())
  return expression

  function parseNode(level: number): Expression {
    if (level > limits.depth) throw limitError('depth', `Filters can nest at most ${limits.depth} levels.`, PARAMETER)
    const { text: name, at } = take('name', 'a function')
    if (!FUNCTIONS.includes(name)) {
      throw malformedAtPosition(text, at, `Unknown function "${name}". Available: ${FUNCTIONS.join(', ')}.`)
    }
    take('(')
    const node = parseFunction(name, at, level)
    take(')')
    return node
  }

  function parseFunction(name: string, at: number, level: number): Expression {
    if (name === 'and' || name === 'or') {
      const parts = [parseNode(level + 1)]
      while (skip(',')) {
        parts.push(parseNode(level + 1))
        assertListLength(parts)
      }
      return { kind: name, parts, at }
    }
    if (name === 'not') return { kind: 'not', part: parseNode(level + 1), at }
    if (name === 'has' || name === 'every') return parseQuantifier(name, at, level)
    // Never true, because FUNCTIONS contains no other names.
    if (!isComparator(name)) return fail('a function', peek())
    return parseComparison(name, at)
  }

  function parseQuantifier(kind: 'has' | 'every', at: number, level: number): Expression {
    const chain = parseFieldPath()
    // If the field is a list, `has` takes a value instead of a condition.
    if (kind === 'has' && peek().kind === ',' && tokens[next + 1]?.kind === 'text') {
      next++
      return { kind: 'compare', name: 'has', isCount: false, chain, operands: [parseOperand('has')], at }
    }
    if (kind === 'has' && !skip(',')) return { kind, chain, condition: undefined, at }
    if (kind === 'every') take(',')
    return { kind, chain, condition: parseNode(level + 1), at }
  }

  function parseComparison(name: Comparator, at: number): Expression {
    const { arity, compares } = comparatorSpec(name)
    const isCount = compares === true && peek().text === 'count' && tokens[next + 1]?.kind === '('
    if (isCount) next += 2
    const chain = parseFieldPath()
    if (isCount) take(')')
    const operands: Operand[] = []
    const readOne = () => {
      take(',')
      operands.push(parseOperand(name))
    }
    const min = arity === 'list' ? 1 : arity
    const max = arity === 'list' ? Infinity : arity
    while (operands.length < min || (operands.length < max && peek().kind === ',')) {
      readOne()
      assertListLength(operands)
    }
    return { kind: 'compare', name, isCount, chain, operands, at }
  }

  function parseFieldPath(): FieldPath {
    const { text: first, at } = take('name', 'the name of a field')
    const names = [first]
    while (skip('.')) names.push(take('name', 'the name of a field').text)
    return { names, at }
  }

  function parseOperand(name: Comparator): Operand {
    const token = peek()
    if (token.kind === 'text') {
      next++
      return { kind: 'text', text: token.text, at: token.at }
    }
    if (token.kind !== 'name' || !comparatorSpec(name).compares) return fail('a quoted value', token)
    if (token.text === 'null' && name === 'equals' && tokens[next + 1]?.kind !== '.') {
      next++
      return { kind: 'null', at: token.at }
    }
    if (tokens[next + 1]?.kind === '(') {
      throw malformedAtPosition(text, token.at, 'Compare the count with a quoted value, not with another count.')
    }
    return { kind: 'field', chain: parseFieldPath(), at: token.at }
  }

  function peek(): Token {
    return tokens[next] ?? { kind: 'end', text: '', at: text.length }
  }

  function skip(kind: Token['kind']): boolean {
    if (peek().kind !== kind) return false
    next++
    return true
  }

  function take(kind: Token['kind'], label = `"${kind}"`): Token {
    const token = peek()
    if (token.kind !== kind) return fail(label, token)
    next++
    return token
  }

  function fail(expected: string, { kind, text: found, at }: Token): never {
    const actual =
      kind === 'end'
        ? 'but the filter ends'
        : kind === 'text'
          ? `but found '${found.slice(0, 20)}'`
          : `but found "${found.slice(0, 20)}"`
    throw malformedAtPosition(text, at, `Expected ${expected} ${actual}.`)
  }

  function assertListLength(list: readonly unknown[]): void {
    if (list.length > limits.listLength) {
      throw limitError(
        'listLength',
        `A function in a filter can have at most ${limits.listLength} arguments.`,
        PARAMETER,
      )
    }
  }
}

/** One token of an expression. */
interface Token {
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
function tokenize(expression: string, limits: Limits): readonly Token[] {
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

/** The name of the parameter that contains an expression. */
export const PARAMETER = 'filter'

/** Returns a 400 error for a position in an expression. */
export function malformedAtPosition(text: string, at: number, detail: string): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `${describePosition(text, at)}: ${detail}`,
    source: { parameter: PARAMETER },
  })
}

/** Describes a position in an expression for error messages. Characters are counted from 1. */
export function describePosition(text: string, at: number): string {
  if (at === 0) return 'At character 1'
  const before = text.slice(Math.max(0, at - 20), at)
  return `At character ${at + 1}, after "${at > 20 ? '…' : ''}${before}"`
}
