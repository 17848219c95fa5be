import { describe, expect, it } from 'vitest'

import { parseChain } from '../../generator/model/annotations/literal.js'
import { buildRule } from '../../generator/model/annotations/rule.js'

const rule = (chain: string, type: string, more: { values?: string[]; list?: boolean } = {}) =>
  buildRule(parseChain(chain).calls, { type, values: more.values ?? [], list: more.list ?? false })

describe('@zod rules', () => {
  it.each([
    ['.min(1).max(9)', 'String', 'z.string().min(1).max(9)'],
    ['.email().max(9)', 'String', 'z.email().max(9)'],
    ['.max(9).email()', 'String', 'z.string().max(9).email()'],
    ['.uuid()', 'String', 'z.uuid()'],
    ['.trim().toLowerCase()', 'String', 'z.string().trim().toLowerCase()'],
    ['.positive()', 'Int', 'z.int().positive()'],
    ['.lt(1.5)', 'Float', 'z.number().lt(1.5)'],
    ['.min(1)', 'BigInt', 'z.bigint().min(1n)'],
    ['.multipleOf(0.01)', 'Decimal', 'z.coerce.number().multipleOf(0.01)'],
    ['.max(new Date("2030-01-01"))', 'DateTime', 'z.date().max(new Date("2030-01-01"))'],
  ])('%s on %s is %s', (chain, type, source) => {
    expect(rule(chain, type)).toEqual({ source })
  })

  it('on a list is about the list, on an enum about its values', () => {
    expect(rule('.max(3)', 'String', { list: true })).toEqual({ source: 'z.array(z.string()).max(3)' })
    expect(rule('.extract(["A"])', 'Enum', { values: ['A', 'B'] })).toEqual({
      source: 'z.enum(["A","B"]).extract(["A"])',
    })
  })

  it.each([
    ['.emial()', 'String', 'Did you mean "email"?'],
    ['.email()', 'Int', 'zod has no check "email"'],
    ['.min(1)', 'Boolean', 'zod has no check "min"'],
    ['.min(1)', 'Json', 'zod has no check "min"'],
    ['.min(1)', 'Bytes', 'zod has no check "min"'],
    ['.optional()', 'String', 'zod has no check "optional"'],
    ['.default("x")', 'String', 'zod has no check "default"'],
    ['.parse("x")', 'String', 'zod has no check "parse"'],
    ['.constructor()', 'String', 'zod has no check "constructor"'],
    ['.__proto__()', 'String', 'zod has no check "__proto__"'],
    ['.regex("not a pattern")', 'String', '"regex" takes a pattern here. Write "@zod.regex(/…/)".'],
    ['.min("3")', 'String', '"min" takes a number here.'],
    ['.min(1.5)', 'BigInt', '"min" takes a bigint here.'],
    ['.min("2020-01-31")', 'DateTime', '"min" takes a date here.'],
    ['.startsWith(3)', 'String', '"startsWith" takes a text here.'],
    ['.min()', 'String', '"min" takes a number here.'],
  ])('%s on %s is refused', (chain, type, message) => {
    const result = rule(chain, type)
    expect('what' in result ? `${result.what} ${result.mend}` : 'accepted').toContain(message)
  })
})
