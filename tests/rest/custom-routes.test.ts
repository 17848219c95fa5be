import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'

import { defineHooks } from '../../fixtures/blog/expected/hooks.js'
import { defineRestRoutes, type RestApi, type RestApiOptions } from '../../fixtures/blog/expected/index.js'
import { type DefineRoutes, httpError } from '../../runtime/index.js'
import { PolicyError } from '../../runtime/errors/policy-error.js'
import { describeDatabases } from '../support/databases.js'
import { ANN, fillBlog } from './support/blog.js'
import { clientOf, ENDPOINT, MEDIA_TYPE, restClient } from './support/client.js'

type Routes = DefineRoutes<RestApi>

const json = (value: unknown, type = 'application/json', method = 'POST'): RequestInit => ({
  method,
  body: JSON.stringify(value),
  headers: { 'Content-Type': type },
})
const bare: RequestInit = { method: 'POST' }

/** Serves `POST /post/:id/publish`, as documented. */
const publishing: Routes = (app, api) => {
  app.post('/post/:id/publish', async (c) => {
    const orm = await api.orm(c)
    const where = api.id(c, 'Post')
    const { status } = await orm.post.findUniqueOrThrow({ where })
    if (status === 'PUBLISHED') throw httpError(409, 'It is published already.', { field: 'status', code: 'published' })
    const data = { status: 'PUBLISHED', publishedAt: new Date(0) } as const
    return api.reply(c, 'Post', await orm.post.update({ where, data, ...api.select(c, 'Post') }))
  })
}

describeDatabases(
  'REST: custom actions',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

    const served = (routes: Routes) => restClient(db, { routes: defineRestRoutes(routes) })

    it('responds with 500 if getOrm rejects before the route awaits it', async () => {
      const routes: Routes = (app, api) => {
        app.get('/post/late', async (c) => {
          const orm = api.orm(c)
          await new Promise((resolve) => setTimeout(resolve, 20))
          return api.reply(c, 'Post', await (await orm).post.findFirst())
        })
      }
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: defineRestRoutes(routes) })
      const getOrm = () => Promise.reject(new Error('no client'))
      const response = await handler.fetch(new Request('http://x/post/late'), { getOrm, log: () => undefined })
      expect(response.status).toBe(500)
    })

    it('returns the same document as GET of the resource', async () => {
      const rest = served(publishing)
      const { status, one, body } = await rest.fetch('/post/3/publish', bare)
      expect(status).toBe(200)
      expect(one).toMatchObject({ id: '3', attributes: { status: 'PUBLISHED', publishedAt: new Date(0).toJSON() } })
      expect(body).toEqual((await rest.get('/post/3')).body)
      expect(await db.orm.post.findUnique({ where: { id: 3 } })).toMatchObject({ status: 'PUBLISHED' })
    })

    it('applies the include and fields parameters of the request', async () => {
      const rest = served(publishing)
      const query = '?include=author,comments&fields[post]=title,author,comments&fields[user]=name'
      const { body } = await rest.fetch(`/post/3/publish${query}`, bare)
      expect(body).toEqual((await rest.get(`/post/3${query}`)).body)
      expect(body.included).toMatchObject([{ type: 'user', attributes: { name: 'Ann' } }])
    })

    it('sends no extra query for the response', async () => {
      const rest = served((app, api) => {
        app.post('/post/:id/touch', async (c) => {
          const args = { where: api.id(c, 'Post'), data: { viewCount: 1 }, ...api.select(c, 'Post') }
          return api.reply(c, 'Post', await (await api.orm(c)).post.update(args))
        })
      })
      const alone = await db.queriesOf(() => db.orm.post.update({ where: { id: 3 }, data: { viewCount: 2 } }))
      const queries = await db.queriesOf(() => rest.fetch('/post/3/touch?fields[post]=title', bare))
      expect(queries).toHaveLength(alone.length)
    })

    it.each([
      ['/post/99/publish', 404, 'not-found'],
      ['/post/x/publish', 404, 'not-found'],
      ['/post/3%ff/publish', 404, 'not-found'],
      ['/post/3/publish?include=nobody', 400, 'unknown-field'],
      ['/post/3/publish?page[limit]=1', 400, 'unsupported-parameter'],
      ['/post/1/publish', 409, 'published'],
    ])('POST %s: responds with %i %s', async (path, status, code) => {
      const before = await db.orm.post.findMany()
      expect(await served(publishing).fetch(path, bare)).toMatchObject({ status, errors: [{ code, status }] })
      expect(await db.orm.post.findMany()).toEqual(before)
    })

    it('rejects an unsupported Accept header with 406 before the route runs', async () => {
      const init = { ...bare, headers: { Accept: 'text/html' } }
      expect((await served(publishing).fetch('/post/3/publish', init)).status).toBe(406)
      expect(await db.orm.post.findUnique({ where: { id: 3 } })).toMatchObject({ status: 'ARCHIVED' })
    })
  },
  { only: ['PGlite'] },
)

describeDatabases(
  'REST: custom routes',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

    const served = (routes: Routes, options: Partial<RestApiOptions> = {}) =>
      restClient(db, { ...options, routes: defineRestRoutes(routes) })

    describe('integration with emitted routes', () => {
      it('overrides emitted routes and can delegate to them', async () => {
        const rest = served((app) => {
          app.get('/tag/:id', (c, next) =>
            c.req.param('id') === 'news' ? Promise.resolve(c.text('mine', 204 as 200)) : next(),
          )
          app.get('/tag', (c) => c.body(null, 204))
        })
        expect((await rest.get('/tag')).status).toBe(204)
        expect((await rest.get('/tag/tips')).one).toMatchObject({ id: 'tips' })
        expect(await rest.post('/tag', { data: { type: 'tag', attributes: { name: 'new' } } })).toMatchObject({
          status: 201,
        })
        expect((await rest.fetch('/tag', { method: 'HEAD' })).status).toBe(204)
      })

      it('delegates unmatched requests, also if middleware has read the body', async () => {
        const seen: unknown[] = []
        const rest = served((app) => {
          app.use('/tag/*', async (c, next) => {
            seen.push(await c.req.json())
            await next()
          })
        })
        const document = { data: { type: 'tag', attributes: { name: 'new' } } }
        expect(await rest.post('/tag', document)).toMatchObject({ status: 201 })
        expect(seen).toEqual([document])
        expect(await rest.get('/nothing')).toMatchObject({ status: 404, errors: [{ code: 'unsupported-model' }] })
        expect(await rest.get('/post/1/nothing')).toMatchObject({ status: 404, errors: [{ code: 'unknown-path' }] })
      })

      it('forwards the context variables of the app and of middleware', async () => {
        const handler = db.routes.RestApiHandler({
          endpoint: ENDPOINT,
          routes: defineRestRoutes((app, api) => {
            app.use(async (c, next) => {
              c.set('both', `${String(c.get('outer'))} inner`)
              await next()
              c.header('x-both', String(c.get('both')))
            })
            app.get('/who', async (c) => api.reply(c, 'Tag', { name: String(c.get('both')) }))
          }),
        })
        const app = new Hono<{ Variables: { outer: string } }>().use(async (c, next) => {
          c.set('outer', 'outer')
          await next()
        })
        app.route('/api', db.hono.createHonoHandler({ getOrm: () => db.orm, handler }))
        const rest = clientOf((request) => app.fetch(request))
        expect((await rest.get('/who')).one.id).toBe('outer inner')
        expect((await rest.get('/tag')).headers.get('x-both')).toBe('outer inner')
      })

      it('disables caching unless the route sets Cache-Control', async () => {
        const rest = served((app) => {
          app.get('/report', (c) => c.body(null, 204))
          app.get('/rules', (c) => c.body(null, 204, { 'Cache-Control': 'max-age=60' }))
        })
        const cached = async (path: string) => (await rest.get(path)).headers.get('Cache-Control')
        expect([await cached('/report'), await cached('/rules')]).toEqual(['private, no-store', 'max-age=60'])
      })

      it('includes custom routes in the allowed methods of a path', async () => {
        const rest = served((app, api) => {
          publishing(app, api)
          app.put('/tag', (c) => c.body(null, 204))
          app.get('/report', (c) => c.body(null, 204))
        })
        for (const [path, method, allow] of [
          ['/post/1/publish', 'GET', 'POST'],
          ['/tag', 'DELETE', 'GET, HEAD, POST, PUT'],
          ['/report', 'POST', 'GET, HEAD'],
        ] as const) {
          const other = await rest.fetch(path, { method })
          expect([other.status, other.headers.get('Allow')]).toEqual([405, allow])
          const options = await rest.fetch(path, { method: 'OPTIONS' })
          expect([options.status, options.headers.get('Allow')]).toEqual([204, allow])
        }
        expect((await rest.get('/post/1/publishing')).status).toBe(404)
      })

      it('redirects other spellings of a model with 308', async () => {
        const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: defineRestRoutes(publishing) })
        const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler, prefix: '/api' })
        const response = await app.request('/api/Post/3/publish?include=author', bare)
        expect([response.status, response.headers.get('Location')]).toEqual([
          308,
          '../../post/3/publish?include=author',
        ])
      })

      it('throws if `routes` is asynchronous', () => {
        expect(() => served(async () => {})).toThrow('routes must register its routes synchronously')
      })

      it('throws if `routes` does not come from defineRestRoutes', () => {
        const routes = (() => {}) as unknown as RestApiOptions['routes']
        expect(() => restClient(db, routes && { routes })).toThrow(
          'routes must be the result of the emitted defineRestRoutes',
        )
      })
    })

    describe('errors thrown by routes', () => {
      const throwing = (error: () => unknown) =>
        served((app) => {
          app.post('/post/:id/fail', () => {
            throw error()
          })
        })

      it.each([
        [() => httpError(400, 'No.'), 400, { code: 'bad-request', detail: 'No.' }],
        [() => httpError(403, 'No.'), 403, { code: 'forbidden' }],
        [() => httpError(410, 'No.'), 410, { code: 'gone' }],
        [() => httpError(422, 'No.', { field: 'title' }), 422, { source: { pointer: '/data/attributes/title' } }],
        [() => httpError(422, 'No.', { field: 'author' }), 422, { source: { pointer: '/data/relationships/author' } }],
        [() => httpError(429, 'No.', { code: 'slow-down' }), 429, { code: 'slow-down', title: 'Too many requests' }],
        [() => new HTTPException(401), 401, { code: 'unauthenticated' }],
        [() => new HTTPException(404, { message: 'Not here.' }), 404, { code: 'not-found', detail: 'Not here.' }],
        [() => new HTTPException(409), 409, { code: 'conflict', detail: 'Conflict.' }],
        [() => new PolicyError('Not for you.'), 403, { meta: { reason: 'ACCESS_POLICY_VIOLATION' } }],
      ])('%s: responds with %i', async (error, status, expected) => {
        const response = await throwing(error).fetch('/post/1/fail', bare)
        expect(response).toMatchObject({ status, errors: [{ status, ...expected }] })
      })

      it('omits the source if the field is not exposed', async () => {
        const { errors } = await throwing(() => httpError(422, 'No.', { field: 'nothing' })).fetch('/post/1/fail', bare)
        expect(errors).toEqual([expect.not.objectContaining({ source: expect.anything() })])
      })

      it('renders errors thrown by Hono middleware', async () => {
        const rest = served((app) => {
          app.use(csrf())
          app.post('/post/:id/like', (c) => c.body(null, 204))
        })
        const from = (origin: string) => rest.fetch('/post/1/like', { method: 'POST', headers: { Origin: origin } })
        expect(await from('https://evil.example')).toMatchObject({ status: 403, errors: [{ code: 'forbidden' }] })
        expect((await from('http://localhost')).status).toBe(204)
      })

      it('keeps WWW-Authenticate but omits other headers', async () => {
        const res = new Response(null, {
          status: 401,
          headers: { 'WWW-Authenticate': 'Basic realm="x"', 'X-Other': 'y' },
        })
        const { headers } = await throwing(() => new HTTPException(401, { res })).fetch('/post/1/fail', bare)
        expect([headers.get('WWW-Authenticate'), headers.get('X-Other')]).toEqual(['Basic realm="x"', null])
      })

      it.each([() => new Error('secret'), () => 'secret', () => new HTTPException(418)])(
        '%s: responds with 500 and the logged error id',
        async (error) => {
          const log = vi.spyOn(console, 'error').mockImplementation(() => {})
          const { status, errors, text } = await throwing(error).fetch('/post/1/fail', bare)
          expect(status).toBe(500)
          expect(text).not.toContain('secret')
          expect(String(log.mock.calls[0]?.[0])).toContain(errors[0]?.id)
          log.mockRestore()
        },
      )

      it('responds to database errors with 409 or 404', async () => {
        const rest = served((app, api) => {
          app.post('/tag/twice', async (c) => {
            const { tag } = await api.orm(c)
            return api.reply(c, 'Tag', await tag.create({ data: { name: 'news' } }))
          })
          app.post('/tag/:id/drop', async (c) => {
            await (await api.orm(c)).tag.delete({ where: api.id(c, 'Tag') })
            return c.body(null, 204)
          })
        })
        expect(await rest.fetch('/tag/twice', bare)).toMatchObject({
          status: 409,
          errors: [{ code: 'unique-violation' }],
        })
        expect((await rest.fetch('/tag/a%2Fb%20%25_%C3%BC/drop', bare)).status).toBe(204)
        expect(await rest.fetch('/tag/a%2Fb%20%25_%C3%BC/drop', bare)).toMatchObject({ status: 404 })
      })

      it('responds with 404 to c.notFound()', async () => {
        const rest = served((app) => {
          app.get('/tag/:id', (c) => c.notFound())
        })
        expect(await rest.get('/tag/news')).toMatchObject({ status: 404, errors: [{ code: 'not-found' }] })
      })
    })

    describe('api.reply', () => {
      it('omits hidden fields and loads missing ones', async () => {
        const rest = served((app, api) => {
          app.get('/me', async (c) =>
            api.reply(c, 'User', await (await api.orm(c)).user.findFirst({ where: { id: ANN } })),
          )
          app.get('/me/bare', async (c) => api.reply(c, 'User', { id: ANN }))
        })
        const { body } = await rest.get('/user/1')
        expect((await rest.get('/me')).body).toEqual(body)
        expect((await rest.get('/me/bare')).body).toEqual(body)
        const included = await rest.get('/me?include=posts.category,profile')
        expect(included.body).toEqual((await rest.get('/user/1?include=posts.category,profile')).body)
        expect(await rest.get('/me?fields[user]=password')).toMatchObject({ status: 400 })
      })

      it('returns lists, with pagination links if the total is given', async () => {
        const rest = served((app, api) => {
          app.get('/post/popular', async (c) => {
            const { post } = await api.orm(c)
            const { where, ...args } = api.query(c, 'Post')
            const popular = { AND: [where, { viewCount: { gte: 20 } }] }
            const rows = await post.findMany({ ...args, where: popular })
            return api.reply(c, 'Post', rows, { total: await post.count({ where: popular }) })
          })
          app.get('/post/drafts', async (c) => {
            return api.reply(c, 'Post', await (await api.orm(c)).post.findMany({ where: { status: 'DRAFT' } }))
          })
        })
        const page = await rest.get('/post/popular?sort=-slug&page[limit]=2&filter[authorId]=1')
        expect(page.ids).toEqual(['2', '3'])
        expect(page.body).toMatchObject({
          meta: { total: 2 },
          links: {
            self: `${ENDPOINT}/post/popular?sort=-slug&page%5Blimit%5D=2&filter%5BauthorId%5D=1`,
            first: `${ENDPOINT}/post/popular?sort=-slug&filter%5BauthorId%5D=1&page%5Blimit%5D=2`,
            next: null,
          },
        })
        const drafts = await rest.get('/post/drafts?include=tags&fields[post]=title,tags')
        expect(drafts.ids).toEqual(['2', '5'])
        expect(drafts.body).toMatchObject({
          links: { self: `${ENDPOINT}/post/drafts?include=tags&fields%5Bpost%5D=title%2Ctags` },
          included: [{ type: 'tag', id: 'news' }],
        })
        expect(await rest.get('/post/drafts?filter[title]=x')).toMatchObject({ status: 400 })
        expect(await rest.get('/post/popular?filter[nothing]=x')).toMatchObject({ status: 400 })
      })

      it('returns null for a missing row, and Location with status 201', async () => {
        const rest = served((app, api) => {
          app.get('/post/latest', async (c) => api.reply(c, 'Post', null))
          app.post('/tag/from-title', async (c) => {
            const tag = await (await api.orm(c)).tag.create({ data: { name: 'made' } })
            return api.reply(c, 'Tag', tag, { status: 201 })
          })
        })
        expect((await rest.get('/post/latest')).body).toMatchObject({
          data: null,
          links: { self: `${ENDPOINT}/post/latest` },
        })
        const created = await rest.fetch('/tag/from-title', bare)
        expect([created.status, created.headers.get('Location')]).toEqual([201, `${ENDPOINT}/tag/made`])
      })

      it('reports that the change was made if the response exceeds a limit', async () => {
        const rest = served(
          (app, api) => {
            app.post('/post/:id/archive', async (c) => {
              const args = { where: api.id(c, 'Post'), data: { status: 'ARCHIVED' } } as const
              return api.reply(c, 'Post', await (await api.orm(c)).post.update(args))
            })
          },
          { limits: { includedRows: 1 } },
        )
        const { status, errors } = await rest.fetch('/post/1/archive?include=comments', bare)
        expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining('The change was made')])
      })
    })

    describe('request bodies', () => {
      const reading = (options: Partial<RestApiOptions> = {}) =>
        served((app, api) => {
          app.post('/checked', async (c) => {
            const { data } = await api.body(c, z.object({ data: z.object({ note: z.string().min(3) }) }))
            return c.body(null, 204, { 'x-note': data.note })
          })
          app.post('/as-it-is', async (c) => c.body(null, 204, { 'x-body': JSON.stringify(await c.req.json()) }))
          app.post('/unread', (c) => c.body(null, 204))
          app.all('/any', (c) => c.body(null, 204))
          app.all('/wild/*', async (c) => c.body(null, 204, { 'x-body': JSON.stringify(await c.req.json()) }))
        }, options)

      it('validates JSON against a zod schema', async () => {
        const ok = await reading().fetch('/checked', json({ data: { note: 'abc' } }, MEDIA_TYPE))
        expect([ok.status, ok.headers.get('x-note')]).toEqual([204, 'abc'])
        expect(await reading().fetch('/checked', json({ data: { note: '' } }))).toMatchObject({
          status: 422,
          errors: [{ code: 'invalid-value', source: { pointer: '/data/note' } }],
        })
        expect(await reading().fetch('/checked', json([]))).toMatchObject({ status: 400 })
      })

      it.each(['/checked', '/as-it-is', '/unread', '/any', '/wild/1'])(
        '%s: rejects other content types with 415',
        async (path) => {
          for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
            expect((await reading().fetch(path, json({}, type))).status).toBe(415)
          }
        },
      )

      it('rejects a body without a content type with 415 if the route reads it', async () => {
        const untyped = { method: 'POST', body: new TextEncoder().encode('{}') }
        for (const path of ['/checked', '/as-it-is', '/wild/1'])
          expect((await reading().fetch(path, untyped)).status).toBe(415)
        expect((await reading().fetch('/unread', bare)).status).toBe(204)
      })

      it.each(['/checked', '/as-it-is', '/wild/1'])(
        '%s: rejects a body over the limit with 413, also if it is streamed',
        async (path) => {
          const large = JSON.stringify({ data: { note: 'x'.repeat(2000) } })
          const headers = { 'Content-Type': 'application/json' }
          const streamed: RequestInit & { duplex: 'half' } = {
            method: 'POST',
            headers,
            body: new Blob([large]).stream(),
            duplex: 'half',
          }
          const announced = { method: 'POST', headers: { ...headers, 'Content-Length': '2050' }, body: large }
          for (const init of [streamed, announced]) {
            const response = await reading({ limits: { bodyBytes: 1000 } }).fetch(path, init)
            expect(response).toMatchObject({ status: 413, errors: [{ code: 'body-too-large' }] })
          }
        },
      )
    })

    it('resolves the context and the client once per request', async () => {
      let calls = 0
      const addRoutes = (app: Hono, api: RestApi<{ user: string }>) => {
        app.get('/who', async (c) => {
          const [{ user }, again] = [await api.context(c), await api.context(c)]
          const same = (await api.orm(c)) === (await api.orm(c)) && again.user === user
          return c.body(null, 204, { 'x-user': `${user} ${same}` })
        })
      }
      const handler = db.routes.RestApiHandler({
        endpoint: ENDPOINT,
        // The routes also work in an app that was not created by Routewright.
        routes: defineRestRoutes((app, api: RestApi<{ user: string }>) => {
          const inner = new Hono()
          addRoutes(inner, api)
          app.route('/', inner)
        }),
      })
      const app = db.hono.createHonoHandler({
        handler,
        context: (c) => ({ user: `${c.req.header('x-user')} ${++calls}` }),
        getOrm: (_c, { user }) => (user.startsWith('ada') ? db.orm : db.orm.$extends({})),
        prefix: '/api',
      })
      const rest = clientOf((request) => app.fetch(request))
      expect((await rest.get('/who', { 'x-user': 'ada' })).headers.get('x-user')).toBe('ada 1 true')
      expect((await rest.get('/post/1', { 'x-user': 'ada' })).status).toBe(200)
      expect(calls).toBe(2)
    })

    it('runs the hooks of the app, which can reject the write', async () => {
      const hooks = defineHooks<{ user: string }>({
        Post: {
          update: {
            before({ data, row, context }) {
              if (row.status === 'DRAFT') throw httpError(422, 'Write something first.', { field: 'content' })
              return { ...data, title: `Published by ${context.user}` }
            },
          },
        },
      })
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, hooks, routes: defineRestRoutes(publishing) })
      const app = db.hono.createHonoHandler({
        handler,
        context: (c) => ({ user: c.req.header('x-user') ?? 'nobody' }),
        getOrm: () => db.orm,
        prefix: '/api',
      })
      const rest = clientOf((request) => app.fetch(request))
      const { one } = await rest.fetch('/post/3/publish', { ...bare, headers: { 'x-user': 'ada' } })
      expect(one.attributes).toMatchObject({ title: 'Published by ada', status: 'PUBLISHED' })
      expect(await rest.fetch('/post/2/publish', bare)).toMatchObject({
        status: 422,
        errors: [{ detail: 'Write something first.', source: { pointer: '/data/attributes/content' } }],
      })
      expect(await db.orm.post.findUnique({ where: { id: 2 } })).toMatchObject({ status: 'DRAFT' })
    })
  },
  { only: ['sqlite'] },
)
