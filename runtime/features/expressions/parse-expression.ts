import type { Limits } from '../../limits.js'
import { limitError } from '../../rest/request/limit-error.js'
import { malformedAtPosition, PARAMETER } from './expression-error.js'
import { type Token, tokenize } from './tokenizer.js'
import type { FieldPath, Expression, Operand } from './expression-ast.js'
import { type Comparator, comparatorSpec, FUNCTIONS, isComparator } from './comparison-functions.js'

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
