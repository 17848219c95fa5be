import fc from 'fast-check'
import SuperJSON from 'superjson'
import { describe, expect, it } from 'vitest'

import { RequestError } from '../../runtime/errors/request-error.js'
import { deserialize } from '../../runtime/serialization/deserialize.js'
import { serialize } from '../../runtime/serialization/serialize.js'
import { runs } from '../support/form.js'

const BIG = '9223372036854775807'

function decode(json: unknown, meta: unknown): unknown {
  return deserialize(structuredClone(json), meta)
}

function getDecodeError(json: unknown, meta: unknown): RequestError['errors'][0] {
  try {
    decode(json, meta)
  } catch (error) {
    if (error instanceof RequestError) return error.errors[0]
    throw error
  }
  throw new Error('It was accepted.')
}

describe('deserialize', () => {
  it('creates values of the five known types', () => {
    const json = { where: { at: '2024-05-31T12:00:00.000Z', big: BIG, price: '1.10', raw: 'AQI=', list: [[1, 255]] } }
    const meta = {
      values: {
        'where.at': ['Date'],
        'where.big': ['bigint'],
        'where.price': [['custom', 'Decimal']],
        'where.raw': [['custom', 'Bytes']],
        'where.list.0': [['typed-array', 'Uint8Array']],
      },
      v: 1,
    }
    expect(decode(json, meta)).toEqual({
      where: {
        at: new Date('2024-05-31T12:00:00.000Z'),
        big: 9223372036854775807n,
        price: '1.10',
        raw: new Uint8Array([1, 2]),
        list: [new Uint8Array([1, 255])],
      },
    })
  })

  it('returns JSON without meta unchanged', () => {
    expect(decode({ a: '2024' }, undefined)).toEqual({ a: '2024' })
    expect(decode({ a: '2024' }, {})).toEqual({ a: '2024' })
  })

  it('parses output of superjson with dots and backslashes in keys', () => {
    const key = fc.stringMatching(/^[a-z.\\]{0,6}$/)
    const value = fc.dictionary(
      key,
      fc.oneof(
        fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        fc.string(),
      ),
      {
        noNullPrototype: true,
      },
    )
    fc.assert(
      fc.property(fc.record({ where: value }), (args) => {
        const expected = SuperJSON.serialize(args)
        const actual = serialize(args)
        const { values, v } = expected.meta ?? {}
        expect(decode(expected.json, expected.meta && { values, v })).toEqual(args)
        const meta: unknown = actual.meta === undefined ? undefined : JSON.parse(actual.meta)
        expect(decode(JSON.parse(actual.json), meta)).toEqual(args)
      }),
    )
  })

  it('parses nested lists and rejects undefined and non-JSON numbers', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(
          fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
          fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
          fc.string(),
          fc.constant(null),
          fc.constantFrom(undefined, NaN, Infinity, -Infinity, -0),
        ),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z.\\]{0,4}$/), tie('tree'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(fc.record({ where: tree }), (args) => {
        const { json, meta } = SuperJSON.serialize(args)
        const { values, v } = meta ?? {}
        if (/"(undefined|number)"\]/.test(JSON.stringify(values))) {
          expect(getDecodeError(json, { values, v }).code).toBe('invalid-serialization')
        } else {
          expect(decode(json, meta && { values, v })).toEqual(args)
        }
      }),
      { numRuns: runs(1000) },
    )
  })

  it('parses paths of versions before 1', () => {
    expect(decode({ 'a.b': '1', 'c\\d': '2' }, { values: { 'a\\.b': ['bigint'], 'c\\d': ['bigint'] } })).toEqual({
      'a.b': 1n,
      'c\\d': 2n,
    })
  })

  it.each([
    ['undefined', null, ['undefined']],
    ['number', 'Infinity', ['number']],
    ['regexp', '/x/', ['regexp']],
    ['set', [1], ['set']],
    ['map', [[1, 2]], ['map']],
    ['Error', { name: 'E', message: 'm' }, ['Error']],
    ['URL', 'http://example.com', ['URL']],
    ['class', {}, [['class', 'User']]],
    ['symbol', 'x', [['symbol', 'x']]],
    ['another custom type', 'x', [['custom', 'Money']]],
    ['another typed array', [1], [['typed-array', 'Float64Array']]],
    ['a type with children', ['2024-01-01T00:00:00Z'], ['Date', { 0: ['Date'] }]],
    ['a tree', { x: '1' }, { x: ['bigint'] }],
    ['a tag as one string', '1.10', ['custom Decimal']],
    ['no type', '1', []],
    ['null', '1', null],
    ['a string', '1', 'bigint'],
  ])('%s: rejects the annotation', (_name, value, annotation) => {
    expect(getDecodeError({ a: value }, { values: { a: annotation } }).code).toBe('invalid-serialization')
  })

  it.each([
    ['an invalid date', 'nope', ['Date']],
    ['30 February', '2024-02-30T00:00:00Z', ['Date']],
    ['a number as Date', 5, ['Date']],
    ['a fraction as bigint', '1.5', ['bigint']],
    ['hexadecimal digits as bigint', '0x10', ['bigint']],
    ['an empty bigint', '', ['bigint']],
    ['words as Decimal', 'NaN', [['custom', 'Decimal']]],
    ['an object as Decimal', { toFixed: 1 }, [['custom', 'Decimal']]],
    ['invalid Base64 as Bytes', '%%%', [['custom', 'Bytes']]],
    ['a number that is not a byte', [256], [['typed-array', 'Uint8Array']]],
    ['an object as list of bytes', { length: 1e9 }, [['typed-array', 'Uint8Array']]],
  ])('%s: rejects the value', (_name, value, annotation) => {
    expect(getDecodeError({ a: value }, { values: { a: annotation } }).code).toBe('invalid-serialization')
  })

  it.each([
    ['a missing member', 'where.b'],
    ['a member of a string', 'where.a.length'],
    ['__proto__', '__proto__.polluted'],
    ['constructor', 'constructor.prototype.polluted'],
    ['an inherited member', 'where.toString'],
    ['an index beyond the list', 'list.1'],
    ['an invalid index', 'list.00'],
    ['the length of a list', 'list.length'],
    ['the root', ''],
    ['a broken escape', 'where\\a'],
  ])('%s: rejects the path', (_name, path) => {
    expect(getDecodeError({ where: { a: '1' }, list: ['1'] }, { values: { [path]: ['bigint'] }, v: 1 }).code).toBe(
      'invalid-serialization',
    )
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('rejects __proto__ in arguments and paths', () => {
    const json: unknown = JSON.parse('{"__proto__":{"a":"1"}}')
    const values: unknown = JSON.parse('{"__proto__.a":["bigint"]}')
    expect(() => deserialize(json, { values })).toThrow(RequestError)
    expect(() => deserialize({ a: '1' }, { values: JSON.parse('{"__proto__":["bigint"]}') as unknown })).toThrow(
      RequestError,
    )
  })

  it.each([
    ['references to a missing value', { referentialEqualities: { where: ['where.OR'] } }],
    ['references to the root', { referentialEqualities: [['where']] }],
    ['references of another form', { referentialEqualities: { where: [5] } }],
    ['another version', { values: {}, v: 2 }],
    ['a list', []],
    ['a string', 'x'],
    ['null', null],
    ['values that are a leaf', { values: ['Date'] }],
  ])('%s: rejects the metadata', (_name, meta) => {
    expect(getDecodeError({ where: { AND: {} } }, meta).code).toBe('invalid-serialization')
  })

  it('rejects two annotations of one value', () => {
    const values = { 'a\\.b': ['Date'], 'a.b': ['Date'] }
    expect(getDecodeError({ 'a.b': '2024-01-01T00:00:00Z' }, { values }).code).toBe('invalid-serialization')
  })

  it('reports the source of the metadata', () => {
    expect(() => deserialize({}, 1, { parameter: 'meta' })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ source: { parameter: 'meta' } })] }),
    )
  })
})
