import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseChain, stringLiteral } from '../../generator/model/annotations/parse-chain.js'

/** Evaluates a literal with JavaScript, for comparison. */
function evaluate(source: string): unknown {
  return new Function(`return (${source})`)()
}

describe('parseChain literals', () => {
  it('keep their value in the emitted source', () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string({ unit: 'binary' }),
        // JSON has no negative zero.
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z]\w*$/), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    fc.assert(
      fc.property(values, (value) => {
        const [call] = parseChain(`.check(${JSON.stringify(value)})`).calls
        expect(call?.args[0]?.value).toEqual(value)
        expect(evaluate(call?.args[0]?.source ?? '')).toEqual(value)
      }),
    )
  })

  it('never evaluate code', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        try {
          for (const call of parseChain(`.check(${text})`).calls) for (const arg of call.args) evaluate(arg.source)
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError)
        }
      }),
    )
  })

  it.each([
    ['((v) => v !== ")")', true],
    ['(/[)("\']/.test(x))', undefined],
    ['(f(a / 2), "/")', true],
    ['(`${")"}`)', true],
    ['(a / 2, "(" /* , */)', true],
    ['({ a: [{ b: (x) } ] })', true],
    ['("a" + "b")', undefined],
    ['(1 2)', undefined],
  ])('%s: reports a SyntaxError and continues the chain', (text, isCode) => {
    const { calls, length } = parseChain(`.first${text}.second(1) and on`)
    expect(calls.map((call) => [call.name, call.args.length, call.isCode])).toEqual([
      ['first', 0, isCode],
      ['second', 1, undefined],
    ])
    expect(calls[0]?.syntaxError).toBeInstanceOf(SyntaxError)
    expect(length).toBe(`.first${text}.second(1)`.length)
  })

  it.each(['(a', '("a]', '(f(])', '(a @api.hidden )'])('%s: ends the chain at an unterminated argument', (text) => {
    const { calls, length } = parseChain(`.first${text}`)
    expect([calls.map((call) => call.name), length]).toEqual([['first'], '.first'.length])
    expect(calls[0]?.syntaxError).toBeInstanceOf(SyntaxError)
  })

  it('escape the line separators U+2028 and U+2029', () => {
    expect(stringLiteral('a\u2028b\u2029"')).toBe(String.raw`"a\u2028b\u2029\""`)
  })
})
