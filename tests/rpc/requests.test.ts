import SuperJSON from 'superjson'
import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

const JSON_TYPE = { 'Content-Type': 'application/json' }

function q(args: unknown): string {
  return `q=${encodeURIComponent(JSON.stringify(args))}`
}

function meta(values: unknown): string {
  return `meta=${encodeURIComponent(JSON.stringify({ serialization: { values } }))}`
}

describeDatabases('RPC: requests', (db) => {
  let api: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  describe('where the arguments stand', () => {
    it('in q, with GET', async () => {
      const { status, body } = await api.fetch(`/post/findUnique?${q({ where: { id: 1 }, select: { slug: true } })}`)
      expect([status, body]).toEqual([200, { data: { slug: 'hello-world' } }])
    })

    it('in the body of a read by POST', async () => {
      const init = { method: 'POST', headers: JSON_TYPE, body: '{"where":{"id":1},"select":{"slug":true}}' }
      expect((await api.fetch('/post/findUnique', init)).body).toEqual({ data: { slug: 'hello-world' } })
    })

    it('nowhere, where there are none', async () => {
      expect((await api.fetch('/tag/count')).body).toEqual({ data: 24 })
      expect((await api.fetch('/tag/count', { method: 'POST' })).body).toEqual({ data: 24 })
    })

    it('with PUT as with PATCH', async () => {
      const init = { method: 'PUT', headers: JSON_TYPE, body: '{"where":{"id":1},"data":{},"select":{"id":true}}' }
      expect((await api.fetch('/post/update', init)).body).toEqual({ data: { id: 1 } })
    })

    it('a charset of the media type may be named', async () => {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
      expect((await api.fetch('/tag/count', { method: 'POST', headers, body: '{}' })).status).toBe(200)
    })
  })

  it.each([
    ['an empty q', '/post/findMany?q='],
    ['q that is no JSON', '/post/findMany?q={where'],
    ['q that is a list', '/post/findMany?q=[]'],
    ['q that is null', '/post/findMany?q=null'],
    ['q that is a string', '/post/findMany?q=%22x%22'],
    ['q twice', '/post/findMany?q={}&q={}'],
    ['q as a list parameter', '/post/findMany?q[]={}'],
    ['another parameter', '/post/findMany?fliter={}'],
    ['a parameter named __proto__', '/post/findMany?__proto__[x]=1'],
    ['broken percent-encoding', '/post/findMany?q=%7B%'],
    ['bytes that are no UTF-8', '/post/findMany?q=%7B%22%ff%22:1%7D'],
    ['meta without q', `/post/findMany?${meta({})}`],
    ['meta twice', `/post/findMany?q={}&meta={}&meta={}`],
    ['meta that is no JSON', '/post/findMany?q={}&meta={'],
    ['meta that is a list', '/post/findMany?q={}&meta=[]'],
    ['meta with other members', '/post/findMany?q={}&meta={"values":{}}'],
    ['meta that is a string', '/post/findMany?q={}&meta={"serialization":"x"}'],
  ])('%s is 400', async (_what, path) => {
    const { status, body } = await api.fetch(path)
    expect([status, typeof body.message]).toEqual([400, 'string'])
  })

  it.each([
    ['no JSON', '{"where"', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['empty', '', 400],
    ['meta with other members', '{"where":{"id":1},"data":{},"meta":{"x":1}}', 400],
    ['meta that is a string', '{"where":{"id":1},"data":{},"meta":"x"}', 400],
    ['meta that is null', '{"where":{"id":1},"data":{},"meta":null}', 400],
    ['own __proto__', '{"where":{"id":1,"__proto__":{"id":2}},"data":{}}', 400],
    ['a constructor', '{"where":{"id":1},"data":{"constructor":{"prototype":{"x":1}}}}', 400],
    ['a prototype', '{"prototype":{},"where":{"id":1},"data":{}}', 400],
  ])('a body that is %s is refused', async (_what, body, status) => {
    const answer = await api.fetch('/post/update', { method: 'PATCH', headers: JSON_TYPE, body })
    expect(answer.status, answer.body.message).toBe(status)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  it('a body of bytes that are no UTF-8 is 400', async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect((await api.fetch('/post/findMany', { method: 'POST', headers: JSON_TYPE, body })).status).toBe(400)
  })

  it.each([
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another JSON', { 'Content-Type': 'application/vnd.api+json' }],
    ['another charset', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['two types', { 'Content-Type': 'text/plain, application/json' }],
  ])('a body of %s is 415', async (_what, headers) => {
    const body = '{"data":{"slug":"csrf","title":"x"}}'
    expect((await api.fetch('/post/create', { method: 'POST', headers, body })).status).toBe(415)
    expect(await db.orm.post.count({ where: { slug: 'csrf' } })).toBe(0)
  })

  it('a body without a type is 415', async () => {
    const body = new TextEncoder().encode('{"data":{"slug":"csrf","title":"x"}}')
    expect((await api.fetch('/post/create', { method: 'POST', body })).status).toBe(415)
  })

  it('arguments in the query and in the body are 400', async () => {
    const body = '{"where":{"id":1},"data":{}}'
    const init = { method: 'PATCH', headers: JSON_TYPE, body }
    expect((await api.fetch(`/post/update?${q({})}`, init)).status).toBe(400)
    expect((await api.fetch(`/post/delete?${q({ where: { id: 1 } })}`, { ...init, method: 'DELETE' })).status).toBe(400)
    expect(await db.orm.post.count({ where: { id: 1 } })).toBe(1)
  })

  it('a GET whose headers tell of a body is 400: the server has dropped it, and all rows would be the answer', async () => {
    const get = (headers: Record<string, string>) => api.fetch('/post/findMany', { headers })
    expect((await get({ 'Content-Length': '20' })).status).toBe(400)
    expect((await get({ 'Transfer-Encoding': 'chunked' })).status).toBe(400)
    expect((await get({ 'Content-Length': '0' })).status).toBe(200)
  })

  describe('routes', () => {
    it.each([
      ['/post/create', 'GET', 'POST'],
      ['/post/createMany', 'GET', 'POST'],
      ['/post/upsert', 'GET', 'POST'],
      ['/post/update', 'GET', 'PATCH, PUT'],
      ['/post/updateMany', 'POST', 'PATCH, PUT'],
      ['/post/delete', 'GET', 'DELETE'],
      ['/post/deleteMany', 'POST', 'DELETE'],
      ['/post/findMany', 'DELETE', 'GET, HEAD, POST'],
      ['/post/check', 'PUT', 'GET, HEAD, POST'],
    ])('%s with %s is 405', async (path, method, allow) => {
      const { status, headers, body } = await api.fetch(path, { method })
      expect([status, headers.get('allow')]).toEqual([405, allow])
      expect(body.message).toBeTypeOf('string')
    })

    it.each([
      '/post',
      '/post/',
      '/post/nope',
      '/post/findMany/',
      '/post//findMany',
      '/post/findMany/1',
      '/post/constructor',
      '/post/__proto__',
      '/post/then',
      '/post/$queryRaw',
      '/post/findRaw',
      '/post/aggregateRaw',
      '/$queryRaw/x',
      '/$transaction/findMany',
      '/toString/findMany',
      '/__proto__/findMany',
      '/nope/findMany',
      '/',
      '/post/findmany',
      '/POST/findMany',
    ])('%s is 404', async (path) => {
      const { status, body } = await api.fetch(path)
      expect([status, typeof body.message]).toEqual([404, 'string'])
    })

    it('a wrong operation is answered with those that there are', async () => {
      const { message } = (await api.fetch('/tag/findmany')).body
      expect(message).toMatch(/There is: aggregate, check, count, create, .*findMany, .*upsert\.$/)
    })

    it('a model answers under its name in lower case, as the client spells it, and exactly', async () => {
      for (const [name, status] of [
        ['post', 200],
        ['Post', 308],
      ]) {
        expect((await api.fetch(`/${name}/count`)).status).toBe(status)
      }
    })

    it('HEAD answers like GET without a body', async () => {
      const { status, headers, body } = await api.fetch('/post/findMany', { method: 'HEAD' })
      expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', {}])
    })

    it('the method cannot be overridden', async () => {
      const headers = { 'X-HTTP-Method-Override': 'DELETE' }
      expect((await api.fetch(`/post/deleteMany?${q({ where: {} })}`, { headers })).status).toBe(405)
    })

    it("answers are nobody else's to keep", async () => {
      for (const path of ['/post/count', '/post/nope']) {
        expect((await api.fetch(path)).headers.get('cache-control')).toBe('private, no-store')
      }
    })
  })

  describe('meta cannot make what JSON cannot say', () => {
    it.each([
      ['undefined', { where: { id: null } }, { 'where.id': ['undefined'] }],
      ['a number', { where: {}, take: 'Infinity' }, { take: ['number'] }],
      ['a regular expression', { where: { slug: '/x/' } }, { 'where.slug': ['regexp'] }],
      ['a set', { where: { slug: { in: ['x'] } } }, { 'where.slug.in': ['set'] }],
      ['a map', { where: [['slug', 'x']] }, { where: ['map'] }],
      ['an Error', { where: { slug: { name: 'x', message: 'x' } } }, { 'where.slug': ['Error'] }],
      ['a URL', { where: { slug: 'http://x/' } }, { 'where.slug': ['URL'] }],
      ['a class', { where: { slug: {} } }, { 'where.slug': [['class', 'X']] }],
      ['an invalid date', { where: { updatedAt: 'nope' } }, { 'where.updatedAt': ['Date'] }],
      ['a date at the root', '2024-01-01T00:00:00Z', ['Date']],
      ['__proto__', { where: {} }, { '__proto__.x': ['bigint'] }],
    ])('%s is 400', async (_what, args, values) => {
      const before = await db.orm.post.count()
      for (const [operation, method] of [
        ['findMany', 'GET'],
        ['deleteMany', 'DELETE'],
      ] as const) {
        expect((await api.fetch(`/post/${operation}?${q(args)}&${meta(values)}`, { method })).status).toBe(400)
      }
      const body = JSON.stringify({ ...Object(args), data: { title: 'x' }, meta: { serialization: { values } } })
      expect((await api.fetch('/post/updateMany', { method: 'PATCH', headers: JSON_TYPE, body })).status).toBe(400)
      expect([await db.orm.post.count(), await db.orm.post.count({ where: { title: 'x' } })]).toEqual([before, 0])
    })

    it.each([
      ['in a where', { where: { id: null } }, 'where.id'],
      ['for all of a where', { where: null }, 'where'],
      [
        'in a nested where',
        { where: { id: 1 }, data: { posts: { updateMany: { where: { id: null } } } } },
        'data.posts.updateMany.where.id',
      ],
      [
        'in what is deleted',
        { where: { id: 1 }, data: { posts: { deleteMany: { id: null } } } },
        'data.posts.deleteMany.id',
      ],
      [
        'in what is connected',
        { where: { id: 1 }, data: { posts: { connect: { id: null, slug: 'one' } } } },
        'data.posts.connect.id',
      ],
      ['in a list', { where: { id: 1 }, data: { posts: { connect: [null] } } }, 'data.posts.connect.0'],
    ])('undefined %s is 400', async (_what, args, path) => {
      const values = { [path]: ['undefined'] }
      const body = JSON.stringify({ ...args, meta: { serialization: { values, v: 1 } } })
      const answer = await api.fetch('/user/update', { method: 'PATCH', headers: JSON_TYPE, body })
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('must not be undefined')])
    })

    it('undefined is absence in data, in selections and of arguments', async () => {
      const before = await db.orm.user.findUniqueOrThrow({ where: { id: 1 } })
      const shared = { name: true }
      const { json, meta: serialization } = SuperJSON.serialize({
        where: { id: 1 },
        data: { name: before.name, email: undefined, posts: undefined },
        select: { email: true, id: undefined, posts: { select: { author: { select: shared } }, take: 1 } },
        omit: undefined,
      })
      const body = JSON.stringify({ ...Object(json), meta: { serialization } })
      const answer = await api.fetch('/user/update', { method: 'PATCH', headers: JSON_TYPE, body })
      expect([answer.status, Object.keys(Object(answer.body.data)).sort()]).toEqual([200, ['email', 'posts']])
      expect(await db.orm.user.findUnique({ where: { id: 1 } })).toEqual(before)
    })

    it('references are not needed: the JSON holds both copies', async () => {
      const at = new Date('2024-01-01T00:00:00Z')
      const both = { gt: at }
      const { json, meta: serialization } = SuperJSON.serialize({
        where: { OR: [{ updatedAt: both }, { publishedAt: both }] },
      })
      expect(serialization).toHaveProperty('referentialEqualities')
      const query = `q=${encodeURIComponent(JSON.stringify(json))}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}`
      expect((await api.fetch(`/post/findMany?${query}`)).status).toBe(200)
    })

    it('references to copies that are not there are 400', async () => {
      const serialization = { values: {}, referentialEqualities: { where: ['where.AND'] }, v: 1 }
      const query = `${q({ where: { AND: null } })}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}`
      expect((await api.fetch(`/post/findMany?${query}`)).status).toBe(400)
    })
  })
})
