import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decode } from '../../client/codec/decode.js'
import { encode } from '../../client/codec/encode.js'
import { escapeKey, parsePath } from '../../client/codec/path.js'
import { Prisma } from '../../fixtures/blog/client/client.js'
import { deserialize } from '../../runtime/serialization/deserialize.js'
import { serialize } from '../../runtime/serialization/serialize.js'
import { superjsonOf } from '../rpc/client.js'
import { runs } from '../support/form.js'

const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: -20, max: 20 }))
    .map(([digits, exponent]) => new Prisma.Decimal(`${digits}e${exponent}`)),
)

/** Keys that contain the syntax of paths. */
const key = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('a.b', '\\', 'a\\.b', '.', '', '0'))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.dictionary(
      key.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}))

const decimal = (text: string) => new Prisma.Decimal(text)
const overTheWire = (input: unknown): unknown => JSON.parse(JSON.stringify(input))
const numRuns = runs(300)

describe('client codec', () => {
  it('round-trips values through the server', () => {
    fc.assert(
      fc.property(value, (input) => {
        const { json, values } = encode({ input })
        const atServer = deserialize(overTheWire(json), values && { values: overTheWire(values), v: 1 })
        const { json: text, meta } = serialize(input)
        expect(decode(JSON.parse(text), meta && JSON.parse(meta), decimal)).toEqual(input)
        // The server serializes a Decimal as its digits.
        expect(serialize(atServer).json).toBe(serialize({ input }).json)
      }),
      { numRuns },
    )
  })

  it('encodes values as superjson does', () => {
    const superjson = superjsonOf(Prisma)
    fc.assert(
      fc.property(value, (input) => {
        const { json, values } = encode({ input })
        const expected = superjson.serialize({ input })
        expect(overTheWire(json)).toEqual(overTheWire(expected.json))
        expect(values ?? {}).toEqual(expected.meta?.values ?? {})
        expect(
          superjson.deserialize({ json: overTheWire(json) as never, meta: { values: values as never, v: 1 } }),
        ).toEqual({
          input,
        })
      }),
      { numRuns },
    )
  })

  it('parses the paths that it builds', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1 }), (keys) => {
        expect(parsePath(keys.map(escapeKey).join('.'))).toEqual(keys)
      }),
    )
  })

  it('decodes undefined, Infinity, NaN and Set values of computed fields', () => {
    const input = { none: undefined, infinite: -Infinity, none2: Number.NaN, set: new Set([1]) }
    const { json, meta } = serialize(input)
    expect(decode(JSON.parse(json), meta && JSON.parse(meta))).toEqual({ ...input, set: [1] })
    const big = serialize(5n)
    expect(decode(JSON.parse(big.json), JSON.parse(big.meta ?? ''))).toBe(5n)
  })

  it.each([
    ['no metadata', undefined],
    ['paths that do not exist', { values: { 'a.b': ['Date'], 'x.y.z': ['bigint'], '__proto__.x': ['undefined'] } }],
    ['invalid annotations', { values: { a: 'Date', b: [['custom']], c: [] } }],
    ['number instead of annotations', { values: 7 }],
    ['null', null],
  ])('%s: leaves values unchanged', (_, meta) => {
    expect(decode({ a: '1', b: 2, c: null }, meta)).toEqual({ a: '1', b: 2, c: null })
  })

  it.each([
    [{ where: { at: new Date(Number.NaN) } }, 'where.at is an invalid Date, which cannot be sent.'],
    [{ take: Number.NaN }, 'take is NaN, which cannot be sent.'],
    [{ data: { 'a.b': Infinity } }, 'data.a\\.b is Infinity, which cannot be sent.'],
    [{ data: [undefined] }, 'data.0 is undefined in an array, which cannot be sent.'],
    [{ data: { run: () => 1 } }, 'data.run is a function, which cannot be sent.'],
    [{ data: Symbol('s') }, 'data is a symbol, which cannot be sent.'],
  ])('%o: throws a TypeError because JSON cannot represent the value', (input, message) => {
    expect(() => encode(input)).toThrow(new TypeError(message))
  })

  it('encodes a member named __proto__', () => {
    const input: unknown = JSON.parse('{ "__proto__": { "a": 1 } }')
    expect(JSON.stringify(encode(input).json)).toBe('{"__proto__":{"a":1}}')
  })

  it('annotates undefined values in note mode', () => {
    expect(encode({ where: { id: undefined, a: 1 } }, 'annotate')).toEqual({
      json: { where: { id: null, a: 1 } },
      values: { 'where.id': ['undefined'] },
    })
  })
})
