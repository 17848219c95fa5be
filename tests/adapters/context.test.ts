import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { beforeEach, expect, it } from 'vitest'

import { tagRest } from '../../fixtures/blog/expected/tag/rest.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import type { ApiEnv } from '../../runtime/http/handler-types.js'
import { httpError } from '../../runtime/index.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

describeDatabases(
  'context option in Hono',
  (db) => {
    beforeEach(() => db.reset())

    /** Routes behind middleware of a custom template, with the same variables as routes. */
    function routes(middleware: (env: ApiEnv['Bindings']) => unknown) {
      return {
        Tag: {
          resource: tagRest.resource,
          build(...[app, api]: Parameters<typeof tagRest.build>) {
            app.use(async (c, next) => {
              await middleware(c.env)
              await next()
            })
            tagRest.build(app, api)
          },
        },
      }
    }

    async function serve(context: (() => unknown) | undefined, middleware: (env: ApiEnv['Bindings']) => unknown) {
      const contexts: unknown[] = []
      const rest = routes(middleware)
      const handler = restHandler<unknown, typeof rest>(rest, { endpoint: ENDPOINT }, { provider: 'sqlite' })
      const getOrm = (_c: unknown, requestContext: unknown) => {
        contexts.push(requestContext)
        return db.orm
      }
      const options = { handler, getOrm, ...(context && { context }) }
      const response = await new Hono().route('/', honoHandler(options)).request('/tag')
      return { status: response.status, contexts }
    }

    it('is called once per request, like getOrm', async () => {
      const seen: unknown[] = []
      let calls = 0
      const context = async () => ({ call: ++calls })
      const response = await serve(context, async ({ getContext, getOrm }) => {
        seen.push(await getContext(), await getOrm(), await getContext(), await getOrm())
      })
      expect(response).toEqual({ status: 200, contexts: [{ call: 1 }] })
      expect(seen).toEqual([{ call: 1 }, db.orm, { call: 1 }, db.orm])
      expect(seen[0]).toBe(seen[2])
      expect(seen[0]).toBe(response.contexts[0])
    })

    it('can be omitted or return undefined', async () => {
      for (const context of [undefined, () => undefined]) {
        const seen: unknown[] = []
        const response = await serve(context, async ({ getContext }) => seen.push(await getContext()))
        expect([response, seen]).toEqual([{ status: 200, contexts: [undefined] }, [undefined]])
      }
    })

    it.each([new HTTPException(401, { message: 'Who are you?' }), httpError(401, 'Who are you?')])(
      '%s: responds with 401 if the context throws it',
      async (error) => {
        const context = () => {
          throw error
        }
        expect(await serve(context, () => {})).toEqual({ status: 401, contexts: [] })
      },
    )

    it('responds with 401 if the promise rejects before it is awaited', async () => {
      const context = () => Promise.reject(new HTTPException(401))
      const later = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      expect(await serve(context, ({ getContext }) => (void getContext(), later()))).toEqual({
        status: 401,
        contexts: [],
      })
    })
  },
  { only: ['SQLite'] },
)
