import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: post-update rules',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    const rules = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
      const builder = abilityBuilder()
      builder.can('read', 'all')
      define(builder)
      return builder.build()
    }
    const policed = (ability: AppAbility) => db.orm.$extends(withPolicies(ability))
    const patch = async (ability: AppAbility, attributes: object) => {
      const rest = fixtureClient({ orm: policed(ability), routes: db.routes })
      return (await rest.patch('/document/3', { data: { type: 'document', id: '3', attributes } })).status
    }

    it('rejects an update whose result violates the rule with 403', async () => {
      const ability = rules(({ can }) => {
        can('update', 'Document')
        can('post-update', 'Document', { views: { gt: 1 } })
      })
      expect(await patch(ability, { views: 0 })).toBe(403)
      expect(await patch(ability, { title: 'x' })).toBe(403)
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc', views: 1 })
      expect(await patch(ability, { views: 2 })).toBe(200)
      const many = (views: number) => policed(ability).document.updateMany({ data: { views } })
      await expect(many(1)).rejects.toMatchObject({ code: 'P2004' })
      expect(await many(5)).toEqual({ count: 4 })
      const author = { connect: { id: 4 } }
      await db.orm.document.update({ where: { id: 3 }, data: { views: 0 } })
      await expect(policed(ability).document.update({ where: { id: 3 }, data: { author } })).rejects.toThrow(
        'may not be changed with these values',
      )
    })

    it('accepts any result if the rule has no condition', async () => {
      const ability = rules(({ can }) => {
        can('update', 'Document', { visibility: 'PRIVATE' })
        can('post-update', 'Document')
      })
      expect(await patch(ability, { visibility: 'PUBLIC' })).toBe(200)
      expect(await patch(ability, { visibility: 'PRIVATE' })).toBe(403)
      expect(await policed(ability).document.updateMany({ data: { visibility: 'SHARED' } })).toEqual({ count: 3 })
    })

    it('applies the update and manage rules if no post-update rule exists', async () => {
      const ability = rules(({ can }) => {
        can('manage', 'Document', { visibility: 'PRIVATE' })
        can('update', 'Document', { visibility: 'SHARED' })
      })
      expect(await patch(ability, { visibility: 'SHARED' })).toBe(200)
      expect(await patch(ability, { visibility: 'PUBLIC' })).toBe(403)
    })

    it('applies a cannot rule after can manage all', async () => {
      const ability = rules(({ can, cannot }) => {
        can('manage', 'all')
        cannot('post-update', 'Document', { visibility: 'PUBLIC' })
      })
      expect(await patch(ability, { visibility: 'SHARED' })).toBe(200)
      expect(await patch(ability, { visibility: 'PUBLIC' })).toBe(403)
      const nested = policed(ability).member.update({
        where: { id: 3 },
        data: { documents: { update: { where: { id: 3 }, data: { visibility: 'PUBLIC' } } } },
      })
      await expect(nested).rejects.toMatchObject({ code: 'P2004' })
    })

    it('check: evaluates values by the rules and row filters by the database', async () => {
      const ability = rules(({ can, cannot }) => {
        cannot('read', 'Document')
        can('read', 'Document', { visibility: 'PUBLIC' })
      })
      const rpc = rpcClient(db as unknown as Database, {}, policed(ability))
      const check = (where: object) => rpc.result('document', 'check', { operation: 'read', where }, 'GET')
      await db.orm.document.updateMany({ data: { visibility: 'PRIVATE' } })
      const queries = await db.queriesOf(async () => {
        expect(await check({ visibility: 'PUBLIC', title: 'x' })).toBe(true)
        expect(await check({ visibility: 'SHARED' })).toBe(false)
      })
      expect(queries).toEqual([])
      expect(await check({ id: 3 })).toBe(false)
      expect(await check({ title: 'beta doc' })).toBe(false)
      await db.orm.document.update({ where: { id: 3 }, data: { visibility: 'PUBLIC' } })
      expect(await check({ id: 3 })).toBe(true)
      expect(await check({ title: 'beta doc' })).toBe(true)
    })
  },
  { fixture: 'tenants' },
)
