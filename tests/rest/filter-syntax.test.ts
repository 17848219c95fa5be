import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RequestError } from '../../runtime/errors/request-error.js'
import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { parseExpression } from '../../runtime/rest/request/filter/parse-expression.js'
import {
  type FieldPath,
  COMPARATORS,
  comparatorSpec,
  type Expression,
  isComparator,
  type Operand,
} from '../../runtime/rest/request/filter/ast.js'
import { runs } from '../support/form.js'
import { printExpression, withoutPlaces } from './support/print-expression.js'

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
    const { takes, compares } = comparatorSpec(one)
    const nothing: Operand = { kind: 'null', at: 0 }
    const operand = compares ? fc.oneof(text, field, ...(one === 'equals' ? [fc.constant(nothing)] : [])) : text
    const [minLength, maxLength] = takes === 'list' ? [1, 4] : [takes, takes]
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

describe('REST: the grammar of filter expressions', () => {
  it('reads back whatever is written', () => {
    fc.assert(
      fc.property(expression, (one) => {
        const read = parseExpression(printExpression(one), DEEP)
        expect(withoutPlaces(read)).toEqual(withoutPlaces(one))
      }),
      { numRuns: runs(2000) },
    )
  })

  it('reads spaces between words and signs as nothing', () => {
    const spaced = parseExpression(" and ( equals ( a . b , 'x y' ) , has ( c ) ) ", DEFAULT_LIMITS)
    expect(printExpression(spaced)).toBe("and(equals(a.b,'x y'),has(c))")
  })

  it('answers any other text with a 400 that says where', () => {
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
            const [fault] = error.faults
            expect(['malformed-parameter', 'limit-exceeded']).toContain(fault?.code)
            expect(fault?.source).toEqual({ parameter: 'filter' })
            if (fault?.code === 'malformed-parameter')
              expect(fault.detail).toMatch(/^At character \d+(, behind "[^]*")?: /)
          }
        },
      ),
      { numRuns: runs(5000) },
    )
  })

  it.each([
    ['', 1, 'Expected a function, but it ends.'],
    ['not', 4, 'Expected "(", but it ends.'],
    ["equals(title,'One'", 19, 'Expected ")", but it ends.'],
    ["equals(title,'One'))", 20, 'Expected the end, but ")" stands there.'],
    ["equals(title 'One')", 14, `Expected ",", but 'One' stands there.`],
    ["equals('One',title)", 8, "Expected the name of a field, but 'One' stands there."],
    ["equals(title,'One)", 14, "The value that begins here has no quote at its end; '' is a quote in it."],
    ['contains(title,One)', 16, 'Expected a value between quotes, but "One" stands there.'],
    ['lessThan(viewCount,10)', undefined, ''],
    ["equals(title,'a','b')", 17, 'Expected ")", but "," stands there.'],
    ["and(equals(title,'a'),)", 23, 'Expected a function, but ")" stands there.'],
    ['title=1', 6, '"=" is possible only between quotes.'],
    ['equals(count(a),count(b))', 17, 'It is compared with a value between quotes, and not with another count.'],
    ['every(comments)', 15, 'Expected ",", but ")" stands there.'],
  ])('of %j tells the place', (one, place, expected) => {
    const read = () => parseExpression(one, DEFAULT_LIMITS)
    if (place === undefined) expect(read).not.toThrow()
    else expect(faultOf(read)).toMatch(new RegExp(`^At character ${place}(, behind ".*")?: ${escaped(expected)}`))
  })

  it('names the functions there are', () => {
    expect(faultOf(() => parseExpression("eq(title,'a')", DEFAULT_LIMITS))).toBe(
      'At character 1: There is no function "eq". There are: and, or, not, every, equals, lessThan, lessOrEqual, greaterThan, ' +
        'greaterOrEqual, contains, startsWith, endsWith, any, has, between, icontains, istartsWith, iendsWith, iequals, search, ' +
        'hasSome, hasEvery, isEmpty.',
    )
  })

  it.each([
    ['levels', `${'not('.repeat(12)}has(a)${')'.repeat(12)}`, 'depth'],
    ['values', `any(a${",'1'".repeat(1001)})`, 'listLength'],
    ['conditions', `or(${Array.from({ length: 1001 }, () => 'has(a)').join(',')})`, 'listLength'],
    ['words', '('.repeat(10_001), 'nodes'],
  ])('bounds %s', (_what, one, limit) => {
    expect(faultOf(() => parseExpression(one, DEFAULT_LIMITS))).toContain(`limits.${limit}`)
  })
})

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof RequestError) return error.faults[0]?.detail ?? ''
    throw error
  }
  return ''
}

function escaped(one: string): string {
  return one.replaceAll(/[()'.]/g, '\\$&')
}
