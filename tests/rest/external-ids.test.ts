import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/tenants/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/tenants/expected/declare-routes.js'
import { defineHooks } from '../../fixtures/tenants/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillTenants, ME } from '../policy/support/two-tenants.js'
import { describeDatabases } from '../support/databases.js'
import { fixtureClient } from './support/client.js'

const declarations = declareRoutes({
  member: {
    archive: { method: 'POST', path: '/:id/archive', result: z.object({ count: z.int() }) },
    whoami: { method: 'GET', path: '/:id/whoami', result: 'Member' },
  },
})
const routes = implementRoutes(declarations, {
  member: {
    archive: ({ orm, where }) =>
      orm.document.updateMany({ where: { authorId: where.id }, data: { title: 'archived' } }),
    whoami: ({ orm, where }) => orm.member.findUniqueOrThrow({ where }),
  },
})

describeDatabases(
  'externalIdMapping and other features',
  (db) => {
    const clientOf = (orm: unknown = db.orm) =>
      fixtureClient({ orm, routes: db.routes }, { routes, externalIdMapping: { Member: 'email' } })

    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('passes the id of the row to a declared route', async () => {
      expect((await clientOf().post('/member/me@beta/archive', undefined)).body).toMatchObject({
        meta: { result: { count: 1 } },
      })
      const archived = await db.orm.document.findMany({ where: { title: 'archived' } })
      expect(archived.map(({ authorId }) => authorId)).toEqual([ME])
    })

    it.each(['me@beta', 'one@alpha'])('finds the row of a declared route: %s', async (email) => {
      const { status, one } = await clientOf().get(`/member/${email}/whoami`)
      expect([status, one.id]).toEqual([200, email])
    })

    it.each([
      ['does not exist', 'nobody@beta', 'all'],
      ['is not readable', 'one@alpha', 'Project'],
    ] as const)('does not call a declared route if the row %s', async (_what, email, readable) => {
      const { can, build } = abilityBuilder()
      can('read', readable)
      can('update', 'Document')
      const client = clientOf(db.orm.$extends(withPolicies(build())))
      expect((await client.post(`/member/${email}/archive`, undefined)).status).toBe(404)
      expect(await db.orm.document.count({ where: { title: 'archived' } })).toBe(0)
    })

    it.each([
      ['a foreign key', { attributes: { organisationId: 1 } }, 404],
      ['a relationship', { relationships: { organisation: { data: { type: 'organisation', id: 'alpha' } } } }, 422],
    ])('does not let a nested route move a member with %s', async (_what, members, status) => {
      const client = fixtureClient(db, { externalIdMapping: { Organisation: 'slug', Member: 'email' } })
      const path = '/organisation/beta/members/me@beta'
      expect((await client.patch(path, { data: { type: 'member', ...members } })).status).toBe(status)
      expect((await client.get(path)).status).toBe(200)
      const same = { data: { type: 'member', attributes: { organisationId: 2 } } }
      expect((await client.patch(path, same)).status).toBe(200)
    })

    it('throws if a mask hook applies to the field', () => {
      const create = (name: 'email' | 'name') => () =>
        fixtureClient(db, {
          externalIdMapping: { Member: 'email' },
          hooks: defineHooks({ Member: { mask: { [name]: () => 'hidden' } } }),
        })
      expect(create('email')).toThrow('externalIdMapping.Member: "email" must not have a mask hook.')
      expect(create('name')).not.toThrow()
    })
  },
  { fixture: 'tenants' },
)
