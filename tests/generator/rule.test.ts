import { describe, expect, it } from 'vitest'

import { parseChain } from '../../generator/model/annotations/parse-chain.js'
import { buildRule } from '../../generator/model/annotations/build-rule.js'
import { bundledZod } from '../../generator/project/zod.js'

const rule = (chain: string, type: string, more: { values?: string[]; list?: boolean } = {}) =>
  buildRule(parseChain(chain).calls, { type, values: more.values ?? [], list: more.list ?? false })

const bundled = bundledZod()

describe('buildRule', () => {
  it.each([
    ['.min(1).max(9)', 'String', 'z.string().check(z.minLength(1), z.maxLength(9))'],
    ['.email().max(9)', 'String', 'z.email().check(z.maxLength(9))'],
    ['.max(9).email()', 'String', 'z.string().check(z.maxLength(9), z.email())'],
    ['.uuid()', 'String', 'z.uuid()'],
    ['.date()', 'String', 'z.string().check(z.iso.date())'],
    ['.finite()', 'Float', 'z.number()'],
    ['.positive()', 'BigInt', 'z.bigint().check(z.gt(0n))'],
    ['.trim().toLowerCase()', 'String', 'z.string().check(z.trim(), z.toLowerCase())'],
    ['.positive()', 'Int', 'z.int().check(z.positive())'],
    ['.lt(1.5)', 'Float', 'z.number().check(z.lt(1.5))'],
    ['.min(1)', 'BigInt', 'z.bigint().check(z.gte(1n))'],
    ['.multipleOf(0.01)', 'Decimal', 'z.coerce.number().check(z.multipleOf(0.01))'],
    ['.max(new Date("2030-01-01"))', 'DateTime', 'z.date().check(z.lte(new Date("2030-01-01")))'],
  ])('%s on %s: returns %s', (chain, type, source) => {
    expect(rule(chain, type)).toEqual({ source })
  })

  it('keeps custom error messages', () => {
    expect(rule('.min(3, "too short").max(9, { message: "too long" })', 'String')).toEqual({
      source: 'z.string().check(z.minLength(3, "too short"), z.maxLength(9, { "message": "too long" }))',
    })
    expect(rule('.exclude(["B"], "not B")', 'Enum', { values: ['A', 'B'] })).toEqual({
      source: 'z.enum(["A"], "not B")',
    })
  })

  it('applies checks to a list as a whole and to enum values', () => {
    expect(rule('.max(3)', 'String', { list: true })).toEqual({ source: 'z.array(z.string()).check(z.maxLength(3))' })
    expect(rule('.extract(["A"])', 'Enum', { values: ['A', 'B'] })).toEqual({
      source: 'z.enum(["A"])',
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
    ['.parseAsync("x")', 'String', 'zod has no check "parseAsync"'],
    ['.constructor()', 'String', 'zod has no check "constructor"'],
    ['.__proto__()', 'String', 'zod has no check "__proto__"'],
    ['.regex("not a pattern")', 'String', '"regex" requires a regular expression here. Write "@zod.regex(/…/)".'],
    ['.min("3")', 'String', '"min" requires a number here.'],
    ['.min(1.5)', 'BigInt', '"min" requires a bigint here.'],
    ['.min("2020-01-31")', 'DateTime', '"min" requires a date here.'],
    ['.startsWith(3)', 'String', '"startsWith" requires a string here.'],
    ['.min()', 'String', '"min" requires a number here.'],
  ])('%s on %s: returns an error', (chain, type, message) => {
    const result = rule(chain, type)
    expect('message' in result ? `${result.message} ${result.hint}` : 'accepted').toContain(message)
  })

  it.each([
    ['.lowercase()', 'String', 'zod has "lowercase", but zod/mini, which the routes use, does not.'],
    ['.max(9).url()', 'String', 'zod has "url", but zod/mini'],
    ['.url()', 'String', 'zod has "url", but zod/mini'],
    // A function with this name that is not a check.
    ['.trim()', 'String', 'zod has "trim", but zod/mini'],
  ])('%s: returns an error if zod/mini lacks the check', (chain, type, message) => {
    const mini = { ...bundled.mini, lowercase: undefined, url: undefined, trim: bundled.mini.string }
    const { calls } = parseChain(chain)
    const result = buildRule(calls, { type, values: [], list: false }, () => Object.assign({}, bundled, { mini }))
    expect('message' in result ? `${result.message} ${result.hint}` : 'accepted').toContain(message)
  })
})
