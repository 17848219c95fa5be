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

/** Keys with what paths are spelled with. */
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
const overTheWire = (given: unknown): unknown => JSON.parse(JSON.stringify(given))
const numRuns = runs(300)

describe('client: values', () => {
  it('are the same again, by the server and back', () => {
    fc.assert(
      fc.property(value, (given) => {
        const { json, values } = encode({ given })
        const atServer = deserialize(overTheWire(json), values && { values: overTheWire(values), v: 1 })
        const { json: text, meta } = serialize(given)
        expect(decode(JSON.parse(text), meta && JSON.parse(meta), decimal)).toEqual(given)
        // At the server a Decimal is its digits.
        expect(serialize(atServer).json).toBe(serialize({ given }).json)
      }),
      { numRuns },
    )
  })

  it('are written as superjson writes them, and read as it reads them', () => {
    const superjson = superjsonOf(Prisma)
    fc.assert(
      fc.property(value, (given) => {
        const { json, values } = encode({ given })
        const theirs = superjson.serialize({ given })
        expect(overTheWire(json)).toEqual(overTheWire(theirs.json))
        expect(values ?? {}).toEqual(theirs.meta?.values ?? {})
        expect(
          superjson.deserialize({ json: overTheWire(json) as never, meta: { values: values as never, v: 1 } }),
        ).toEqual({
          given,
        })
      }),
      { numRuns },
    )
  })

  it('have paths that lead back', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1 }), (keys) => {
        expect(parsePath(keys.map(escapeKey).join('.'))).toEqual(keys)
      }),
    )
  })

  it('that computed fields may give are read as far as JSON has words for them', () => {
    const given = { none: undefined, infinite: -Infinity, none2: Number.NaN, set: new Set([1]) }
    const { json, meta } = serialize(given)
    expect(decode(JSON.parse(json), meta && JSON.parse(meta))).toEqual({ ...given, set: [1] })
    const big = serialize(5n)
    expect(decode(JSON.parse(big.json), JSON.parse(big.meta ?? ''))).toBe(5n)
  })

  it.each([
    ['not', undefined],
    ['paths to nowhere', { values: { 'a.b': ['Date'], 'x.y.z': ['bigint'], '__proto__.x': ['undefined'] } }],
    ['what is no note', { values: { a: 'Date', b: [['custom']], c: [] } }],
    ['no notes', { values: 7 }],
    ['nothing', null],
  ])('without notes that fit stay as they are: %s', (_, meta) => {
    expect(decode({ a: '1', b: 2, c: null }, meta)).toEqual({ a: '1', b: 2, c: null })
  })

  it.each([
    [{ where: { at: new Date(Number.NaN) } }, 'where.at is an invalid Date, which cannot be sent.'],
    [{ take: Number.NaN }, 'take is NaN, which cannot be sent.'],
    [{ data: { 'a.b': Infinity } }, 'data.a\\.b is Infinity, which cannot be sent.'],
    [{ data: [undefined] }, 'data.0 is undefined, in a list, which cannot be sent.'],
    [{ data: { run: () => 1 } }, 'data.run is a function, which cannot be sent.'],
    [{ data: Symbol('s') }, 'data is a symbol, which cannot be sent.'],
  ])('that have no JSON are refused: %o', (given, message) => {
    expect(() => encode(given)).toThrow(new TypeError(message))
  })

  it('keep a member called __proto__, which the server refuses', () => {
    const given: unknown = JSON.parse('{ "__proto__": { "a": 1 } }')
    expect(JSON.stringify(encode(given).json)).toBe('{"__proto__":{"a":1}}')
  })

  it('notes undefined where the server is to know of it', () => {
    expect(encode({ where: { id: undefined, a: 1 } }, 'note')).toEqual({
      json: { where: { id: null, a: 1 } },
      values: { 'where.id': ['undefined'] },
    })
  })
})
