import { beforeEach, describe, expect, it } from 'vitest'

import { fetchJson, BODY_BYTES, ENDPOINT, REST, RPC, sending, type Subject } from './subject.js'

const JSONAPI = 'application/vnd.api+json'

/** Tests both styles completely, with the blog's routes on a database. */
export function describeBlog({ db, server, traits }: Subject): void {
  const rest = (path: string, init?: RequestInit) => fetchJson(server(), REST + path, init)
  const rpc = (path: string, init?: RequestInit) => fetchJson(server(), RPC + path, init)
  const q = (args: unknown): string => `q=${encodeURIComponent(JSON.stringify(args))}`

  describe('REST', () => {
    beforeEach(() => db.reset())

    it('supports create, get, list, update and delete', async () => {
      const attributes = { name: 'Fish & Chips/Co ü%20' }
      const path = `/tag/${encodeURIComponent(attributes.name)}`
      expect(await rest('/tag', sending('POST', { data: { type: 'tag', attributes } }, JSONAPI))).toMatchObject({
        status: 201,
        body: { data: { type: 'tag', id: attributes.name, links: { self: ENDPOINT + path } } },
      })
      expect(await rest(path)).toMatchObject({ status: 200, body: { data: { attributes } } })
      const list = await rest(`/tag?filter[name]=${encodeURIComponent(attributes.name)}&sort=-name`)
      expect(list).toMatchObject({ status: 200, body: { meta: { total: 1 }, data: [{ attributes }] } })

      const { id } = await db.orm.user.create({ data: { email: 'ada@example.com', password: 'long enough' } })
      const change = { data: { type: 'user', id, attributes: { name: 'Ada' } } }
      expect(await rest(`/user/${id}`, sending('PATCH', change))).toMatchObject({ status: 200 })
      expect(await db.orm.user.findFirst({ select: { name: true } })).toEqual({ name: 'Ada' })

      expect(await rest(path, { method: 'DELETE' })).toEqual({ status: 204, body: '' })
      expect(await db.orm.tag.count()).toBe(0)
    })

    it('adds and removes members of a relationship, with a body on DELETE', async () => {
      const { id } = await db.orm.post.create({
        data: { slug: 'a', title: 'A', tags: { create: [{ name: 'one' }, { name: 'two' }] } },
      })
      await db.orm.tag.create({ data: { name: 'a/b c' } })
      const path = `/post/${id}/relationships/tags`
      const members = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'tag', id })) })
      expect(await rest(path, sending('POST', members('a/b c'), JSONAPI))).toMatchObject({ status: 200 })
      expect(await rest(path, sending('DELETE', members('one', 'two'), JSONAPI))).toMatchObject({ status: 200 })
      expect(await rest(path)).toMatchObject({ status: 200, body: members('a/b c') })
    })

    it('accepts compound ids, percent-encoded or not', async () => {
      const post = { create: { slug: 'a', title: 'A' } }
      await db.orm.comment.create({ data: { seq: 12, body: 'first', post } })
      for (const id of ['1_12', '1%5F12', '%31_1%32']) {
        expect(await rest(`/comment/${id}`)).toMatchObject({ status: 200, body: { data: { id: '1_12' } } })
      }
      expect((await rest('/comment/1%255F12')).status).toBe(404)
    })

    it('rejects a repeated parameter with 400', async () => {
      expect(await rest('/tag?sort=name&sort=-name')).toMatchObject({
        status: 400,
        body: { errors: [{ code: 'malformed-parameter', source: { parameter: 'sort' } }] },
      })
    })

    it('supports HEAD and OPTIONS', async () => {
      const head = await server().fetch(`${REST}/tag`, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(head.headers.get('content-type')).toBe(JSONAPI)
      const options = await server().fetch(`${REST}/tag`, { method: 'OPTIONS' })
      expect(options.status).toBe(204)
      expect(options.headers.get('allow')).toBe('GET, HEAD, POST')
    })

    it('rejects unknown models, malformed documents and wrong methods', async () => {
      expect(await rest('/nothing')).toMatchObject({
        status: 404,
        body: { errors: [{ code: 'unsupported-model', status: 404 }] },
      })
      expect(await rest('/tag', sending('POST', { data: 1 }, JSONAPI))).toMatchObject({
        status: 400,
        body: { errors: [{ code: 'malformed-document' }] },
      })
      const put = await server().fetch(`${REST}/tag`, sending('PUT', { data: [] }, JSONAPI))
      expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    })
  })

  describe('RPC', () => {
    beforeEach(() => db.reset())

    it('supports create, read with q and meta, update and delete', async () => {
      const data = { name: 'a&b/c%20d ü' }
      expect(await rpc('/tag/create', sending('POST', { data }))).toMatchObject({ status: 201, body: { data } })
      const update = { where: data, data: { name: 'e' } }
      expect(await rpc('/tag/update', sending('PUT', update))).toMatchObject({ body: { data: { name: 'e' } } })
      const removed = await rpc(`/tag/deleteMany?${q({ where: { name: 'e' } })}`, { method: 'DELETE' })
      expect(removed).toMatchObject({ status: 200, body: { data: { count: 1 } } })

      await db.orm.category.create({ data: { name: 'News', readers: 9007199254740993n } })
      const meta = encodeURIComponent(JSON.stringify({ serialization: { values: { 'where.readers': ['bigint'] } } }))
      const query = `${q({ where: { readers: '9007199254740993' }, select: { name: true, readers: true } })}&meta=${meta}`
      expect(await rpc(`/category/findFirst?${query}`)).toEqual({
        status: 200,
        body: {
          data: { name: 'News', readers: '9007199254740993' },
          meta: { serialization: expect.objectContaining({ values: { readers: ['bigint'] } }) },
        },
      })
    })

    it('rejects a repeated parameter with 400', async () => {
      expect(await rpc(`/tag/findMany?${q({})}&${q({ take: 1 })}`)).toMatchObject({ status: 400 })
    })

    it('rejects unknown operations with 404 and unsupported media types with 415', async () => {
      const message = expect.any(String)
      expect(await rpc('/tag/findEverything')).toMatchObject({ status: 404, body: { message } })
      const picture = { method: 'POST', body: 'x', headers: { 'content-type': 'image/png' } }
      expect((await rpc('/tag/create', picture)).status).toBe(415)
      expect(await db.orm.tag.count()).toBe(0)
    })

    it('rejects malformed JSON with 400', async () => {
      const broken = { method: 'POST', body: '{"data":{"name":', headers: { 'content-type': 'application/json' } }
      expect((await rpc('/tag/create', broken)).status).toBe(400)
      const jsonapi = { ...broken, headers: { 'content-type': JSONAPI } }
      expect((await rest('/tag', jsonapi)).status).toBe(400)
      expect(await db.orm.tag.count()).toBe(0)
    })

    it.skipIf(traits.parsed)('rejects a body above the limit with 413, chunked or not', async () => {
      const body = JSON.stringify({ data: { name: 'x'.repeat(2 * BODY_BYTES) } })
      const headers = { 'content-type': 'application/json' }
      const message = expect.any(String)
      expect(await rpc('/tag/create', { method: 'POST', body, headers })).toMatchObject({
        status: 413,
        body: { message },
      })
      const init: RequestInit & { readonly duplex: 'half' } = {
        method: 'POST',
        body: new Blob([body]).stream(),
        headers,
        duplex: 'half',
      }
      expect((await rpc('/tag/create', init)).status).toBe(413)
      // On the same connection, where the rest of the body must not cause a problem.
      expect((await rpc('/tag/findMany')).status).toBe(200)
      expect(await db.orm.tag.count()).toBe(0)
    })
  })
}
