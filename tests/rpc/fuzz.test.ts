import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { Arguments, BLOG, poolOf } from './arbitrary.js'
import { args, leaf, meta, OPERATIONS, replaceOne } from './arbitrary-requests.js'
import { methodOf, rpcClient, superjsonOf } from './client.js'

const READS = ['findMany', 'findFirst', 'findUnique', 'count', 'aggregate', 'groupBy']

const RUNS = 400

describeDatabases('RPC: fuzzed requests', (db) => {
  beforeAll(async () => {
    await db.fill(seedBlog)
  })

  it('responds without a 5xx and writes no rows if it rejects', async () => {
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
      { numRuns: runs(RUNS), endOnFailure: true },
    )
  }, 120_000)

  it('responds without a 5xx to nearly valid arguments', async () => {
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
        // Without meta, values are plain JSON.
        const spoilt = replaceOne(superjson.serialize(args).json, at, value)
        const { status, body } = await send(api, `/${model}/${operation}`, 'POST', spoilt, undefined)
        expect(status, body.message).toBeLessThan(500)
      }),
      { numRuns: runs(RUNS), endOnFailure: true },
    )
  }, 120_000)

  it('rejects arbitrary text in q and meta with 400', async () => {
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
      { numRuns: runs(200), endOnFailure: true },
    )
  })
})

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
