import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { beforeEach, expect, it } from 'vitest'

import { tagRest } from '../../fixtures/blog/expected/tag/rest.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import type { ApiEnv } from '../../runtime/http/api-handler.js'
import { httpError } from '../../runtime/index.js'
import { restHandler } from '../../runtime/rest/handler.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

describeDatabases(
  'what an app says of a request',
  (db) => {
    beforeEach(() => db.reset())

    /** Routes behind middleware of a template of the user's own, which sees what routes see. */
    function routes(middleware: (env: ApiEnv['Bindings']) => unknown) {
      return {
        Tag: {
          resource: tagRest.resource,
          build(app: Parameters<typeof tagRest.build>[0]) {
            app.hono.use(async (c, next) => {
              await middleware(c.env)
              await next()
            })
            tagRest.build(app)
          },
        },
      }
    }

    async function serve(context: (() => unknown) | undefined, middleware: (env: ApiEnv['Bindings']) => unknown) {
      const told: unknown[] = []
      const rest = routes(middleware)
      const handler = restHandler<unknown, typeof rest>(rest, { endpoint: ENDPOINT }, { provider: 'sqlite' })
      const getOrm = (_c: unknown, said: unknown) => {
        told.push(said)
        return db.orm
      }
      const options = { handler, getOrm, ...(context && { context }) }
      const response = await new Hono().route('/', honoHandler(options)).request('/tag')
      return { status: response.status, told }
    }

    it('is the same, and so is the client, however often they are asked for', async () => {
      const seen: unknown[] = []
      let calls = 0
      const context = async () => ({ call: ++calls })
      const answer = await serve(context, async ({ getContext, getOrm }) => {
        seen.push(await getContext(), await getOrm(), await getContext(), await getOrm())
      })
      expect(answer).toEqual({ status: 200, told: [{ call: 1 }] })
      expect(seen).toEqual([{ call: 1 }, db.orm, { call: 1 }, db.orm])
      expect(seen[0]).toBe(seen[2])
      expect(seen[0]).toBe(answer.told[0])
    })

    it('may be nothing', async () => {
      for (const context of [undefined, () => undefined]) {
        const seen: unknown[] = []
        const answer = await serve(context, async ({ getContext }) => seen.push(await getContext()))
        expect([answer, seen]).toEqual([{ status: 200, told: [undefined] }, [undefined]])
      }
    })

    it.each([new HTTPException(401, { message: 'Who are you?' }), httpError(401, 'Who are you?')])(
      'may refuse: %s',
      async (error) => {
        const context = () => {
          throw error
        }
        expect(await serve(context, () => {})).toEqual({ status: 401, told: [] })
      },
    )

    it('may fail before anybody waits for it', async () => {
      const context = () => Promise.reject(new HTTPException(401))
      const later = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      expect(await serve(context, ({ getContext }) => (void getContext(), later()))).toEqual({ status: 401, told: [] })
    })
  },
  { only: ['SQLite'] },
)
