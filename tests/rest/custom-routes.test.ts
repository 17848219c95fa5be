import { Hono } from 'hono'
import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/blog/expected/hooks.js'
import { defineRestRoutes, type RestApi } from '../../fixtures/blog/expected/custom-routes.js'
import { type DefineRoutes, httpError } from '../../runtime/index.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { clientOf, ENDPOINT, MEDIA_TYPE, restClient, type RestApiOptions } from './support/client.js'

const publish: DefineRoutes<RestApi> = (app, api) => {
  app.post('/post/:id/publish', async (c) => {
    const args = { where: api.id(c, 'Post'), data: { status: 'PUBLISHED' }, ...api.select(c, 'Post') } as const
    return api.reply(c, 'Post', await (await api.orm(c)).post.update(args))
  })
}

describeDatabases(
  'REST: custom routes',
  (db) => {
    beforeEach(async () => void (await db.fill(fillBlog)))

    const served = (routes: DefineRoutes<RestApi>) => restClient(db, { routes: defineRestRoutes(routes) })
    const handlerOf = (routes: DefineRoutes<RestApi>) =>
      db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: defineRestRoutes(routes) })

    it('responds with 500 if getOrm rejects before the route awaits it', async () => {
      const handler = handlerOf((app, api) => {
        app.get('/post/late', async (c) => {
          const orm = api.orm(c)
          await new Promise((resolve) => setTimeout(resolve, 20))
          return api.reply(c, 'Post', await (await orm).post.findFirst())
        })
      })
      const getOrm = () => Promise.reject(new Error('no client'))
      const response = await handler.fetch(new Request('http://x/post/late'), { getOrm, log: () => undefined })
      expect(response.status).toBe(500)
    })

    it('delegates a request whose body middleware has read', async () => {
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
    })

    it('runs middleware for atomic operations', async () => {
      const rest = served((app) => {
        app.use(async (c, next) => {
          await next()
          c.header('x-seen', 'yes')
        })
        app.post('/tag/import', (c) => c.body(null, 204))
      })
      const operations = [{ op: 'add', data: { type: 'tag', attributes: { name: 'new' } } }]
      const atomic = { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` }
      const response = await rest.post('/operations', { 'atomic:operations': operations }, atomic)
      expect([response.status, response.headers.get('x-seen')]).toEqual([200, 'yes'])
      expect((await rest.post('/tag/import', {}, atomic)).status).toBe(415)
    })

    it('forwards the context variables of the app and of middleware', async () => {
      const handler = handlerOf((app, api) => {
        app.use(async (c, next) => {
          c.set('both', `${String(c.get('outer'))} inner`)
          await next()
          c.header('x-both', String(c.get('both')))
        })
        app.get('/who', async (c) => api.reply(c, 'Tag', { name: String(c.get('both')) }))
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

    it('redirects other spellings of a model with 308', async () => {
      const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler: handlerOf(publish), prefix: '/api' })
      const { status, headers } = await app.request('/api/Post/3/publish?include=author', { method: 'POST' })
      expect([status, headers.get('Location')]).toEqual([308, '../../post/3/publish?include=author'])
    })

    it('throws if `routes` is asynchronous or does not come from defineRestRoutes', () => {
      expect(() => served(async () => {})).toThrow('routes must register its routes synchronously')
      const routes = (() => {}) as unknown as RestApiOptions['routes']
      const message = 'routes must be created with implementRoutes of custom-routes.ts.'
      expect(() => restClient(db, routes && { routes })).toThrow(message)
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
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, hooks, routes: defineRestRoutes(publish) })
      const context = () => ({ user: 'ada' })
      const app = db.hono.createHonoHandler({ handler, context, getOrm: () => db.orm, prefix: '/api' })
      const rest = clientOf((request) => app.fetch(request))
      const { one } = await rest.fetch('/post/3/publish', { method: 'POST' })
      expect(one.attributes).toMatchObject({ title: 'Published by ada', status: 'PUBLISHED' })
      const { status, errors } = await rest.fetch('/post/2/publish', { method: 'POST' })
      const source = { pointer: '/data/attributes/content' }
      expect([status, errors]).toMatchObject([422, [{ detail: 'Write something first.', source }]])
      expect(await db.orm.post.findUnique({ where: { id: 2 } })).toMatchObject({ status: 'DRAFT' })
    })
  },
  { only: ['sqlite'] },
)
