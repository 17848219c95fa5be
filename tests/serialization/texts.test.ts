import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { quoteJson } from '../../runtime/serialization/write-json.js'
import { dateToJson } from '../../runtime/values/to-json.js'

describe('quote', () => {
  it('writes the same as JSON.stringify', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'grapheme' }))
    fc.assert(fc.property(text, (one) => quoteJson(one) === JSON.stringify(one)))
    for (let code = 0; code <= 0xffff; code++) {
      const char = String.fromCharCode(code)
      if (quoteJson(char) !== JSON.stringify(char)) expect.fail(`U+${code.toString(16)}`)
    }
  })
})

describe('dateToJson', () => {
  const text = (time: number) => dateToJson(new Date(time))

  it('writes the same as toISOString', () => {
    const date = fc.oneof(fc.date({ noInvalidDate: true }), fc.date({ noInvalidDate: true, min: new Date(0) }))
    fc.assert(fc.property(date, (one) => dateToJson(one) === one.toISOString()))
    for (const edge of ['0000-01-01T00:00:00.000Z', '0999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z']) {
      expect(text(Date.parse(edge))).toBe(edge)
    }
  })

  it('writes years with a sign', () => {
    expect(text(Date.parse('9999-12-31T23:59:59.999Z') + 1)).toBe('+010000-01-01T00:00:00.000Z')
    expect(text(Date.parse('0000-01-01T00:00:00.000Z') - 1)).toBe('-000001-12-31T23:59:59.999Z')
  })

  it('throws on an invalid date', () => {
    expect(() => text(NaN)).toThrow(RangeError)
  })
})
