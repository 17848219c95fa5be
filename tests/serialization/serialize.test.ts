import fc from 'fast-check'
import SuperJSON from 'superjson'
import { describe, expect, it, vi } from 'vitest'

import { Prisma } from '../../fixtures/blog/client/client.js'
import { serialize, type Serialized } from '../../runtime/serialization/serialize.js'
import { toBase64 } from '../../runtime/values/to-json.js'
import { runs } from '../support/form.js'

const superjson = new SuperJSON()
superjson.registerCustom<Prisma.Decimal, string>(
  {
    isApplicable: (v) => Prisma.Decimal.isDecimal(v),
    serialize: (v) => v.toFixed(),
    deserialize: (v) => new Prisma.Decimal(v),
  },
  'Decimal',
)
superjson.registerCustom<Uint8Array, string>(
  {
    isApplicable: (v) => v instanceof Uint8Array,
    serialize: (v) => Buffer.from(v).toString('base64'),
    deserialize: (v) => new Uint8Array(Buffer.from(v, 'base64')),
  },
  'Bytes',
)

const key = fc.oneof(
  fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/),
  fc.constantFrom('a.b', 'a\\b', 'a\\.b', '.', '\\'),
)
const safeKey = key.filter((k) => !['__proto__', 'constructor', 'prototype'].includes(k))
const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.bigInt(),
  fc.uint8Array({ maxLength: 20 }),
  fc.integer().map((n) => new Prisma.Decimal(n).div(7)),
)
/** Values that only client extensions return, and some that Prisma returns from PostgreSQL's lists and Json. */
const special = fc.constantFrom<unknown>(undefined, NaN, Infinity, -Infinity, -0, new Date(NaN))
const { special: specialTree } = fc.letrec((tie) => ({
  special: fc.oneof(
    { maxDepth: 4 },
    fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 2, arbitrary: special }),
    fc.dictionary(safeKey, tie('special'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('special'), { maxLength: 4 }),
  ),
}))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.dictionary(safeKey, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
    // A list of Prisma contains values of one type. In mixed lists, superjson orders the paths differently.
    fc.array(scalar, { maxLength: 4 }),
    fc.array(fc.dictionary(safeKey, tie('tree'), { maxKeys: 3, noNullPrototype: true }), { maxLength: 4 }),
  ),
}))

/** Formats a result like superjson's own result. */
function text({ json, meta }: Serialized): string {
  return meta === undefined ? `{"json":${json}}` : `{"json":${json},"meta":${meta}}`
}

/** Whether JSON.parse mistakes a key for the previous one. V8 in Node 24.21 does if both contain a backslash. */
const MISTAKES_KEYS = ['\\\\', '\\.'].some((key) => !(key in parsed(key)))

function parsed(key: string): object {
  return JSON.parse(`{"a":1,${JSON.stringify(key)}:1}`)
}

describe('serialize', () => {
  it('writes the same bytes as superjson with the same custom types', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(text(serialize(value))).toBe(JSON.stringify(superjson.serialize(value)))
      }),
      { numRuns: runs(2000) },
    )
  })

  it('writes the same for known identifiers', () => {
    const value = { id: 1, at: new Date(0), 'a.b': { at: [new Date(1)], 'x"y': 2n } }
    expect(serialize(value, new Set(['id', 'at']))).toEqual(serialize(value))
  })

  it.skipIf(MISTAKES_KEYS)('writes nested lists, undefined, non-JSON numbers and invalid dates like superjson', () => {
    fc.assert(
      fc.property(specialTree, (value) => {
        const { json, meta } = serialize(value)
        const expected = superjson.serialize(value)
        expect(json).toBe(JSON.stringify(expected.json))
        // superjson also lists equal dates and bigints, which are not in the contract's meta.
        const values: unknown = meta === undefined ? undefined : Reflect.get(JSON.parse(meta) as object, 'values')
        expect(values).toEqual(expected.meta?.values)
      }),
      { numRuns: runs(2000) },
    )
  })

  it.skipIf(MISTAKES_KEYS)('writes text that superjson parses to the original value', () => {
    fc.assert(
      fc.property(specialTree, (value) => {
        const read: unknown = superjson.parse(text(serialize(value)))
        expect(read).toEqual(superjson.parse(superjson.stringify(value)))
      }),
      { numRuns: runs(1000) },
    )
  })

  it('omits meta for plain JSON values', () => {
    expect(serialize({ a: [1, 'x', null, true, { b: 1.5 }] })).toEqual({ json: '{"a":[1,"x",null,true,{"b":1.5}]}' })
  })

  it.each([
    ['undefined', { a: undefined }],
    ['infinity', { a: Infinity }],
    ['a negative zero', { a: [-0] }],
    ['a map', { a: new Map([['k', new Date(0)]]) }],
    ['a set', [new Set([1n])]],
    ['a regular expression', { a: /x/g }],
    ['a URL', { a: new URL('http://example.com/') }],
    ['an invalid date', { a: new Date('no') }],
    ['a map in a set in a map', new Map([['a.b', new Set([new Map([[1n, NaN]])])]])],
    ['an error', { a: new Error('no', { cause: new Date(0) }), b: new TypeError('no') }],
    [
      'lists of numbers',
      { a: new Int8Array([1, -1]), b: new Float64Array([0.5, -1e-9, NaN, -Infinity, -0]), c: new Uint8ClampedArray(2) },
    ],
    ['a function', { a: () => 1, b: [() => 1], c: Symbol('c') }],
    [
      'an object of a class',
      {
        a: new (class A {
          readonly b = 1
        })(),
        c: new DataView(new ArrayBuffer(1)),
      },
    ],
    ['undefined at the root', undefined],
    ['a number at the root', Infinity],
    ['a map at the root', new Map()],
    ['an object without a prototype', { a: Object.assign(Object.create(null), { b: undefined }) as unknown }],
  ])('%s: writes the same as superjson', (_name, value) => {
    expect(text(serialize(value))).toBe(JSON.stringify(superjson.serialize(value)))
  })

  it('keeps members of Json values that superjson rejects', () => {
    const value = JSON.parse('{"settings":{"constructor":1,"__proto__":{"x":2}}}') as unknown
    expect(serialize(value).json).toBe('{"settings":{"constructor":1,"__proto__":{"x":2}}}')
  })

  it('writes the same Base64 without Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 0x8002 }), (bytes) => {
        const inside = new Uint8Array([1, ...bytes, 2]).subarray(1, bytes.length + 1)
        const fast = toBase64(inside)
        vi.stubGlobal('Buffer', undefined)
        const plain = toBase64(inside)
        vi.unstubAllGlobals()
        expect(plain).toBe(fast)
      }),
      { numRuns: runs(50) },
    )
  })
})
