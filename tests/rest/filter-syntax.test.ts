import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RequestError } from '../../runtime/errors/request-error.js'
import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import {
  parseExpression,
  type FieldPath,
  type Expression,
  type Operand,
} from '../../runtime/features/expressions/parse-expression.js'
import { COMPARATORS, comparatorSpec, isComparator } from '../../runtime/features/expressions/comparison-functions.js'
import { runs } from '../support/form.js'
import { printExpression, stripPositions } from './support/print-expression.js'

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/)
const chain: fc.Arbitrary<FieldPath> = fc.record({
  names: fc.array(name, { minLength: 1, maxLength: 3 }),
  at: fc.constant(0),
})
const literal = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("'", '(', ')', ',', '\\', 'a'), maxLength: 6 }),
)
const text: fc.Arbitrary<Operand> = literal.map((one) => ({ kind: 'text', text: one, at: 0 }))
const field: fc.Arbitrary<Operand> = chain
  .filter(({ names }) => names.length > 1 || names[0] !== 'null')
  .map((one) => ({ kind: 'field', chain: one, at: 0 }))

const comparing: fc.Arbitrary<Expression> = fc
  .constantFrom(...Object.keys(COMPARATORS).filter(isComparator))
  .chain((one) => {
    const { arity, compares } = comparatorSpec(one)
    const nothing: Operand = { kind: 'null', at: 0 }
    const operand = compares ? fc.oneof(text, field, ...(one === 'equals' ? [fc.constant(nothing)] : [])) : text
    const [minLength, maxLength] = arity === 'list' ? [1, 4] : [arity, arity]
    return fc.record({
      kind: fc.constant('compare' as const),
      name: fc.constant(one),
      isCount: compares ? fc.boolean() : fc.constant(false),
      chain,
      operands: fc.array(operand, { minLength, maxLength }),
      at: fc.constant(0),
    })
  })

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 6, depthIdentifier: 'expression' },
    comparing,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('expression'), { minLength: 1, maxLength: 3 }),
      at: fc.constant(0),
    }),
    fc.record({ kind: fc.constant('not' as const), part: tie('expression'), at: fc.constant(0) }),
    fc.record({ kind: fc.constant('every' as const), chain, condition: tie('expression'), at: fc.constant(0) }),
    fc.record({
      kind: fc.constant('has' as const),
      chain,
      condition: fc.option(tie('expression'), { nil: undefined }),
      at: fc.constant(0),
    }),
  ),
}))

const DEEP = { ...DEFAULT_LIMITS, depth: 100 }

describe('REST: filter expression grammar', () => {
  it('parses what printExpression prints', () => {
    fc.assert(
      fc.property(expression, (one) => {
        const read = parseExpression(printExpression(one), DEEP)
        expect(stripPositions(read)).toEqual(stripPositions(one))
      }),
      { numRuns: runs(2000) },
    )
  })

  it('ignores whitespace between tokens', () => {
    const spaced = parseExpression(" and ( equals ( a . b , 'x y' ) , has ( c ) ) ", DEFAULT_LIMITS)
    expect(printExpression(spaced)).toBe("and(equals(a.b,'x y'),has(c))")
  })

  it('rejects invalid text with an error that names the position', () => {
    const noise = fc.string({ unit: 'binary', maxLength: 40 })
    const change = fc.tuple(expression.map(printExpression), fc.nat(), fc.nat({ max: 3 }), noise)
    const changed = change.map(([one, at, cut, put]) => {
      const start = at % (one.length + 1)
      return one.slice(0, start) + put.slice(0, 3) + one.slice(start + cut)
    })
    fc.assert(
      fc.property(
        fc.oneof(
          noise,
          changed,
          fc.string({ unit: fc.constantFrom('a', '(', ')', ',', "'", '.', ' ', 'not(', 'has(') }),
        ),
        (one) => {
          try {
            const read = parseExpression(one, DEFAULT_LIMITS)
            expect(printExpression(parseExpression(printExpression(read), DEFAULT_LIMITS))).toBe(printExpression(read))
          } catch (error) {
            if (!(error instanceof RequestError)) throw error
            const [detail] = error.errors
            expect(['malformed-parameter', 'limit-exceeded']).toContain(detail?.code)
            expect(detail?.source).toEqual({ parameter: 'filter' })
            if (detail?.code === 'malformed-parameter')
              expect(detail.detail).toMatch(/^At character \d+(, after "[^]*")?: /)
          }
        },
      ),
      { numRuns: runs(5000) },
    )
  })

  it.each([
    ['', 1, 'Expected a function but the filter ends.'],
    ['not', 4, 'Expected "(" but the filter ends.'],
    ["equals(title,'One'", 19, 'Expected ")" but the filter ends.'],
    ["equals(title,'One'))", 20, 'Expected the end but found ")".'],
    ["equals(title 'One')", 14, `Expected "," but found 'One'.`],
    ["equals('One',title)", 8, "Expected the name of a field but found 'One'."],
    ["equals(title,'One)", 14, "The value has no closing quote. Write quotes inside a value as ''."],
    ['contains(title,One)', 16, 'Expected a quoted value but found "One".'],
    ['lessThan(viewCount,10)', undefined, ''],
    ["equals(title,'a','b')", 17, 'Expected ")" but found ",".'],
    ["and(equals(title,'a'),)", 23, 'Expected a function but found ")".'],
    ['title=1', 6, '"=" is allowed only inside quotes.'],
    ['equals(count(a),count(b))', 17, 'Compare the count with a quoted value, not with another count.'],
    ['every(comments)', 15, 'Expected "," but found ")".'],
  ])('%j: reports the position of the error', (one, position, expected) => {
    const read = () => parseExpression(one, DEFAULT_LIMITS)
    if (position === undefined) expect(read).not.toThrow()
    else
      expect(getErrorDetail(read)).toMatch(new RegExp(`^At character ${position}(, after ".*")?: ${escaped(expected)}`))
  })

  it('lists the available functions for an unknown function', () => {
    expect(getErrorDetail(() => parseExpression("eq(title,'a')", DEFAULT_LIMITS))).toBe(
      'At character 1: Unknown function "eq". Available: and, or, not, every, equals, lessThan, lessOrEqual, greaterThan, ' +
        'greaterOrEqual, contains, startsWith, endsWith, any, has, between, icontains, istartsWith, iendsWith, iequals, search, ' +
        'hasSome, hasEvery, isEmpty.',
    )
  })

  it.each([
    ['levels', `${'not('.repeat(12)}has(a)${')'.repeat(12)}`, 'depth'],
    ['values', `any(a${",'1'".repeat(1001)})`, 'listLength'],
    ['conditions', `or(${Array.from({ length: 1001 }, () => 'has(a)').join(',')})`, 'listLength'],
    ['tokens', '('.repeat(10_001), 'nodes'],
  ])('%s: rejects input beyond the limit', (_what, one, limit) => {
    expect(getErrorDetail(() => parseExpression(one, DEFAULT_LIMITS))).toContain(`limits.${limit}`)
  })
})

function getErrorDetail(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof RequestError) return error.errors[0]?.detail ?? ''
    throw error
  }
  return ''
}

function escaped(one: string): string {
  return one.replaceAll(/[()'.]/g, '\\$&')
}
