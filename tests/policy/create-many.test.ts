import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: createMany under a rule with conditions',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    const { can, build } = abilityBuilder()
    can('read', 'all')
    can('update', 'Member')
    can('create', 'Document', { views: { lt: 5 } })
    can('create', 'Organisation', { plan: 'free' })

    const call = (model: string, operation: string, args: object) => {
      return fixtureRpc(db, {}, db.orm.$extends(withPolicies(build()))).call(model, operation, args)
    }
    const titles = async () => {
      const rows = await db.orm.document.findMany({ where: { title: { startsWith: 'new' } }, orderBy: { id: 'asc' } })
      return rows.map(({ title }) => title)
    }
    const paper = (title: string, views = 1) => ({ title, views, projectId: 3 })

    it('creates all rows if all match the rule', async () => {
      const data = [paper('new 1'), paper('new 2')].map((row) => ({ ...row, authorId: 3 }))
      const { status, body } = await call('document', 'createMany', { data })
      expect([status, body.data], body.message).toEqual([201, { count: 2 }])
      expect(await titles()).toEqual(['new 1', 'new 2'])
    })

    it('rejects with 403 and creates no row if one does not match', async () => {
      const data = [paper('new 1'), paper('new 2', 9)].map((row) => ({ ...row, authorId: 3 }))
      const { status, body } = await call('document', 'createMany', { data })
      expect([status, body.rejectedByPolicy], body.message).toEqual([403, true])
      expect(await titles()).toEqual([])
    })

    it('accepts an empty list and checks a nested createMany', async () => {
      expect((await call('document', 'createMany', { data: [] })).body.data).toEqual({ count: 0 })
      const nested = (views: number) => {
        const data = [paper('new 1'), paper('new 2', views)]
        return call('member', 'update', { where: { id: 3 }, data: { documents: { createMany: { data } } } })
      }
      expect((await nested(9)).status).toBe(403)
      expect(await titles()).toEqual([])
      const { status, body } = await nested(1)
      expect(status, body.message).toBe(200)
      expect(await titles()).toEqual(['new 1', 'new 2'])
    })

    it('skips duplicates on PostgreSQL and rejects skipDuplicates elsewhere', async () => {
      const data = ['new', 'beta'].map((slug) => ({ slug, name: 'x', plan: 'free' }))
      const { status, body } = await call('organisation', 'createMany', { data, skipDuplicates: true })
      if (db.provider === 'mysql') expect([status, body.rejectedByPolicy]).toEqual([403, true])
      else if (db.provider === 'postgresql') expect([status, body.data]).toEqual([201, { count: 1 }])
      else expect(status).toBe(400)
    })
  },
  { fixture: 'tenants' },
)
