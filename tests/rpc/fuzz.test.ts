import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { seed } from '../../fixtures/blog/seed.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { Arguments, BLOG, poolOf } from './arbitrary.js'
import { methodOf, rpcClient, superjsonOf } from './client.js'

const OPERATIONS = [
  'findMany',
  'findFirst',
  'findUnique',
  'count',
  'aggregate',
  'groupBy',
  'create',
  'createMany',
  'update',
  'updateMany',
  'upsert',
  'delete',
  'deleteMany',
  'check',
]

/** Words that mean something somewhere in the arguments, so that what is made of them gets past the first check. */
const WORDS = [
  ...'where data select include omit orderBy cursor take skip distinct by having create update AND OR NOT'.split(' '),
  ...'_count _avg _sum _min _max _all some every none is isNot equals not in notIn lt lte gt gte contains mode'.split(
    ' ',
  ),
  ...'set connect connectOrCreate disconnect delete deleteMany updateMany upsert createMany increment push'.split(' '),
  ...'path string_contains search sort nulls operation skipDuplicates limit __proto__ constructor toString'.split(' '),
  ...[...BLOG.values()].flatMap((model) => [
    ...model.fields.keys(),
    ...model.relations.keys(),
    ...model.uniques.keys(),
  ]),
]

const key = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...new Set(WORDS)) }, fc.string({ maxLength: 5 }))

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    Number.MAX_VALUE,
    -0,
    '',
    'asc',
    'desc',
    'read',
  ),
  fc.constantFrom<unknown>(
    'hello-world',
    'DRAFT',
    '2024-02-30',
    '2024-01-01T00:00:00Z',
    '%',
    '\u0000',
    '\ud800',
    'AQI=',
    '1e1',
  ),
  fc.constantFrom<unknown>('9223372036854775808', '0x10', 'NaN', 'Infinity', 'undefined', '$.a', [], {}),
  fc.integer({ min: -3, max: 100 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: false },
    leaf,
    fc.dictionary(key, tie('json'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('json'), { maxLength: 3 }),
  ),
}))

/** Arguments whose outermost members are those of the operation, so that its checks are reached. */
const args = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom(...WORDS.slice(0, 14)), json, { maxKeys: 4, noNullPrototype: true }),
  },
  { weight: 1, arbitrary: json },
)

const tag = fc.oneof(
  fc.constantFrom<unknown>(
    ['Date'],
    ['bigint'],
    [['custom', 'Decimal']],
    [['custom', 'Bytes']],
    [['typed-array', 'Uint8Array']],
  ),
  fc.constantFrom<unknown>(
    ['undefined'],
    ['set'],
    ['map'],
    ['Error'],
    ['regexp'],
    ['number'],
    [['class', 'User']],
    ['Date', {}],
  ),
  json,
)
const path = fc.array(fc.oneof(key, fc.constantFrom('0', '1')), { maxLength: 4 }).map((keys) => keys.join('.'))
const meta = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.record({ serialization: fc.record({ values: fc.dictionary(path, tag, { maxKeys: 2, noNullPrototype: true }) }) }),
  fc.record({ serialization: json }),
  json,
)

const READS = ['findMany', 'findFirst', 'findUnique', 'count', 'aggregate', 'groupBy']

const RUNS = 1000

describeDatabases('RPC: whatever is sent', (db) => {
  beforeAll(async () => {
    await db.reset()
    await seed(db.orm)
  })

  it('is answered with no 5xx, and changes nothing where it is refused', async () => {
    const api = rpcClient(db)
    const models = [...BLOG.values()].map((model) => model.delegate)
    let state = await snapshot(db)
    const requests = fc.tuple(fc.constantFrom(...models), fc.constantFrom(...OPERATIONS), args, meta, fc.boolean())
    await fc.assert(
      fc.asyncProperty(requests, async ([model, operation, args, meta, post]) => {
        const method = methodOf(operation)
        const { status, body } =
          method === 'GET' || method === 'DELETE'
            ? await (post && method === 'GET'
                ? send(api, `/${model}/${operation}`, 'POST', args, meta)
                : api.fetch(`/${model}/${operation}?${query(args, meta)}`, { method }))
            : await send(api, `/${model}/${operation}`, method, args, meta)
        expect(status, body.message).toBeLessThan(500)
        if (method === 'GET') return
        const after = await snapshot(db)
        if (status >= 400) expect(after).toEqual(state)
        state = after
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  }, 120_000)

  it('is answered with no 5xx where it is nearly right', async () => {
    const api = rpcClient(db)
    const valid = new Arguments(await poolOf(db), db.provider)
    const superjson = superjsonOf(db.client.Prisma)
    const cases = fc
      .tuple(fc.constantFrom(...BLOG.values()), fc.constantFrom(...READS))
      .chain(([model, operation]) =>
        fc.tuple(fc.constant(model.delegate), fc.constant(operation), valid.read(model, operation), fc.nat(), leaf),
      )
    await fc.assert(
      fc.asyncProperty(cases, async ([model, operation, args, at, value]) => {
        // Without meta: values stand as plain JSON.
        const spoilt = replaceOne(superjson.serialize(args).json, at, value)
        const { status, body } = await send(api, `/${model}/${operation}`, 'POST', spoilt, undefined)
        expect(status, body.message).toBeLessThan(500)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  }, 120_000)

  it('is answered so too where q and meta are any text', async () => {
    const api = rpcClient(db)
    const texts = fc.tuple(
      fc.string({ unit: 'binary' }),
      fc.oneof(fc.constant(undefined), fc.string({ unit: 'binary' })),
    )
    await fc.assert(
      fc.asyncProperty(texts, async ([q, meta]) => {
        const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))
        const { status } = await api.fetch(
          `/post/findMany?q=${encode(q)}${meta === undefined ? '' : `&meta=${encode(meta)}`}`,
        )
        expect(status).toBe(400)
      }),
      { numRuns: 200, endOnFailure: true },
    )
  })
})

/** A copy with one of its values replaced; `at` counts them in order. */
function replaceOne(json: unknown, at: number, value: unknown): unknown {
  const count = (node: unknown): number =>
    typeof node === 'object' && node !== null
      ? Object.values(node).reduce<number>((sum, part) => sum + count(part), 1)
      : 1
  let left = at % count(json)
  const copy = (node: unknown): unknown => {
    if (left-- === 0) return value
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, copy(part)]))
  }
  return copy(json)
}

function query(args: unknown, meta: unknown): string {
  const q = `q=${encodeURIComponent(JSON.stringify(args))}`
  return meta === undefined ? q : `${q}&meta=${encodeURIComponent(JSON.stringify(meta))}`
}

function send(api: ReturnType<typeof rpcClient>, path: string, method: string, args: unknown, meta: unknown) {
  const plain = typeof args === 'object' && args !== null && !Array.isArray(args)
  const body = JSON.stringify(plain && meta !== undefined ? { ...args, meta } : args)
  return api.fetch(path, { method, body, headers: { 'Content-Type': 'application/json' } })
}

async function snapshot({ orm }: Database): Promise<unknown> {
  return [
    await orm.user.aggregate({ _count: true, _max: { id: true, email: true, password: true } }),
    await orm.post.findMany({
      select: { id: true, slug: true, title: true, authorId: true, categoryId: true, viewCount: true },
    }),
    await orm.comment.aggregate({ _count: true, _sum: { seq: true, authorId: true } }),
    await orm.category.findMany(),
    await orm.profile.aggregate({ _count: true, _sum: { userId: true } }),
    await orm.tag.findMany(),
  ]
}
