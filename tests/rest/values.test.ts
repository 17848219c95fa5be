import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import type { Field } from '../../runtime/schema/resource.js'
import { attributeWriter } from '../../runtime/rest/document/attribute-writer.js'
import { fromJson, fromText } from '../../runtime/values/from-json.js'
import { DB_NULL, JSON_NULL } from '../../runtime/values/prisma-values.js'
import { getEncoding } from '../../runtime/values/to-json.js'

const stored = (field: Field, value: unknown) => {
  const result = fromJson(field, value)
  return result.ok ? result.value : result.errors.map((error) => [...error.path, error.message])
}
const accepts = (field: Field, value: unknown) => fromJson(field, value).ok

describe('fromJson', () => {
  it.each([
    [{ type: 'String' }, 'hello', 'hello'],
    [{ type: 'Boolean' }, false, false],
    [{ type: 'Int' }, -5, -5],
    [{ type: 'BigInt' }, '9007199254740993', 9007199254740993n],
    [{ type: 'BigInt' }, 7, 7n],
    [{ type: 'Float' }, 1.5, 1.5],
    [{ type: 'Decimal' }, '123456789012345678.10', '123456789012345678.10'],
    [{ type: 'Decimal' }, 1.5, '1.5'],
    [{ type: 'DateTime' }, '2024-02-29T12:00:00.000Z', new Date('2024-02-29T12:00:00.000Z')],
    [{ type: 'DateTime' }, '2024-02-29T12:00:00+02:00', new Date('2024-02-29T10:00:00.000Z')],
    [{ type: 'DateTime' }, '2024-02-29T12:00+0200', new Date('2024-02-29T10:00:00.000Z')],
    [{ type: 'DateTime' }, '2024-02-29', new Date('2024-02-29T00:00:00.000Z')],
    [{ type: 'Bytes' }, 'AP8=', new Uint8Array([0, 255])],
    [{ type: 'Enum', values: ['A', 'B'] }, 'B', 'B'],
    [{ type: 'Json' }, { a: [1, null] }, { a: [1, null] }],
    [{ type: 'Json', optional: true }, null, DB_NULL],
    [{ type: 'Json' }, null, JSON_NULL],
    [{ type: 'String', optional: true }, null, null],
    [{ type: 'Int', list: true }, [1, 2], [1, 2]],
  ] as const)('%j: converts %j', (field, value, expected) => {
    expect(stored(field, value)).toEqual(expected)
  })
})

describe('fromJson of an invalid value', () => {
  it.each([
    [{ type: 'String' }, 5],
    [{ type: 'String' }, null],
    [{ type: 'String' }, 'a\0b'],
    [{ type: 'String' }, '\ud800'],
    [{ type: 'String' }, { set: 'x' }],
    [{ type: 'Boolean' }, 'true'],
    [{ type: 'Int' }, 1.5],
    [{ type: 'Int' }, 2147483648],
    [{ type: 'Int' }, '5'],
    [{ type: 'Int' }, { increment: 5 }],
    [{ type: 'BigInt' }, 2 ** 53],
    [{ type: 'BigInt' }, '9223372036854775808'],
    [{ type: 'BigInt' }, '1e3'],
    [{ type: 'Float' }, '1.5'],
    [{ type: 'Decimal' }, 'NaN'],
    [{ type: 'Decimal' }, ''],
    [{ type: 'Decimal' }, '1e99999'],
    [{ type: 'DateTime' }, '2024-02-30T00:00:00Z'],
    [{ type: 'DateTime' }, '2023-02-29T00:00:00Z'],
    [{ type: 'DateTime' }, '2024-02-03T24:00:00Z'],
    [{ type: 'DateTime' }, '2024-02-03T10:00:00'],
    [{ type: 'DateTime' }, 'yesterday'],
    [{ type: 'DateTime' }, '9999-12-31T23:59:59-14:00'],
    [{ type: 'DateTime' }, '0001-01-01T00:00:00+14:00'],
    [{ type: 'DateTime' }, 0],
    [{ type: 'Bytes' }, 'not base64!'],
    [{ type: 'Bytes' }, 'AP8'],
    [{ type: 'Enum', values: ['A'] }, 'toString'],
    [{ type: 'Enum', values: ['A'] }, ['A']],
    [{ type: 'Json' }, JSON.parse('{"a":{"__proto__":{"x":1}}}')],
    [{ type: 'Int', list: true }, 1],
    [{ type: 'Int', list: true }, null],
  ] as const)('%j: rejects %j', (field, value) => {
    expect(accepts(field, value)).toBe(false)
  })

  it('reports the index of each invalid element', () => {
    expect(stored({ type: 'Int', list: true }, [1, 'x', null])).toEqual([
      [1, 'must be an integer'],
      [2, 'must not be null'],
    ])
  })
})

describe('fromJson with a rule', () => {
  it('returns the output of the rule', () => {
    expect(stored({ type: 'String', rule: z.string().trim().max(3) }, ' ab ')).toBe('ab')
  })

  it('returns the error of the rule', () => {
    expect(stored({ type: 'String', rule: z.string().max(3) }, 'abcd')).toEqual([[expect.stringContaining('invalid')]])
  })

  it('passes a Decimal to the rule as a number and keeps its digits', () => {
    const field: Field = { type: 'Decimal', rule: z.number().positive() }
    expect(stored(field, '1.10')).toBe('1.10')
    expect(accepts(field, '-1.10')).toBe(false)
  })

  it('does not apply the rule to null', () => {
    expect(stored({ type: 'String', optional: true, rule: z.string().min(1) }, null)).toBe(null)
  })
})

describe('fromText', () => {
  it.each([
    ['Int', '12', 12],
    ['Int', '-12', -12],
    ['BigInt', '9007199254740993', 9007199254740993n],
    ['Float', '1e3', 1000],
    ['Boolean', 'true', true],
  ] as const)('%s: parses "%s"', (type, text, expected) => {
    expect(fromText({ type }, text)).toEqual({ ok: true, value: expected })
  })

  it.each([
    ['Int', '1abc'],
    ['Int', ' 1'],
    ['Int', '+1'],
    ['Int', '0x10'],
    ['Int', '1e1'],
    ['Int', '1.5'],
    ['Int', '-0'],
    ['Int', '007'],
    ['Int', ''],
    ['Int', '9999999999999'],
    ['Json', '1e999'],
    ['BigInt', '9'.repeat(100_000)],
    ['BigInt', ''],
    ['Float', 'Infinity'],
    ['Float', ''],
    ['Boolean', '1'],
    ['DateTime', '2024'],
  ] as const)('%s: rejects "%s"', (type, text) => {
    expect(fromText({ type }, text).ok).toBe(false)
  })
})

it('getEncoding encodes values as the JSON of the contract', () => {
  const json = (type: Field['type'], value: unknown) => getEncoding({ type })?.encode(value)
  expect(json('DateTime', new Date(0))).toBe('1970-01-01T00:00:00.000Z')
  expect(json('BigInt', 9007199254740993n)).toBe('9007199254740993')
  expect(json('Bytes', new Uint8Array([0, 255]))).toBe('AP8=')
  expect(json('String', 'x')).toBeUndefined()
})

it('attributeWriter serializes values of client extensions by their runtime type', () => {
  const text = (type: Field['type'], value: unknown) => attributeWriter('x', { type })(value, 'data', { text: '' })
  const bytes = new Uint8Array([0, 255])
  expect(text('DateTime', 5n)).toBe('"5"')
  expect(text('DateTime', 'soon')).toBe('"soon"')
  expect(text('Bytes', new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
  expect(text('BigInt', new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
  expect(text('Decimal', bytes)).toBe('"AP8="')
  expect(text('DateTime', [bytes, null])).toBe('["AP8=",null]')
  expect(text('String', new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
  expect(text('Float', NaN)).toBe('null')
  expect(text('String', () => 'x')).toBeUndefined()
})
