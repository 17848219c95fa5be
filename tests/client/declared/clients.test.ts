import { beforeEach, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'

import {
  createRestClient,
  createRpcClient,
  RestError,
  RpcError,
  toFormErrors,
  withRestRoutes,
  withRpcRoutes,
} from '../../../client/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { declareRoutes } from '../../../fixtures/blog/expected/declare-routes.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { blogClient } from '../rest/apis.js'
import { serveRoutes } from './serve.js'

describeDatabases(
  'clients of declared routes',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    it('REST: sends the id and the body and returns the resource with its includes', async () => {
      const { rest, sent } = serveRoutes(db)
      const post = await rest.post.publish('3', { note: 'hello' }, { include: ['author'], fields: { user: ['name'] } })
      expect(post).toMatchObject({ id: '3', $type: 'post', content: 'hello', author: { name: 'Ann' } })
      expectTypeOf(post.author?.name).toEqualTypeOf<string | null | undefined>()
      expectTypeOf(post.publishedAt).toEqualTypeOf<Date | null>()
      expect(sent.rest[0]?.method).toBe('POST')
      expect(decodeURIComponent(sent.rest[0]?.url ?? '')).toBe(
        'http://localhost/rest/post/3/publish?include=author&fields[user]=name',
      )
    })

    it('REST: accepts a resource as the id, and request options', async () => {
      const { rest, sent } = serveRoutes(db)
      const post = await rest.post.get(3)
      await rest.post.publish(post, { note: 'x' }, {}, { headers: { 'X-Trace': 'a' } })
      expect(sent.rest[1]?.headers.get('X-Trace')).toBe('a')
    })

    it('REST: sends the query of a GET route and returns a list', async () => {
      const { rest } = serveRoutes(db)
      const posts = await rest.post.popular({ views: 20, limit: 2 }, { include: ['author'] })
      expect(posts.map(({ id, author }) => [id, author?.id])).toEqual([
        ['2', '1'],
        ['3', '1'],
      ])
      expect(posts.links).toMatchObject({ self: expect.stringContaining('/post/popular?') as unknown })
      expect(await rest.post.popular({ views: 20 })).toHaveLength(3)
    })

    it('REST: filters, sorts and selects a list, and loads its pages', async () => {
      const { rest, sent } = serveRoutes(db)
      const posts = await rest.post.recent(
        { views: 10 },
        {
          filter: { author: { name: 'Ann' }, status: ['DRAFT', 'ARCHIVED', 'PUBLISHED'] },
          sort: ['-viewCount'],
          include: ['author'],
          fields: { post: ['title', 'author'], user: ['name'] },
          page: { limit: 2 },
        },
      )
      expect(posts.map(({ title, author }) => [title, author?.name])).toEqual([
        ['Two', 'Ann'],
        ['Three, or more', 'Ann'],
      ])
      expectTypeOf(posts[0]?.author?.name).toEqualTypeOf<string | null | undefined>()
      expect(posts.total).toBe(3)
      const next = await posts.next()
      expect(next?.map(({ title }) => title)).toEqual(['One'])
      expect(await next?.next()).toBeNull()
      expect((await next?.prev())?.map(({ title }) => title)).toEqual(['Two', 'Three, or more'])
      expect(new URL(sent.rest[1]?.url ?? '').searchParams.get('views')).toBe('10')
    })

    it('REST: loads a list without its own query, and of a resource', async () => {
      const { rest } = serveRoutes(db)
      expect(await rest.post.recent()).toHaveLength(5)
      expect((await rest.post.recent({}, { filter: { id: 2 } })).map(({ id }) => id)).toEqual(['2'])
      const articles = await rest.user.articles('1', { sort: ['id'], page: { number: 2, size: 1 } })
      expect(articles.map(({ id }) => id)).toEqual(['2'])
      expect([articles.total, await articles.next()]).toEqual([undefined, null])
    })

    it('REST: restores the types of a value', async () => {
      const { rest } = serveRoutes(db)
      const stats = await rest.post.stats()
      expect(stats).toEqual({ count: 5, readers: 2n ** 60n, at: new Date(0) })
      expectTypeOf(stats).toEqualTypeOf<{ count: number; readers: bigint; at: Date }>()
    })

    it('REST: returns undefined if a route has no result', async () => {
      const { rest } = serveRoutes(db)
      expectTypeOf(await rest.post.touch(3)).toEqualTypeOf<void>()
      expect(await rest.post.archive(3)).toBeUndefined()
      expect(await rest.post.archive(3, { reason: 'old' }, { headers: {} })).toBeUndefined()
      expect(await rest.post.get(3)).toMatchObject({ viewCount: 99, status: 'ARCHIVED', content: 'old' })
    })

    it('REST: accepts compound ids', async () => {
      const { rest } = serveRoutes(db)
      expect(await rest.comment.shout('1_2', { mark: '!' })).toMatchObject({ body: 'Second.!' })
    })

    it('REST: rejects with the code of a declared error, and with the fields of an invalid body', async () => {
      const { rest } = serveRoutes(db)
      await expect(rest.post.publish(1, { note: 'x' })).rejects.toMatchObject({
        name: 'RestError',
        status: 409,
        code: 'already-published',
      })
      const error = await rest.post.publish(3, { note: 'too long' }).catch((error: RestError) => error)
      expect(error).toMatchObject({ status: 422, errors: [{ source: { pointer: '/note' } }] })
      expect(toFormErrors(error)).toMatchObject({ fields: [{ path: ['note'], name: 'note' }], form: [] })
    })

    it('REST: toFormErrors returns the parameters of a query', async () => {
      const { rest } = serveRoutes(db)
      const failure = await rest.reports.monthly({ views: 'many' as never }).catch((error: unknown) => error)
      expect(toFormErrors(failure)).toMatchObject({ fields: [{ path: ['views'], name: 'views' }], form: [] })
    })

    it('REST: rejects values that a URL cannot contain', async () => {
      const { rest, sent } = serveRoutes(db)
      await expect(rest.post.popular({ views: [1] as never })).rejects.toThrow('views must be a single value')
      await expect(rest.post.touch('')).rejects.toThrow('"" is not an id.')
      expect(sent.rest).toEqual([])
    })

    it('REST: keeps the methods of the collections and of other models', async () => {
      const { rest } = serveRoutes(db)
      expect(await rest.post.get(1)).toMatchObject({ id: '1' })
      expect(await rest.user.get(1)).toMatchObject({ name: 'Ann' })
    })

    it('REST: rejects a route with the name of a method', () => {
      const route = { method: 'GET', path: '/get' }
      const message = 'post.get is a method of the REST client.'
      expect(() => withRestRoutes(blogClient(), { post: { get: route } }).post).toThrow(message)
      const withoutGraph = createRestClient<Api>({ url: 'http://localhost/api' })
      expect(() => withRestRoutes(withoutGraph, { post: { get: route } }).post).toThrow(message)
    })

    it('RPC: sends the id and the body as arguments and returns the row', async () => {
      const { rpc, sent } = serveRoutes(db)
      const post = await rpc.post.publish({ id: 3, note: 'hello' })
      expect(post).toMatchObject({ id: 3, content: 'hello' })
      expectTypeOf(post.publishedAt).toEqualTypeOf<Date | null>()
      expect(sent.rpc[0]?.method).toBe('POST')
      expect(sent.rpc[0]?.url).toBe('http://localhost/rpc/post/publish')
    })

    it('RPC: sends the query of a GET route in the URL and returns rows', async () => {
      const { rpc, sent } = serveRoutes(db)
      const posts = await rpc.post.popular({ views: 20, limit: 2 })
      expect(posts.map(({ id }) => id)).toEqual([2, 3])
      expect(sent.rpc[0]?.method).toBe('GET')
    })

    it('RPC: filters, sorts and selects a list', async () => {
      const { rpc } = serveRoutes(db)
      const posts = await rpc.post.recent({
        views: 10,
        where: { author: { name: 'Ann' } },
        orderBy: { viewCount: 'desc' },
        take: 2,
        select: { title: true, author: { select: { name: true } } },
      })
      expect(posts).toEqual([
        { title: 'Two', author: { name: 'Ann' } },
        { title: 'Three, or more', author: { name: 'Ann' } },
      ])
      expectTypeOf(posts).toEqualTypeOf<{ title: string; author: { name: string | null } | null }[]>()
      const [post] = await rpc.post.recent({ where: { id: 1 }, include: { tags: true }, omit: { content: true } })
      expect(post?.tags).toHaveLength(2)
      expectTypeOf(post?.publishedAt).toEqualTypeOf<Date | null | undefined>()
      expect(post).not.toHaveProperty('content')
    })

    it('RPC: sends the types of the arguments of a list', async () => {
      const { rpc } = serveRoutes(db)
      const posts = await rpc.post.recent({
        where: { publishedAt: { gt: new Date(Date.UTC(2024, 1, 2)) } },
        select: { id: true, publishedAt: true },
      })
      expect(posts).toEqual([{ id: 4, publishedAt: new Date(Date.UTC(2024, 1, 4)) }])
    })

    it('RPC: loads a list without arguments, and of a row', async () => {
      const { rpc } = serveRoutes(db)
      const posts = await rpc.post.recent()
      expect(posts).toHaveLength(5)
      expectTypeOf(posts[0]?.title).toEqualTypeOf<string | undefined>()
      const articles = await rpc.user.articles({ id: 1, orderBy: { id: 'asc' }, select: { id: true } })
      expect(articles).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    })

    it('RPC: restores the types of a value', async () => {
      const { rpc } = serveRoutes(db)
      const stats = await rpc.post.stats()
      expect(stats).toEqual({ count: 5, readers: 2n ** 60n, at: new Date(0) })
      expectTypeOf(stats).toEqualTypeOf<{ count: number; readers: bigint; at: Date }>()
    })

    it('RPC: sends the declared method', async () => {
      const { rpc, sent } = serveRoutes(db)
      expect(await rpc.post.touch({ id: 3 })).toBeNull()
      expect(await rpc.post.archive({ id: 3, reason: 'old' })).toBeNull()
      expect(await rpc.comment.shout({ postId_seq: { postId: 1, seq: 2 }, mark: '!' })).toMatchObject({
        body: 'Second.!',
      })
      expect(sent.rpc.map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'PATCH'])
      expect(await rpc.post.findUnique({ where: { id: 3 } })).toMatchObject({ viewCount: 99, content: 'old' })
    })

    it('RPC: rejects with the code of a declared error, and with the issues of an invalid body', async () => {
      const { rpc } = serveRoutes(db)
      await expect(rpc.post.publish({ id: 1, note: 'x' })).rejects.toMatchObject({
        name: 'RpcError',
        status: 409,
        code: 'already-published',
      })
      const error = await rpc.post.publish({ id: 3, note: 'too long' }).catch((error: RpcError) => error)
      expect(error).toMatchObject({ status: 400, issues: [{ path: ['note'] }], isCustomRoute: true })
      expect(toFormErrors(error)).toMatchObject({ fields: [{ path: ['note'], name: 'note' }], form: [] })
      // Only the data of other operations is a form.
      const generated = await rpc.post.findMany({ where: { views: 1 } as never }).catch((failure: RpcError) => failure)
      expect(generated).toMatchObject({ isCustomRoute: false })
      expect(toFormErrors(generated)).toMatchObject({ fields: [], form: [expect.stringContaining('views')] })
    })

    it('REST: calls routes without a model', async () => {
      const { rest, sent } = serveRoutes(db)
      const report = await rest.reports.monthly({ views: 20 })
      expectTypeOf(report).toEqualTypeOf<{ count: number; at: Date }>()
      expect(report).toEqual({ count: 3, at: new Date(0) })
      const posts = await rest.reports.best({ include: ['author'], fields: { user: ['name'] } })
      expectTypeOf(posts[0]?.author?.name).toEqualTypeOf<string | null | undefined>()
      expect(posts.map(({ id, author }) => [id, author?.name])).toEqual([
        ['2', 'Ann'],
        ['3', 'Ann'],
        ['4', 'Ben'],
      ])
      expect(await rest.reports.list()).toEqual(['monthly'])
      expectTypeOf(await rest.reports.reset({ note: 'x' })).toEqualTypeOf<void>()
      expect(await rest.orders.submit({ count: 2 })).toEqual({ price: 6 })
      expect(await rest.$operations([rest.orders.submit.call({ count: 3 })])).toEqual([{ price: 9 }])
      expect(await rest.reports.label({ name: 'new' }, { fields: { tag: ['name'] } })).toMatchObject({ id: 'new' })
      expect(sent.rest.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
        'GET /rest/reports/monthly',
        'GET /rest/reports/best',
        'GET /rest/reports/list',
        'POST /rest/reports/reset',
        'POST /rest/orders',
        'POST /rest/operations',
        'POST /rest/reports/label',
      ])
    })

    it('returns null if a route with `nullable` finds no row', async () => {
      const { rest, rpc } = serveRoutes(db)
      const [resource, row] = [await rest.post.latest({ tag: 'news' }), await rpc.post.latest({ tag: 'news' })]
      expectTypeOf(resource?.title).toEqualTypeOf<string | undefined>()
      expectTypeOf(row?.title).toEqualTypeOf<string | undefined>()
      expectTypeOf(null).toExtend<typeof resource>()
      expectTypeOf(null).toExtend<typeof row>()
      expect([resource?.id, row?.id]).toEqual(['2', 2])
      expect([await rest.post.latest({ tag: 'none' }), await rpc.post.latest({ tag: 'none' })]).toEqual([null, null])
    })

    it('types a value that can be undefined as null', () => {
      const result = z.string().optional()
      const declared = declareRoutes({ reports: { last: { method: 'GET', path: '/last', result } } })
      const rest = withRestRoutes(createRestClient<Api>({ url: 'http://localhost' }), declared)
      const rpc = withRpcRoutes(createRpcClient<Api>({ url: 'http://localhost' }), declared)
      expectTypeOf(rest.reports.last).returns.resolves.toEqualTypeOf<string | null>()
      expectTypeOf(rpc.reports.last).returns.resolves.toEqualTypeOf<string | null>()
    })

    it('RPC: calls routes without a model', async () => {
      const { rpc, sent } = serveRoutes(db)
      const report = await rpc.reports.monthly({ views: 20 })
      expectTypeOf(report).toEqualTypeOf<{ count: number; at: Date }>()
      expect(report).toEqual({ count: 3, at: new Date(0) })
      const [post] = await rpc.reports.best()
      expectTypeOf(post?.publishedAt).toEqualTypeOf<Date | null | undefined>()
      expect(post).toMatchObject({ id: 2 })
      expect(await rpc.reports.reset({ note: 'x' })).toBeNull()
      expect(await rpc.orders.submit({ count: 2 })).toEqual({ price: 6 })
      expect(sent.rpc.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
        'GET /rpc/reports/monthly',
        'GET /rpc/reports/best',
        'POST /rpc/reports/reset',
        'POST /rpc/orders/submit',
      ])
    })

    it('sends the name of a group without a model in lower case', async () => {
      const urls: string[] = []
      const fetch = (request: Request): Response => {
        urls.push(request.url)
        return Response.json({ data: null, meta: {}, jsonapi: {} })
      }
      const declared = { salesReports: { yearly: { method: 'POST', path: '/yearly' } } } as const
      const url = 'http://localhost/api'
      const names = { User: 'people' } as const
      const mapped = createRestClient<Api, string, typeof names>({ url, fetch, modelNameMapping: names })
      await withRestRoutes(blogClient(fetch), declared).salesReports.yearly()
      await withRestRoutes(mapped, declared).salesReports.yearly()
      await withRpcRoutes(createRpcClient<Api>({ url, fetch }), declared).salesReports.yearly()
      expect(urls).toEqual(Array.from({ length: 3 }, () => 'http://localhost/api/salesreports/yearly'))
    })

    it.each(['rest', 'rpc'] as const)(
      '%s: isError is true for errors with a declared code and status',
      async (style) => {
        const { rest, rpc } = serveRoutes(db)
        const call = (note: string) =>
          style === 'rest' ? rest.post.publish(1, { note }) : rpc.post.publish({ id: 1, note })
        const { isError } = style === 'rest' ? rest.post.publish : rpc.post.publish
        const errorOf = (note: string) => call(note).then(String, (error: unknown) => error)
        expect(isError(await errorOf('x'))).toBe(true)
        expect(isError(await errorOf('lock'))).toBe(true)
        expect(isError(await errorOf('too long'))).toBe(false)
        const reports = style === 'rest' ? rest.reports : rpc.reports
        const noPosts = await reports.monthly({ views: 99 }).then(String, (error: unknown) => error)
        expect([reports.monthly.isError(noPosts), isError(noPosts)]).toEqual([true, false])
      },
    )

    it('isError is false for other values and for errors of another client', () => {
      const { rest, rpc } = serveRoutes(db)
      const declared = { status: 409, code: 'already-published' }
      const restError = new RestError('x', declared)
      const rpcError = new RpcError('x', declared)
      const guards = [rest.post.publish.isError, rpc.post.publish.isError]
      expect(guards.map((isError) => [isError(restError), isError(rpcError)])).toEqual([
        [true, false],
        [false, true],
      ])
      const others = [
        undefined,
        null,
        'already-published',
        declared,
        new Error('already-published'),
        new RestError('x', { status: 409 }),
        new RestError('x', { status: 409, code: 'unique-violation' }),
        new RestError('x', { status: 0, code: 'network-error' }),
        new RestError('x', { status: 400, code: 'already-published' }),
        new RestError('x', { status: 409, code: 'toString' }),
      ]
      expect(others.filter((error) => guards.some((isError) => isError(error)))).toEqual([])
    })

    it('only methods of routes with errors have isError', () => {
      const { rest, rpc } = serveRoutes(db)
      for (const method of [rest.post.touch, rest.reports.best, rpc.post.touch, rpc.reports.best, rest.post.get]) {
        expect(method).not.toHaveProperty('isError')
      }
    })

    /** Types of narrowed errors. Never called. */
    function narrowings(error: unknown): void {
      const { rest, rpc } = serveRoutes(db)
      if (rest.post.publish.isError(error)) {
        expectTypeOf(error).toExtend<RestError>()
        expectTypeOf(error.code).toEqualTypeOf<'already-published' | 'locked'>()
        expectTypeOf(error.status).toEqualTypeOf<409 | 403>()
        if (error.code === 'locked') expectTypeOf(error.status).toEqualTypeOf<403>()
      }
      if (rpc.reports.monthly.isError(error)) {
        expectTypeOf(error).toExtend<RpcError>()
        expectTypeOf(error.code).toEqualTypeOf<'no-posts' | 'too-early'>()
        expectTypeOf(error.issues).toEqualTypeOf<RpcError['issues']>()
      }
      // @ts-expect-error The route declares no errors.
      rest.post.touch.isError(error)
      // @ts-expect-error The route declares no errors.
      rpc.reports.best.isError(error)
      // @ts-expect-error A generated method.
      rest.post.get.isError(error)
    }
    void narrowings

    it('REST: calls routes in $operations', async () => {
      const { rest, sent } = serveRoutes(db)
      const comment = await rest.comment.get('1_2')
      const [tag, added, touched, shout, posts, tally, all] = await rest.$operations([
        rest.tag.create.call({ name: 'first' }),
        rest.tag.add.call({ name: 'second' }),
        rest.post.touch.call(3),
        rest.comment.shout.call(comment, { mark: '!' }),
        rest.post.raise.call({ by: 1 }),
        rest.post.tally.call({ views: 21 }),
        rest.post.tally.call(),
      ])
      expect([tag.id, added.id, touched, shout.body]).toEqual(['first', 'second', null, 'Second.!'])
      expect(posts.map(({ viewCount }) => viewCount)).toEqual([11, 31, 100, 21, 1])
      expect([tally, all]).toEqual([
        { count: 3, at: new Date(0) },
        { count: 5, at: new Date(0) },
      ])
      expectTypeOf(added.id).toEqualTypeOf<string>()
      expectTypeOf(touched).toEqualTypeOf<null>()
      expectTypeOf(posts[0]?.publishedAt).toEqualTypeOf<Date | null | undefined>()
      expectTypeOf(tally).toEqualTypeOf<{ count: number; at: Date }>()
      expect(sent.rest.map(({ url }) => new URL(url).pathname)).toEqual(['/rest/comment/1_2', '/rest/operations'])
    })

    it('REST: calls routes with a query and routes without a model in $operations', async () => {
      const { rest } = serveRoutes(db)
      const [archived, bare, reset, label] = await rest.$operations([
        rest.post.archive.call(3, { reason: 'a & b?' }),
        rest.post.archive.call('4'),
        rest.reports.reset.call({ note: 'x' }),
        rest.reports.label.call({ name: 'new' }),
      ])
      expect([archived, bare, reset, label?.id]).toEqual([null, null, null, 'new'])
      expectTypeOf(archived).toEqualTypeOf<null>()
      const operations = [rest.reports.reset.call({ note: 'y' }), rest.post.archive.call(3, { reason: 'a & b?' })]
      await rest.$operations(operations)
      const { content, status } = await db.orm.post.findUniqueOrThrow({ where: { id: 3 } })
      expect([content, status]).toEqual(['a & b?', 'ARCHIVED'])
    })

    it('RPC: calls routes with a query and routes without a model in $transaction', async () => {
      const { rpc } = serveRoutes(db)
      const [reset, archived, label] = await rpc.$transaction([
        rpc.reports.reset.call({ note: 'y' }),
        rpc.post.archive.call({ id: 3, reason: 'a & b?' }),
        rpc.reports.label.call({ name: 'new' }),
      ])
      expect([reset, archived, label.name]).toEqual([null, null, 'new'])
      expectTypeOf(label.name).toEqualTypeOf<string>()
      const { content, status } = await db.orm.post.findUniqueOrThrow({ where: { id: 3 } })
      expect([content, status]).toEqual(['a & b?', 'ARCHIVED'])
    })

    type Clients = ReturnType<typeof serveRoutes>
    type Report = Parameters<Clients['rest']['reports']['save']>[0]

    /** Returns the form errors of a body in both styles, in a separate request and in a transaction. */
    const reportErrors = async ({ rest, rpc }: Clients, body: Report) => {
      const calls = [
        () => rest.reports.save(body),
        () => rest.$operations([rest.reports.save.call(body)]),
        () => rpc.reports.save(body),
        () => rpc.$transaction([rpc.reports.save.call(body)]),
      ]
      const errors: unknown[] = []
      for (const call of calls) errors.push(toFormErrors(await call().catch((error: unknown) => error)))
      return errors
    }

    it.each<[path: string, body: Report]>([
      ['data.attributes.title', { data: { attributes: { title: 'too long' } } }],
      ['data', { data: 1 as never }],
      ['create', { create: 'too long' }],
      ['update', { update: 'too long' }],
      ['links', { links: 'too long' }],
    ])('toFormErrors returns the field %s of a body', async (name, body) => {
      const errors = await reportErrors(serveRoutes(db), body)
      for (const each of errors) expect(each).toMatchObject({ fields: [{ name }], form: [] })
    })

    it('toFormErrors returns the field of an error that a route throws, if the body contains it', async () => {
      const clients = serveRoutes(db)
      for (const [body, name] of [
        [{ create: 'links', links: 'x' }, 'links'],
        [{ create: 'create' }, 'create'],
        [{ create: 'title' }, undefined],
      ] as const) {
        const message = expect.stringContaining('It exists.') as unknown
        const expected =
          name === undefined ? { fields: [], form: [message] } : { fields: [{ name, message }], form: [] }
        for (const each of await reportErrors(clients, body)) expect(each).toMatchObject(expected)
      }
    })

    it('toFormErrors returns the fields of a route that failed in $operations or $transaction', async () => {
      const { rest, rpc } = serveRoutes(db)
      const reset = { note: 'too long' }
      const failures = [
        rest.$operations([rest.tag.create.call({ name: 'new' }), rest.reports.reset.call(reset)]),
        rpc.$transaction([rpc.tag.create.call({ data: { name: 'new' } }), rpc.reports.reset.call(reset)]),
      ]
      for (const failure of failures) {
        const error: unknown = await failure.catch((caught: unknown) => caught)
        expect(toFormErrors(error)).toMatchObject({ fields: [{ name: 'note' }], form: [] })
        expect(toFormErrors(error, 1)).toMatchObject({ fields: [{ name: 'note' }], form: [] })
        expect(toFormErrors(error, 0)).toEqual({ fields: [], form: [] })
      }
    })

    it('REST: rejects with the index of the route that failed in $operations', async () => {
      const { rest } = serveRoutes(db)
      const failing = rest.$operations([rest.tag.add.call({ name: 'new' }), rest.post.touch.call(99)])
      await expect(failing).rejects.toMatchObject({ status: 404, operation: 1 })
      expect(await db.orm.tag.count({ where: { name: 'new' } })).toBe(0)
    })

    it('REST: calls routes with the id of a resource that the same request creates', async () => {
      const { rest } = serveRoutes(db)
      const post = rest.post.create.call({ slug: 'new', title: 'New' })
      const archive = rest.post.archive.call(post.id, { reason: 'x' })
      const [created] = await rest.$operations([post, rest.post.touch.call(post.id), archive])
      const { status, viewCount } = await db.orm.post.findUniqueOrThrow({ where: { slug: 'new' } })
      expect([created.slug, status, viewCount]).toEqual(['new', 'ARCHIVED', 99])
    })

    it('REST: rejects values that cannot be sent', async () => {
      const { rest, sent } = serveRoutes(db)
      await expect(rest.$operations([rest.post.touch.call('')])).rejects.toThrow('"" is not an id.')
      await expect(rest.$operations([rest.post.raise.call({ by: NaN })])).rejects.toThrow('NaN')
      expect(sent.rest).toEqual([])
    })

    it('RPC: calls routes in $transaction', async () => {
      const { rpc, sent } = serveRoutes(db)
      const [tag, added, touched, shout, posts, tally, all] = await rpc.$transaction([
        rpc.tag.create.call({ data: { name: 'first' } }),
        rpc.tag.add.call({ name: 'second' }),
        rpc.post.touch.call({ id: 3 }),
        rpc.comment.shout.call({ postId_seq: { postId: 1, seq: 2 }, mark: '!' }),
        rpc.post.raise.call({ by: 1 }),
        rpc.post.tally.call({ views: 21 }),
        rpc.post.tally.call(),
      ])
      expect([tag.name, added?.name, touched, shout.body]).toEqual(['first', 'second', null, 'Second.!'])
      expect(posts.map(({ viewCount }) => viewCount)).toEqual([11, 31, 100, 21, 1])
      expect([tally, all]).toEqual([
        { count: 3, at: new Date(0) },
        { count: 5, at: new Date(0) },
      ])
      expectTypeOf(touched).toEqualTypeOf<null>()
      expectTypeOf(posts[0]?.publishedAt).toEqualTypeOf<Date | null | undefined>()
      expectTypeOf(tally).toEqualTypeOf<{ count: number; at: Date }>()
      expect(sent.rpc.map(({ url }) => new URL(url).pathname)).toEqual(['/rpc/$transaction/sequential'])
    })

    it('RPC: does not retry a transaction with a route, even if its name is that of a read', async () => {
      const sent: Request[] = []
      const fetch = (request: Request): never => {
        sent.push(request)
        throw new TypeError('fetch failed')
      }
      const { rpc } = serveRoutes(db, { fetch })
      await expect(rpc.$transaction([rpc.tag.countUses.call()])).rejects.toMatchObject({ code: 'network-error' })
      expect(sent).toHaveLength(1)
      await expect(rpc.$transaction([rpc.tag.count.call()])).rejects.toMatchObject({ code: 'network-error' })
      expect(sent.length).toBeGreaterThan(2)
    })

    it.each(['rest', 'rpc'] as const)('%s: retries a write with the same key', async (style) => {
      const sent: Request[] = []
      const fetch = (request: Request): never => {
        sent.push(request)
        throw new TypeError('fetch failed')
      }
      const clients = serveRoutes(db, { idempotency: true, fetch })
      const call = style === 'rest' ? clients.rest.tag.add({ name: 'x' }) : clients.rpc.tag.add({ name: 'x' })
      await expect(call).rejects.toMatchObject({ code: 'network-error' })
      const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'))
      expect(keys).toEqual([expect.stringMatching(/^"[\w-]{36}"$/), keys[0], keys[0]])
    })

    /**
     * Compile errors. `@ts-expect-error` asserts that the compiler rejects the next line. If the line compiles, `npm run typecheck` fails. Never
     * called.
     */
    async function mistakes(): Promise<void> {
      const { rest, rpc } = serveRoutes(db)
      // @ts-expect-error The id is missing.
      await rest.post.touch()
      // @ts-expect-error The body is missing.
      await rest.post.publish(3)
      // @ts-expect-error The body has another type.
      await rest.post.publish(3, { note: 1 })
      // @ts-expect-error The body has another property.
      await rest.post.publish(3, { note: 'x', notes: 'x' })
      // @ts-expect-error A relation that does not exist.
      await rest.post.publish(3, { note: 'x' }, { include: ['writer'] })
      // @ts-expect-error The author is not included, so it has only an id.
      void (await rest.post.publish(3, { note: 'x' }))?.author?.name
      // @ts-expect-error A route that does not exist.
      await rest.post.publis(3)
      // @ts-expect-error The route cannot be part of a transaction.
      rest.post.publish.call(3, { note: 'x' })
      // @ts-expect-error `Function.prototype.call` would send the request.
      await rest.post.stats.call({})
      // @ts-expect-error `Function.prototype.call` would send the request.
      await rpc.post.stats.call({})
      // @ts-expect-error The id is missing.
      rest.post.touch.call()
      // @ts-expect-error The body has another type.
      rest.post.raise.call({ by: '1' })
      // @ts-expect-error The route cannot be part of a transaction.
      rpc.post.publish.call({ id: 3, note: 'x' })
      // @ts-expect-error The id is missing.
      rpc.post.touch.call({})
      // @ts-expect-error The id is missing.
      await rpc.post.touch({})
      // @ts-expect-error The id has another type.
      await rpc.post.touch({ id: '3' })
      // @ts-expect-error The body has another property.
      await rpc.post.publish({ id: 3, note: 'x', notes: 'x' })
      // @ts-expect-error A field that does not exist.
      await rest.post.recent({}, { filter: { titel: 'x' } })
      // @ts-expect-error A sort field that does not exist.
      await rest.post.recent({}, { sort: ['-titel'] })
      // @ts-expect-error A list of a route has no cursors.
      await rest.post.recent({}, { page: { after: '' } })
      // @ts-expect-error The function of the route counts the resources.
      await rest.post.recent({}, { page: { total: 'none' } })
      // @ts-expect-error The query has another type.
      await rest.post.recent({ views: 'x' })
      // @ts-expect-error The fields were not requested.
      void (await rest.post.recent({}, { fields: { post: ['title'] } }))[0]?.content
      // @ts-expect-error The route has no list parameters.
      await rest.post.popular({ views: 1 }, { sort: ['id'] })
      // @ts-expect-error The id is missing.
      await rpc.user.articles({ take: 1 })
      // @ts-expect-error A field that does not exist.
      await rpc.post.recent({ where: { titel: 'x' } })
      // @ts-expect-error A hidden field of a related row.
      await rpc.post.recent({ where: { author: { password: 'x' } } })
      // @ts-expect-error The route has no such argument.
      await rpc.post.recent({ view: 1 })
      // @ts-expect-error The argument of the route has another type.
      await rpc.post.recent({ views: 'x' })
      // @ts-expect-error Either `select` or `include`.
      await rpc.post.recent({ select: { id: true }, include: { author: true } })
      // @ts-expect-error The field was not selected.
      void (await rpc.post.recent({ select: { id: true } }))[0]?.title
      // @ts-expect-error A hidden field.
      void (await rpc.tag.add({ name: 'x' }))?.secret
      // @ts-expect-error A group without a model has no other methods.
      await rest.reports.get(1)
      // @ts-expect-error The query is missing.
      await rpc.reports.monthly()
      // @ts-expect-error The body has another property.
      await rest.reports.reset({ note: 'x', notes: 'x' })
      // @ts-expect-error The path contains no id.
      await withRestRoutes(blogClient(), { pots: { a: { method: 'GET', path: '/a', result: 'Post' } } }).pots.a(1)
    }
    void mistakes
  },
  { only: ['sqlite'] },
)
