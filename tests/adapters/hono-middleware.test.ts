import { Hono, type MiddlewareHandler } from 'hono'
import { setCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { requestId } from 'hono/request-id'
import { matchedRoutes, routePath } from 'hono/route'
import { secureHeaders } from 'hono/secure-headers'
import { timing } from 'hono/timing'
import { beforeEach, describe, expect, it } from 'vitest'

import { honoHandler } from '../../runtime/adapters/hono.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

const JSON_TYPE = { 'content-type': 'application/vnd.api+json' }

describeDatabases(
  'Hono middleware before the handler',
  (db) => {
    beforeEach(async () => {
      await db.fill(seedBlog)
    })
    const rest = (prefix?: string) =>
      honoHandler({
        handler: db.routes.RestApiHandler({
          endpoint: ENDPOINT,
          routes: db.routes.defineRestRoutes((app, api) => {
            app.use('/tag/*', async (c, next) => {
              c.header('X-Inner', 'middleware')
              await next()
            })
            app.get('/tag/:id/again', async (c) => {
              c.header('X-Own', 'route')
              c.header('Vary', 'X-Own')
              return api.reply(c, 'Tag', await db.orm.tag.findMany(api.query(c, 'Tag')))
            })
            app.get('/tag/:id/broken', (c) => {
              c.header('X-Own', 'route')
              throw new Error('broken')
            })
            app.get('/tag/:id/fetched', async () => fetch('data:text/plain,fetched'))
          }),
        }),
        getOrm: () => db.orm,
        log: () => undefined,
        ...(prefix === undefined ? {} : { prefix }),
      })

    const PATHS = [
      ['list', '/api/tag', 200],
      ['unknown id', '/api/tag/999', 404],
      ['unknown model', '/api/none', 404],
      ['custom route', '/api/tag/1/again', 200],
      ['custom route that throws', '/api/tag/1/broken', 500],
      ['custom route that returns a fetched response', '/api/tag/1/fetched', 200],
    ] as const

    it.each(PATHS)('%s: keeps headers of the middleware', async (_what, path, status) => {
      const app = new Hono()
      app.use(requestId(), cors({ origin: 'https://app.example', credentials: true }), secureHeaders(), timing())
      app.use(async (c, next) => {
        setCookie(c, 'a', '1')
        setCookie(c, 'b', '2')
        c.header('Cache-Control', 'public')
        c.header('Vary', 'X-Tenant, accept')
        await next()
        c.header('X-After', 'yes')
      })
      const response = await app.route('/api', rest()).request(path, {
        headers: { 'x-request-id': 'r-1', origin: 'https://app.example' },
      })
      expect(response.status).toBe(status)
      const { headers } = response
      expect(headers.get('x-request-id')).toBe('r-1')
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('server-timing')).toMatch(/^total/)
      expect(headers.get('x-after')).toBe('yes')
      expect(headers.getSetCookie().map((cookie) => cookie.split(';')[0])).toEqual(['a=1', 'b=2'])
      expect(headers.get('cache-control')).toBe('private, no-store')
      const vary = headers.get('vary')?.toLowerCase().split(/, */) ?? []
      expect(vary).toEqual(expect.arrayContaining(['x-tenant', 'accept', 'origin']))
      expect(new Set(vary).size).toBe(vary.length)
    })

    it('keeps headers of custom routes and their middleware', async () => {
      const app = new Hono().route('/api', rest())
      const again = await app.request('/api/tag/1/again')
      expect([again.headers.get('x-own'), again.headers.get('x-inner')]).toEqual(['route', 'middleware'])
      expect(again.headers.get('vary')).toBe('X-Own, Accept')
      const broken = await app.request('/api/tag/1/broken')
      expect([broken.status, broken.headers.get('x-own')]).toEqual([500, 'route'])
      const notFound = await app.request('/api/tag/999')
      expect([notFound.status, notFound.headers.get('x-inner')]).toEqual([404, 'middleware'])
      expect(await (await app.request('/api/tag/1/fetched')).text()).toBe('fetched')
    })

    it('keeps headers of middleware in nested apps', async () => {
      const set =
        (name: string): MiddlewareHandler =>
        async (c, next) => {
          c.header(name, 'yes')
          await next()
        }
      const inner = new Hono().use(set('x-nested')).route('/api', rest('v1'))
      const app = new Hono().use(set('x-outer')).route('/:tenant', inner)
      const { status, headers } = await app.request('/acme/api/v1/post/1')
      expect([status, headers.get('x-nested'), headers.get('x-outer')]).toEqual([200, 'yes', 'yes'])
    })

    describe('route path', () => {
      it.each([
        ['GET', '/acme/api/v1/post/1', '/:tenant/api/v1/post/:id'],
        ['HEAD', '/acme/api/v1/post/1', '/:tenant/api/v1/post/:id'],
        ['GET', '/acme/api/v1/post', '/:tenant/api/v1/post'],
        ['GET', '/acme/api/v1/post/1/relationships/tags', '/:tenant/api/v1/post/:id/relationships/tags'],
        ['GET', '/acme/api/v1/post/99', '/:tenant/api/v1/post/:id'],
        ['GET', '/acme/api/v1/tag/1/again', '/:tenant/api/v1/tag/:id/again'],
        ['GET', '/acme/api/v1/tag/1/broken', '/:tenant/api/v1/tag/:id/broken'],
        ['GET', '/acme/api/v1/tag/1', '/:tenant/api/v1/tag/:id'],
        // No route answers these.
        ['GET', '/acme/api/v1/none', '/:tenant/api/v1/*'],
        ['DELETE', '/acme/api/v1/post', '/:tenant/api/v1/*'],
      ])('%s %s: sees the route %s', async (method, path, expected) => {
        const seen: unknown[] = []
        const app = new Hono()
        app.use(async (c, next) => {
          seen.push(routePath(c))
          await next()
          seen.push(routePath(c), routePath(c, -1), c.req.routePath, c.req.param('tenant'))
          seen.push(matchedRoutes(c).map((route) => route.path))
        })
        await app.route('/:tenant/api', rest('v1')).request(path, { method })
        expect(seen).toEqual(['/*', expected, expected, expected, 'acme', ['/*', expected]])
      })

      it('sees the matching route for each concurrent request', async () => {
        const seen: [string, string][] = []
        const app = new Hono().use(async (c, next) => {
          await next()
          await new Promise((resolve) => setTimeout(resolve, 5))
          seen.push([c.req.path, routePath(c)])
        })
        app.route('/api', rest())
        await Promise.all(['/api/post', '/api/post/1', '/api/tag', '/api/post/2'].map((path) => app.request(path)))
        expect(Object.fromEntries(seen)).toEqual({
          '/api/post': '/api/post',
          '/api/post/1': '/api/post/:id',
          '/api/post/2': '/api/post/:id',
          '/api/tag': '/api/tag',
        })
      })
    })

    it('keeps its headers if it reads the body first', async () => {
      const app = new Hono().use(async (c, next) => {
        await c.req.json()
        c.header('x-read', 'yes')
        await next()
      })
      const init = { method: 'POST', headers: JSON_TYPE, body: '{"data":{}}' }
      const { status, headers } = await app.route('/api', rest()).request('/api/tag', init)
      expect([status >= 400 && status < 500, headers.get('x-read')]).toEqual([true, 'yes'])
    })
  },
  { only: ['SQLite'] },
)
