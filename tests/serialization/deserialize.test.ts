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

function faultOf(json: unknown, meta: unknown): RequestError['faults'][0] {
  try {
    decode(json, meta)
  } catch (error) {
    if (error instanceof RequestError) return error.faults[0]
    throw error
  }
  throw new Error('It was accepted.')
}

describe('deserialize', () => {
  it('makes the five known types', () => {
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

  it('leaves JSON without meta as it is', () => {
    expect(decode({ a: '2024' }, undefined)).toEqual({ a: '2024' })
    expect(decode({ a: '2024' }, {})).toEqual({ a: '2024' })
  })

  it('reads what superjson writes, with dots and backslashes in keys', () => {
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
        const theirs = SuperJSON.serialize(args)
        const ours = serialize(args)
        const { values, v } = theirs.meta ?? {}
        expect(decode(theirs.json, theirs.meta && { values, v })).toEqual(args)
        const meta: unknown = ours.meta === undefined ? undefined : JSON.parse(ours.meta)
        expect(decode(JSON.parse(ours.json), meta)).toEqual(args)
      }),
    )
  })

  it('reads lists in lists, and refuses what superjson has of undefined and numbers that JSON does not have', () => {
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
          expect(faultOf(json, { values, v }).code).toBe('invalid-serialization')
        } else {
          expect(decode(json, meta && { values, v })).toEqual(args)
        }
      }),
      { numRuns: runs(1000) },
    )
  })

  it('reads the spelling of paths before version 1', () => {
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
    ['the joined spelling of a tag', '1.10', ['custom Decimal']],
    ['no type', '1', []],
    ['null', '1', null],
    ['a string', '1', 'bigint'],
  ])('refuses %s', (_name, value, annotation) => {
    expect(faultOf({ a: value }, { values: { a: annotation } }).code).toBe('invalid-serialization')
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
    ['no Base64 as Bytes', '%%%', [['custom', 'Bytes']]],
    ['a number that is no byte', [256], [['typed-array', 'Uint8Array']]],
    ['an object as list of bytes', { length: 1e9 }, [['typed-array', 'Uint8Array']]],
  ])('refuses %s', (_name, value, annotation) => {
    expect(faultOf({ a: value }, { values: { a: annotation } }).code).toBe('invalid-serialization')
  })

  it.each([
    ['a missing member', 'where.b'],
    ['a member of a string', 'where.a.length'],
    ['__proto__', '__proto__.polluted'],
    ['constructor', 'constructor.prototype.polluted'],
    ['an inherited member', 'where.toString'],
    ['an index beyond the list', 'list.1'],
    ['an index that is none', 'list.00'],
    ["a list's own members", 'list.length'],
    ['the root', ''],
    ['a broken escape', 'where\\a'],
  ])('refuses a path to %s', (_name, path) => {
    expect(faultOf({ where: { a: '1' }, list: ['1'] }, { values: { [path]: ['bigint'] }, v: 1 }).code).toBe(
      'invalid-serialization',
    )
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('refuses an own __proto__, in the arguments and in the path', () => {
    const json: unknown = JSON.parse('{"__proto__":{"a":"1"}}')
    const values: unknown = JSON.parse('{"__proto__.a":["bigint"]}')
    expect(() => deserialize(json, { values })).toThrow(RequestError)
    expect(() => deserialize({ a: '1' }, { values: JSON.parse('{"__proto__":["bigint"]}') as unknown })).toThrow(
      RequestError,
    )
  })

  it.each([
    ['references to what is not there', { referentialEqualities: { where: ['where.OR'] } }],
    ['references to the root', { referentialEqualities: [['where']] }],
    ['references of another form', { referentialEqualities: { where: [5] } }],
    ['another version', { values: {}, v: 2 }],
    ['a list', []],
    ['a string', 'x'],
    ['null', null],
    ['values that are a leaf', { values: ['Date'] }],
  ])('refuses %s', (_name, meta) => {
    expect(faultOf({ where: { AND: {} } }, meta).code).toBe('invalid-serialization')
  })

  it('refuses to decode a value twice', () => {
    const values = { 'a\\.b': ['Date'], 'a.b': ['Date'] }
    expect(faultOf({ 'a.b': '2024-01-01T00:00:00Z' }, { values }).code).toBe('invalid-serialization')
  })

  it('says where the metadata stood', () => {
    expect(() => deserialize({}, 1, { parameter: 'meta' })).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ source: { parameter: 'meta' } })] }),
    )
  })
})
