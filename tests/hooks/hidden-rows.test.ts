import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { defineRestRoutes, defineRpcRoutes, implementRoutes } from '../../fixtures/workspace/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/workspace/expected/declare-routes.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { policed } from './support/rule-modes.js'
import { fillWorkspace } from './support/workspace.js'

describeDatabases(
  'hooks: hidden rows and values',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    it('does not name the model of unreadable rows that prevent a delete', async () => {
      const orm = policed(db.orm, ({ can, cannot }) => {
        can('manage', 'all')
        cannot('read', 'Comment')
      })
      const hooks: AppHooks = { Comment: { delete: { before: () => undefined } } }
      const rest = fixtureClient({ orm, routes: db.routes }, { hooks: defineHooks(hooks) })
      const { status, text } = await rest.delete('/document/1')
      expect(status).toBe(409)
      expect(text).not.toMatch(/comment/i)
      const response = await fixtureRpc(db, { hooks: defineHooks(hooks) }, orm).call('document', 'delete', {
        where: { id: 1 },
      })
      expect(response.status).toBe(409)
      expect(JSON.stringify(response.body)).not.toMatch(/comment/i)
    })

    /** A mask whose output shows how often it was applied. */
    const masked: AppHooks = { Person: { mask: { email: ({ value }) => `*${value}` } } }
    const load = () =>
      db.orm.person.findMany({ where: { id: 1 }, include: { comments: { include: { author: true } } } })

    it.each(['the app', 'the request'])(
      'rows from %s: masks them exactly once in a custom REST route',
      async (client) => {
        const routes = defineRestRoutes((app, api) => {
          app.get('/people', async (c) => {
            const rows =
              client === 'the app' ? await load() : await (await api.orm(c)).person.findMany({ where: { id: 1 } })
            return api.reply(c, 'Person', rows)
          })
          app.get('/talk', async (c) => {
            const [comment] = (await load()).flatMap(({ comments }) => comments)
            return api.reply(c, 'Comment', comment ?? null)
          })
        })
        const rest = fixtureClient(db, { hooks: defineHooks(masked), routes })
        expect((await rest.get('/people')).many.map(({ attributes }) => attributes?.['email'])).toEqual(['*ann@red'])
        const { body } = await rest.get('/talk?include=author')
        expect(body.included?.map(({ attributes }) => attributes?.['email'])).toEqual(['*ann@red'])
      },
    )

    it.each(['the app', 'the request'])(
      'rows from %s: masks them exactly once in a custom RPC route',
      async (client) => {
        const routes = defineRpcRoutes((app, api) => {
          app.get('/people', async (c) => {
            const rows =
              client === 'the app' ? await load() : await (await api.orm(c)).person.findMany({ where: { id: 1 } })
            return api.reply(c, 'Person', rows)
          })
        })
        const { body } = await fixtureRpc(db, { hooks: defineHooks(masked), routes }).fetch('/people')
        expect(body.data).toMatchObject([{ id: 1, email: '*ann@red' }])
        if (client === 'the app') expect(body.data).toMatchObject([{ comments: [{ author: { email: '*ann@red' } }] }])
      },
    )

    it.each(['the app', 'the request'])('rows from %s: masks them exactly once in a declared list', async (client) => {
      const declared = declareRoutes({
        person: { found: { method: 'GET', path: '/found', list: true, result: ['Person'] } },
      })
      const routes = implementRoutes(declared, {
        person: { found: ({ orm, args }) => (client === 'the app' ? db.orm : orm).person.findMany(args) },
      })
      const rest = fixtureClient(db, { hooks: defineHooks(masked), routes })
      const { many } = await rest.get('/person/found?filter[id]=1&fields[person]=email')
      expect(many.map(({ attributes }) => attributes)).toEqual([{ email: '*ann@red' }])
      const rpc = fixtureRpc(db, { hooks: defineHooks(masked), routes })
      const args = { where: { id: 1 }, select: { email: true, comments: { select: { author: true } } } }
      const { body } = await rpc.fetch(`/person/found?q=${JSON.stringify(args)}`)
      expect(body.data).toMatchObject([{ email: '*ann@red', comments: [{ author: { email: '*ann@red' } }] }])
    })
  },
  { fixture: 'workspace', only: ['SQLite'] },
)
