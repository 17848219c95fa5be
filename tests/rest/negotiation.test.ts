import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { MEDIA_TYPE, type RestClient, restClient } from './support/client.js'

const ATOMIC = 'ext="https://jsonapi.org/ext/atomic"'

describeDatabases(
  'REST: content negotiation and limits',
  (db) => {
    let rest: RestClient

    beforeAll(async () => {
      await db.fill(fillBlog)
      rest = restClient(db)
    })

    const create = (contentType: string | undefined, body: string) =>
      rest.fetch('/tag', {
        method: 'POST',
        body: new TextEncoder().encode(body),
        headers: contentType === undefined ? {} : { 'Content-Type': contentType },
      })
    const tag = (id: string) => JSON.stringify({ data: { type: 'tag', id } })

    describe('Content-Type', () => {
      it.each([
        MEDIA_TYPE,
        'application/json',
        'application/json; charset=utf-8',
        'application/json;charset="UTF-8"',
        `${MEDIA_TYPE};profile="http://example.org/x"`,
        'APPLICATION/VND.API+JSON',
      ])('%s: accepts the body with 201', async (type) => {
        expect((await create(type, tag(`tag ${type}`))).status).toBe(201)
      })

      it.each([
        undefined,
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/json; charset=latin1',
        'application/json; charset=utf-16',
        'application/json; charset=utf-8; profile=x',
        `${MEDIA_TYPE}; charset=utf-8`,
        `${MEDIA_TYPE};${ATOMIC}`,
        `${MEDIA_TYPE};ext="http://example.org/none"`,
        `${MEDIA_TYPE};profile="http://example.org/a;b";foo=bar`,
      ])('%s: rejects the body with 415', async (type) => {
        const response = await create(type, tag('never'))
        expect([response.status, response.errors[0]?.source]).toEqual([415, { header: 'Content-Type' }])
        expect(await db.orm.tag.count({ where: { name: 'never' } })).toBe(0)
      })

      it('ignores Content-Type if the request has no body', async () => {
        expect((await rest.get('/post', { 'Content-Type': 'text/plain' })).status).toBe(200)
        expect((await rest.delete('/comment/4_1')).status).toBe(204)
      })
    })

    describe('Accept', () => {
      it.each([
        '*/*',
        'application/*',
        'application/json',
        MEDIA_TYPE,
        `${MEDIA_TYPE};q=0.5, text/html`,
        `${MEDIA_TYPE};charset=utf-8, ${MEDIA_TYPE}`,
        `${MEDIA_TYPE};ext="http://example.org/none", ${MEDIA_TYPE}`,
        `${MEDIA_TYPE};profile="http://example.org/x, y"`,
        'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      ])('%s: responds with 200', async (accept) => {
        const response = await rest.get('/post', { Accept: accept })
        expect([response.status, response.headers.get('Vary')]).toEqual([200, 'Accept'])
      })

      it.each([
        'text/html',
        'application/xml',
        `${MEDIA_TYPE};charset=utf-8`,
        `${MEDIA_TYPE};charset=utf-8, ${MEDIA_TYPE};foo=bar`,
        `${MEDIA_TYPE};ext="http://example.org/none"`,
        `${MEDIA_TYPE};${ATOMIC}`,
        `${MEDIA_TYPE};charset=utf-8, */*`,
      ])('%s: responds with 406', async (accept) => {
        for (const path of ['/post', '/post/1', '/post/1/author', '/post/1/relationships/tags']) {
          expect((await rest.get(path, { Accept: accept })).status).toBe(406)
        }
        expect((await rest.delete('/post/1', undefined, { Accept: accept })).status).toBe(406)
        expect(await db.orm.post.count({ where: { id: 1 } })).toBe(1)
      })
    })

    it('sets Cache-Control: private, no-store and Vary: Accept on each response', async () => {
      const identifier = { data: [{ type: 'tag', id: 'news' }] }
      for (const response of [
        await rest.get('/post'),
        await rest.get('/post/1'),
        await rest.get('/nope'),
        await rest.get('/post?foo=1'),
        await rest.fetch('/post/1', { method: 'HEAD' }),
        await rest.post('/post/1/relationships/tags', identifier),
        await rest.delete('/tag/tips'),
      ]) {
        expect(response.headers.get('Cache-Control')).toBe('private, no-store')
        expect(response.headers.get('Vary')).toBe('Accept')
      }
    })

    describe('error documents', () => {
      it.each([
        ['/nope', {}, 404],
        ['/post/99', {}, 404],
        ['/post?foo=1', {}, 400],
        ['/post', { method: 'DELETE' }, 405],
        ['/post', { method: 'POST', body: '{}' }, 415],
        ['/post/', {}, 404],
        ['/post/1/relationships', {}, 404],
        ['/post/1/relationships/', {}, 404],
        ['/post/%E0%A4%A', {}, 404],
        ['/post/1abc', {}, 404],
        ['/post/1.5', {}, 404],
        ['/post/0x1', {}, 404],
        ['/post/%201', {}, 404],
        ['/post/+1', {}, 404],
        ['/post/-0', {}, 404],
        ['/post/01', {}, 404],
        ['/post/9999999999999', {}, 404],
        ['/post/__proto__', {}, 404],
        ['/__proto__', {}, 404],
        ['/constructor', {}, 404],
        ['/comment/1', {}, 404],
        ['/comment/1_1_1', {}, 404],
        ['/comment/_', {}, 404],
      ])('%s %j: responds with %i and one error', async (path, init, status) => {
        const response = await rest.fetch(path, init)
        expect([response.status, response.errors.length]).toEqual([status, 1])
      })
    })

    describe('limits', () => {
      it('rejects a body over limits.bodyBytes with 413, also if it is streamed', async () => {
        const small = restClient(db, { limits: { bodyBytes: 200 } })
        const body = (length: number) => {
          const empty = JSON.stringify({ data: { type: 'tag', id: 'limit' }, pad: '' })
          return empty.replace('"pad":""', `"pad":"${'x'.repeat(length - empty.length)}"`)
        }
        const send = (length: number) => small.post('/tag', JSON.parse(body(length)))
        expect((await send(201)).status).toBe(413)
        expect((await send(200)).status).toBe(201)
        const chunks = new ReadableStream({
          start(controller) {
            for (let at = 0; at < 10; at++) controller.enqueue(new TextEncoder().encode(' '.repeat(30)))
            controller.close()
          },
        })
        const init = { method: 'POST', headers: { 'Content-Type': MEDIA_TYPE }, body: chunks, duplex: 'half' }
        expect((await small.fetch('/tag', init)).status).toBe(413)
      })

      it('rejects a body over limits.depth or limits.nodes', async () => {
        const small = restClient(db, { limits: { depth: 5, nodes: 20 } })
        const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
        const body = (extra: unknown) => ({ data: { type: 'post', attributes: { title: 'One' } }, extra })
        expect((await small.patch('/post/1', body(nested(5)))).status).toBe(200)
        expect((await small.patch('/post/1', body(nested(6)))).errors[0]?.code).toBe('limit-exceeded')
        // The document, data, type, attributes, title and extra are six nodes.
        expect((await small.patch('/post/1', body(Array.from({ length: 14 }, () => 1)))).status).toBe(200)
        expect((await small.patch('/post/1', body(Array.from({ length: 15 }, () => 1)))).errors[0]?.code).toBe(
          'limit-exceeded',
        )
      })

      it('rejects lists over limits.listLength in filters and linkage', async () => {
        const small = restClient(db, { limits: { listLength: 3 } })
        expect((await small.get('/post?filter[id]=1,2,3')).status).toBe(200)
        expect((await small.get('/post?filter[id]=1,2,3,4')).errors[0]?.code).toBe('limit-exceeded')
        const tags = (count: number) => ({ data: Array.from({ length: count }, () => ({ type: 'tag', id: 'news' })) })
        expect((await small.post('/post/1/relationships/tags', tags(3))).status).toBe(200)
        expect((await small.post('/post/1/relationships/tags', tags(4))).errors[0]?.code).toBe('limit-exceeded')
      })

      it('rejects filters, includes and sorts over the depth limits', async () => {
        const small = restClient(db, { limits: { depth: 3, includeDepth: 2, filterCost: Infinity } })
        expect((await small.get('/post?filter[author][posts][title]=One')).status).toBe(200)
        expect((await small.get('/post?filter[author][posts][author][name]=Ann')).errors[0]?.code).toBe(
          'limit-exceeded',
        )
        expect((await small.get('/post?include=author.posts')).status).toBe(200)
        expect((await small.get('/post?include=author.posts.author')).errors[0]?.code).toBe('limit-exceeded')
        expect((await small.get('/post?sort=author.profile.id')).status).toBe(200)
        expect((await small.get('/post?sort=author.profile.user.name')).errors[0]?.code).toBe('limit-exceeded')
      })

      it('rejects filters and sorts over limits.filterRelations', async () => {
        const small = restClient(db, { limits: { filterRelations: 2 } })
        expect((await small.get('/post?filter[tags]=a&filter[tags]=b')).status).toBe(200)
        expect((await small.get('/post?filter[author][profile][bio]=x')).status).toBe(200)
        expect((await small.get('/post?sort=author.name,category.name')).status).toBe(200)
        for (const query of [
          'filter[tags]=a&filter[tags]=b&filter[tags]=c',
          'filter[author][profile][bio$contains]=x&filter[category][name]=y',
          'sort=author.profile.id,category.name',
        ]) {
          expect((await small.get(`/post?${query}`)).errors[0]?.code, query).toBe('limit-exceeded')
        }
      })

      it('rejects includes over limits.filterRelations with 400', async () => {
        const small = restClient(db, { limits: { filterRelations: 3 } })
        const three = 'author,comments.author,comments'
        expect((await small.get(`/post?include=${three}`)).status).toBe(200)
        for (const path of ['/post?include=', '/user/1/posts?include=', '/user/1/relationships/posts?include=']) {
          const { status, errors } = await small.get(`${path}${three},tags`)
          expect([status, errors[0]?.code, errors[0]?.source]).toEqual([
            400,
            'limit-exceeded',
            { parameter: 'include' },
          ])
        }
      })

      it('rejects nested to-many relations over limits.toManyDepth', async () => {
        const any = restClient(db, { limits: { filterCost: Infinity } })
        expect((await any.get('/post?filter[tags][posts][tags][name]=x')).status).toBe(200)
        expect((await any.get('/post?filter[tags][posts][tags][posts][title]=x')).errors[0]?.code).toBe(
          'limit-exceeded',
        )
      })

      it('rejects included rows over limits.includedRows with 400', async () => {
        expect((await restClient(db, { limits: { includedRows: 3 } }).get('/post/1?include=comments')).status).toBe(200)
        const response = await restClient(db, { limits: { includedRows: 2 } }).get('/post/1?include=comments')
        expect([response.status, response.errors[0]?.code]).toEqual([400, 'limit-exceeded'])
      })

      it('disables limits that are Infinity', async () => {
        const names = [
          'includedRows',
          'listLength',
          'depth',
          'bodyBytes',
          'nodes',
          'includeDepth',
          'filterRelations',
          'toManyDepth',
          'filterCost',
        ]
        const all = restClient(db, { limits: Object.fromEntries(names.map((name) => [name, Infinity])) })
        expect((await all.get('/post?include=comments,tags')).status).toBe(200)
        expect((await all.get(`/post/1?include=${Array(4).fill('author.posts').join('.')}`)).status).toBe(200)
        const filter = `filter${'[author][posts]'.repeat(8)}[title]`
        expect((await all.get(`/post?${filter}=One`)).status).toBe(200)
        // Beyond SQLite's own maximum, SQLite rejects the query.
        const many = await all.get(`/post?filter[id]=${Array(1200).fill('1').join()}`)
        expect(many.errors).toMatchObject([{ code: 'limit-exceeded', ormCode: 'P2029' }])
        const extra = Array.from({ length: 20_000 }, () => 'x'.repeat(60))
        const big = await all.patch('/post/1', { data: { type: 'post', attributes: { title: 'Big' } }, extra })
        expect(big.status).toBe(200)
        let nested: unknown = 1
        for (let level = 0; level < 200; level++) nested = [nested]
        expect((await all.patch('/post/1', { data: { type: 'post' }, nested })).status).toBe(200)
      })
    })
  },
  { only: ['SQLite'] },
)
