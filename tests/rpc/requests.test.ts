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

  describe('arguments', () => {
    it('reads q from a GET', async () => {
      const { status, body } = await api.fetch(`/post/findUnique?${q({ where: { id: 1 }, select: { slug: true } })}`)
      expect([status, body]).toEqual([200, { data: { slug: 'hello-world' } }])
    })

    it('reads the body of a POST', async () => {
      const init = { method: 'POST', headers: JSON_TYPE, body: '{"where":{"id":1},"select":{"slug":true}}' }
      expect((await api.fetch('/post/findUnique', init)).body).toEqual({ data: { slug: 'hello-world' } })
    })

    it('accepts a request without arguments', async () => {
      expect((await api.fetch('/tag/count')).body).toEqual({ data: 24 })
      expect((await api.fetch('/tag/count', { method: 'POST' })).body).toEqual({ data: 24 })
    })

    it('accepts PUT like PATCH', async () => {
      const init = { method: 'PUT', headers: JSON_TYPE, body: '{"where":{"id":1},"data":{},"select":{"id":true}}' }
      expect((await api.fetch('/post/update', init)).body).toEqual({ data: { id: 1 } })
    })

    it('accepts a charset in the media type', async () => {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
      expect((await api.fetch('/tag/count', { method: 'POST', headers, body: '{}' })).status).toBe(200)
    })
  })

  it.each([
    ['an empty q', '/post/findMany?q='],
    ['q that is not JSON', '/post/findMany?q={where'],
    ['q that is a list', '/post/findMany?q=[]'],
    ['q that is null', '/post/findMany?q=null'],
    ['q that is a string', '/post/findMany?q=%22x%22'],
    ['q twice', '/post/findMany?q={}&q={}'],
    ['q as a list parameter', '/post/findMany?q[]={}'],
    ['another parameter', '/post/findMany?fliter={}'],
    ['a parameter named __proto__', '/post/findMany?__proto__[x]=1'],
    ['broken percent-encoding', '/post/findMany?q=%7B%'],
    ['bytes that are not UTF-8', '/post/findMany?q=%7B%22%ff%22:1%7D'],
    ['meta without q', `/post/findMany?${meta({})}`],
    ['meta twice', `/post/findMany?q={}&meta={}&meta={}`],
    ['meta that is not JSON', '/post/findMany?q={}&meta={'],
    ['meta that is a list', '/post/findMany?q={}&meta=[]'],
    ['meta with other members', '/post/findMany?q={}&meta={"values":{}}'],
    ['meta that is a string', '/post/findMany?q={}&meta={"serialization":"x"}'],
  ])('%s: rejects the query string with 400', async (_what, path) => {
    const { status, body } = await api.fetch(path)
    expect([status, typeof body.message]).toEqual([400, 'string'])
  })

  it.each([
    ['not JSON', '{"where"', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['empty', '', 400],
    ['meta with other members', '{"where":{"id":1},"data":{},"meta":{"x":1}}', 400],
    ['meta that is a string', '{"where":{"id":1},"data":{},"meta":"x"}', 400],
    ['meta that is null', '{"where":{"id":1},"data":{},"meta":null}', 400],
    ['an object with __proto__', '{"where":{"id":1,"__proto__":{"id":2}},"data":{}}', 400],
    ['an object with constructor', '{"where":{"id":1},"data":{"constructor":{"prototype":{"x":1}}}}', 400],
    ['an object with prototype', '{"prototype":{},"where":{"id":1},"data":{}}', 400],
  ])('body that is %s: rejects with 400', async (_what, body, status) => {
    const response = await api.fetch('/post/update', { method: 'PATCH', headers: JSON_TYPE, body })
    expect(response.status, response.body.message).toBe(status)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  it('rejects a body that is not UTF-8 with 400', async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect((await api.fetch('/post/findMany', { method: 'POST', headers: JSON_TYPE, body })).status).toBe(400)
  })

  it.each([
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another JSON type', { 'Content-Type': 'application/vnd.api+json' }],
    ['another charset', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['two types', { 'Content-Type': 'text/plain, application/json' }],
  ])('%s: rejects the body with 415', async (_what, headers) => {
    const body = '{"data":{"slug":"csrf","title":"x"}}'
    expect((await api.fetch('/post/create', { method: 'POST', headers, body })).status).toBe(415)
    expect(await db.orm.post.count({ where: { slug: 'csrf' } })).toBe(0)
  })

  it('rejects a body without a Content-Type with 415', async () => {
    const body = new TextEncoder().encode('{"data":{"slug":"csrf","title":"x"}}')
    expect((await api.fetch('/post/create', { method: 'POST', body })).status).toBe(415)
  })

  it('rejects arguments in both query and body with 400', async () => {
    const body = '{"where":{"id":1},"data":{}}'
    const init = { method: 'PATCH', headers: JSON_TYPE, body }
    expect((await api.fetch(`/post/update?${q({})}`, init)).status).toBe(400)
    expect((await api.fetch(`/post/delete?${q({ where: { id: 1 } })}`, { ...init, method: 'DELETE' })).status).toBe(400)
    expect(await db.orm.post.count({ where: { id: 1 } })).toBe(1)
  })

  it('rejects a GET with a body with 400', async () => {
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
    ])('%s with %s: responds with 405', async (path, method, allow) => {
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
    ])('%s: responds with 404', async (path) => {
      const { status, body } = await api.fetch(path)
      expect([status, typeof body.message]).toEqual([404, 'string'])
    })

    it('lists the available operations in the response to an unknown one', async () => {
      const { message } = (await api.fetch('/tag/findmany')).body
      expect(message).toMatch(/Available: aggregate, check, count, create, .*findMany, .*upsert\.$/)
    })

    it('redirects a model name in upper case with 308', async () => {
      for (const [name, status] of [
        ['post', 200],
        ['Post', 308],
      ]) {
        expect((await api.fetch(`/${name}/count`)).status).toBe(status)
      }
    })

    it('HEAD: responds like GET without a body', async () => {
      const { status, headers, body } = await api.fetch('/post/findMany', { method: 'HEAD' })
      expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', {}])
    })

    it('ignores X-HTTP-Method-Override', async () => {
      const headers = { 'X-HTTP-Method-Override': 'DELETE' }
      expect((await api.fetch(`/post/deleteMany?${q({ where: {} })}`, { headers })).status).toBe(405)
    })

    it('sets Cache-Control to private, no-store', async () => {
      for (const path of ['/post/count', '/post/nope']) {
        expect((await api.fetch(path)).headers.get('cache-control')).toBe('private, no-store')
      }
    })
  })

  describe('meta.serialization', () => {
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
    ])('%s: rejects with 400', async (_what, args, values) => {
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
      ['as a where', { where: null }, 'where'],
      [
        'in a nested where',
        { where: { id: 1 }, data: { posts: { updateMany: { where: { id: null } } } } },
        'data.posts.updateMany.where.id',
      ],
      [
        'in deleteMany',
        { where: { id: 1 }, data: { posts: { deleteMany: { id: null } } } },
        'data.posts.deleteMany.id',
      ],
      [
        'in connect',
        { where: { id: 1 }, data: { posts: { connect: { id: null, slug: 'one' } } } },
        'data.posts.connect.id',
      ],
      ['in a list', { where: { id: 1 }, data: { posts: { connect: [null] } } }, 'data.posts.connect.0'],
    ])('undefined %s: rejects with 400', async (_what, args, path) => {
      const values = { [path]: ['undefined'] }
      const body = JSON.stringify({ ...args, meta: { serialization: { values, v: 1 } } })
      const response = await api.fetch('/user/update', { method: 'PATCH', headers: JSON_TYPE, body })
      expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('must not be undefined')])
    })

    it('treats undefined as absent in data, selections and arguments', async () => {
      const before = await db.orm.user.findUniqueOrThrow({ where: { id: 1 } })
      const shared = { name: true }
      const { json, meta: serialization } = SuperJSON.serialize({
        where: { id: 1 },
        data: { name: before.name, email: undefined, posts: undefined },
        select: { email: true, id: undefined, posts: { select: { author: { select: shared } }, take: 1 } },
        omit: undefined,
      })
      const body = JSON.stringify({ ...Object(json), meta: { serialization } })
      const response = await api.fetch('/user/update', { method: 'PATCH', headers: JSON_TYPE, body })
      expect([response.status, Object.keys(Object(response.body.data)).sort()]).toEqual([200, ['email', 'posts']])
      expect(await db.orm.user.findUnique({ where: { id: 1 } })).toEqual(before)
    })

    it('ignores references to values that the JSON repeats', async () => {
      const at = new Date('2024-01-01T00:00:00Z')
      const both = { gt: at }
      const { json, meta: serialization } = SuperJSON.serialize({
        where: { OR: [{ updatedAt: both }, { publishedAt: both }] },
      })
      expect(serialization).toHaveProperty('referentialEqualities')
      const query = `q=${encodeURIComponent(JSON.stringify(json))}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}`
      expect((await api.fetch(`/post/findMany?${query}`)).status).toBe(200)
    })

    it('rejects references to missing values with 400', async () => {
      const serialization = { values: {}, referentialEqualities: { where: ['where.AND'] }, v: 1 }
      const query = `${q({ where: { AND: null } })}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}`
      expect((await api.fetch(`/post/findMany?${query}`)).status).toBe(400)
    })
  })
})
