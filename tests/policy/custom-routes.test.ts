import { beforeEach, expect, it } from 'vitest'

import { defineRestRoutes, implementRoutes } from '../../fixtures/tenants/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/tenants/expected/declare-routes.js'
import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { betaAbility, fillTenants } from './support/two-tenants.js'

const routes = defineRestRoutes((app, api) => {
  app.post('/document/:id/share', async (c) => {
    const args = { where: api.id(c, 'Document'), data: { visibility: 'SHARED' }, ...api.select(c, 'Document') } as const
    return api.reply(c, 'Document', await (await api.orm(c)).document.update(args))
  })
  // Rows that custom code built without the client.
  app.get('/document/:id/bare', (c) => api.reply(c, 'Document', { id: Number(c.req.param('id')) }))
  app.get('/document/bare', (c) => api.reply(c, 'Document', [{ id: 1 }, { id: 3 }]))
})

const declared = implementRoutes(
  declareRoutes({
    document: {
      share: { method: 'POST', path: '/:id/share', result: 'Document' },
      found: { method: 'GET', path: '/found', list: true, result: ['Document'] },
    },
    comment: { add: { method: 'POST', path: '/add', result: 'Comment' } },
  }),
  {
    document: {
      found: async ({ orm, args }) => ({
        rows: await orm.document.findMany(args),
        total: await orm.document.count({ where: args.where }),
      }),
      share: ({ orm, where }) => orm.document.update({ where, data: { visibility: 'SHARED' } }),
    },
    comment: {
      async add({ orm }) {
        await orm.comment.createMany({ data: [{ documentId: 3, seq: 7, body: 'new' }] })
        return { documentId: 3, seq: 7 }
      },
    },
  },
)

describeDatabases(
  'policy: custom routes',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })
    const served = (ability: AppAbility) => ({
      orm: db.orm.$extends(withPolicies(ability)),
      client: db.client,
      routes: db.routes,
    })
    const rest = (ability: AppAbility, custom: object = routes) => fixtureClient(served(ability), { routes: custom })
    const visibilityOf = async (id: number) => (await db.orm.document.findUnique({ where: { id } }))?.visibility

    it('applies the rules of the caller to declared routes', async () => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      const ability = build()
      const denied = await rest(ability, declared).fetch('/document/3/share', { method: 'POST' })
      expect(denied).toMatchObject({ status: 403, errors: [{ code: 'forbidden', ormCode: 'P2004' }] })
      expect((await rest(betaAbility(), declared).fetch('/document/1/share', { method: 'POST' })).status).toBe(404)
      const rpc = async (caller: AppAbility, id: number) => {
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ id }) }
        return (await fixtureRpc(served(caller), { routes: declared }).fetch('/document/share', init)).status
      }
      expect([await rpc(ability, 3), await rpc(betaAbility(), 1)]).toEqual([403, 404])
      expect([await visibilityOf(1), await visibilityOf(3)]).not.toContain('SHARED')
      expect(await rpc(betaAbility(), 3)).toBe(200)
      expect(await visibilityOf(3)).toBe('SHARED')
    })

    it('applies the read rules of the caller to declared lists', async () => {
      const beta = rest(betaAbility(), declared)
      const query = '?sort=id&include=author,comments,labels&page[limit]=2'
      const [listed, found] = [await beta.get(`/document${query}`), await beta.get(`/document/found${query}`)]
      expect(found.ids).toEqual(listed.ids)
      expect(found.ids).not.toContain('1')
      expect([found.body.included, found.body.meta]).toEqual([listed.body.included, listed.body.meta])
      expect(found.text).not.toContain('alpha')
      const rpc = fixtureRpc(served(betaAbility()), { routes: declared })
      const args = { orderBy: { id: 'asc' }, include: { author: true, comments: true } }
      const call = async (path: string) => (await rpc.fetch(`${path}?q=${JSON.stringify(args)}`)).body
      const { data } = await call('/document/found')
      expect(data).toEqual((await call('/document/findMany')).data)
      expect(JSON.stringify(data)).not.toContain('alpha')
    })

    it('responds with 403 RESULT_NOT_READABLE but keeps a declared write with an unreadable result', async () => {
      const { can, build } = abilityBuilder()
      can('read', 'Document')
      can('create', 'Comment')
      const { status, errors } = await rest(build(), declared).fetch('/comment/add', { method: 'POST' })
      const detail = 'The change was made, but not returned. The result does not exist or is not readable.'
      expect(status).toBe(403)
      expect(errors).toMatchObject([{ code: 'forbidden', detail, meta: { reason: 'RESULT_NOT_READABLE' } }])
      expect(await db.orm.comment.count({ where: { seq: 7 } })).toBe(1)
    })

    it('applies the write rules of the caller', async () => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      const denied = await rest(build()).fetch('/document/3/share', { method: 'POST' })
      expect(denied).toMatchObject({ status: 403, errors: [{ code: 'forbidden', ormCode: 'P2004' }] })
      expect((await rest(betaAbility()).fetch('/document/1/share', { method: 'POST' })).status).toBe(404)
      expect([await visibilityOf(1), await visibilityOf(3)]).not.toContain('SHARED')
      const { status } = await rest(betaAbility()).fetch('/document/3/share', { method: 'POST' })
      expect([status, await visibilityOf(3)]).toEqual([200, 'SHARED'])
    })

    it('applies the read rules of the caller', async () => {
      const beta = rest(betaAbility())
      expect((await beta.get('/document/1/bare')).status).toBe(404)
      expect((await beta.get('/document/bare')).ids).toEqual(['3'])
      const query = '?include=author,comments'
      expect((await beta.get(`/document/3/bare${query}`)).body).toEqual((await beta.get(`/document/3${query}`)).body)
    })
  },
  { fixture: 'tenants', only: ['sqlite'] },
)
