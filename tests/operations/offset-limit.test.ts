import { beforeAll, expect, it } from 'vitest'

import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { blogClient } from '../client/rest/apis.js'
import { fetchOf } from '../client/rest/serve.js'
import { type RpcClient, rpcClient } from '../rpc/client.js'
import { type RestClient, restClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

const BY_ID = { orderBy: { id: 'asc' } } as const

describeDatabases('limits.offset', (db) => {
  const options = { limits: { offset: 10 } }
  let rest: RestClient
  let rpc: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db, options)
    rpc = rpcClient(db, options)
  })

  it.each([
    ['page[offset]', '/post?page[offset]=', 10],
    ['page[offset]', '/post?sort=title&page[limit]=5&page[offset]=', 10],
    ['page[number]', '/post?page[size]=5&page[number]=', 3],
    ['page[offset]', '/user/1/posts?page[offset]=', 10],
    ['page[offset]', '/user/1/relationships/posts?page[offset]=', 10],
  ])('REST %s of %s: rejects a value beyond the limit with 400', async (parameter, path, max) => {
    expect((await rest.get(`${path}${max}`)).status).toBe(200)
    const { status, errors } = await rest.get(`${path}${max + 1}`)
    expect([status, errors[0]?.code, errors[0]?.source, errors[0]?.detail]).toEqual([
      400,
      'limit-exceeded',
      { parameter },
      expect.stringMatching(/page\[after\].*limits\.offset/),
    ])
  })

  it.each<[string, string, (skip: number) => object]>([
    ['findMany', 'skip', (skip) => ({ ...BY_ID, skip, take: 5 })],
    ['findFirst', 'skip', (skip) => ({ ...BY_ID, skip })],
    ['count', 'skip', (skip) => ({ skip })],
    ['aggregate', 'skip', (skip) => ({ ...BY_ID, skip, _count: true })],
    ['groupBy', 'skip', (skip) => ({ by: ['id'], ...BY_ID, skip })],
    ['findMany', 'include.comments.skip', (skip) => ({ ...BY_ID, take: 1, include: { comments: { skip, take: 1 } } })],
  ])('RPC %s %s: rejects a value beyond the limit with 400', async (operation, path, args) => {
    expect((await rpc.call('post', operation, args(10))).status).toBe(200)
    const { status, body } = await rpc.call('post', operation, args(11))
    expect([status, body.message, body.issues?.[0]?.path]).toEqual([
      400,
      expect.stringMatching(/"cursor".*limits\.offset/),
      path.split('.'),
    ])
  })

  it('accepts cursors beyond the limit', async () => {
    const ids = new Set<string>()
    let page = await rest.get('/post?sort=title&page[after]=&page[size]=30')
    for (;;) {
      for (const id of page.ids) ids.add(id)
      if (!page.body.links?.['next']) break
      page = await rest.follow(String(page.body.links['next']))
    }
    expect(ids.size).toBe(await db.orm.post.count())
    const { id } = await db.orm.post.findFirstOrThrow({ ...BY_ID, skip: 50 })
    expect((await rpc.call('post', 'findMany', { ...BY_ID, cursor: { id }, take: 1 })).body.data).toMatchObject([
      { id },
    ])
  })

  it('returns links.next but null as links.last beyond the limit', async () => {
    const { body } = await rest.get('/post?page[limit]=4&page[offset]=8')
    expect(body.meta?.['total']).toBe(await db.orm.post.count())
    expect(body.links).toMatchObject({ last: null, next: expect.stringContaining('page%5Boffset%5D=12') })
    expect((await rest.follow(String(body.links?.['next']))).errors[0]?.detail).toContain('page[after]')
    const near = await rest.get('/post?filter[id]=1,2,3,4,5,6&page[limit]=2')
    expect(near.body.links).toMatchObject({ last: expect.stringContaining('page%5Boffset%5D=4') })
  })

  it('REST client: throws beyond the limit instead of ending early', async () => {
    const client = blogClient(fetchOf(db, options))
    let rows = 0
    const read = async () => {
      for await (const page of client.post.pages({ page: { limit: 5 } })) rows += page.length
    }
    await expect(read()).rejects.toMatchObject({ status: 400, code: 'limit-exceeded' })
    expect(rows).toBe(15)
  })

  it('applies a default in both styles', async () => {
    const { offset } = DEFAULT_LIMITS
    expect((await restClient(db).get(`/post?page[offset]=${offset}`)).status).toBe(200)
    expect((await restClient(db).get(`/post?page[offset]=${offset + 1}`)).status).toBe(400)
    expect((await rpcClient(db).call('post', 'findMany', { skip: offset })).status).toBe(200)
    expect((await rpcClient(db).call('post', 'findMany', { skip: offset + 1 })).status).toBe(400)
    const all = { limits: { offset: Infinity } }
    expect((await restClient(db, all).get(`/post?page[offset]=${offset + 1}`)).status).toBe(200)
    expect((await rpcClient(db, all).call('post', 'findMany', { skip: offset + 1 })).status).toBe(200)
  })
})
