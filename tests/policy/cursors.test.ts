import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

const window = { cursor: { id: 4 }, orderBy: [{ views: 'asc' }, { id: 'asc' }] }

const READS: readonly (readonly [model: string, operation: string, args: object])[] = [
  ['document', 'findMany', { ...window, select: { id: true } }],
  ['document', 'findMany', { ...window, take: -3, select: { id: true } }],
  ['document', 'findMany', { ...window, orderBy: { views: 'desc' }, take: 1, skip: 1, select: { id: true } }],
  ['document', 'findFirst', { ...window, skip: 1, select: { id: true } }],
  ['document', 'count', window],
  ['document', 'aggregate', { ...window, _count: true }],
  ['project', 'findMany', { include: { documents: { ...window, take: 5 } }, orderBy: { id: 'asc' } }],
  [
    'document',
    'findMany',
    { select: { project: { select: { documents: { ...window, take: 5 } } } }, orderBy: { id: 'asc' } },
  ],
  ['project', 'update', { where: { id: 3 }, data: { name: 'x' }, include: { documents: { ...window, take: 5 } } }],
]

describeDatabases(
  'policy: cursors',
  (db) => {
    beforeEach(() => db.fill(fillTenants))

    it.each(READS)('%s.%s %j: does not reveal how a hidden value compares', async (model, operation, args) => {
      const { can, cannot, build } = abilityBuilder()
      can('manage', 'all')
      cannot('read', 'Document', ['views'])
      can('read', 'Document', ['views'], { id: { lt: 4 } })
      const api = rpcClient(db as unknown as Database, {}, db.orm.$extends(withPolicies(build())))
      const bodies = []
      for (const views of [0, 1000]) {
        await db.orm.document.update({ where: { id: 4 }, data: { views } })
        const { status, body } = await api.call(model, operation, args)
        expect(status, JSON.stringify(body)).toBe(200)
        bodies.push(body)
      }
      expect(bodies[0]).toEqual(bodies[1])
    })

    it('accepts a cursor on a row with readable values', async () => {
      const { can, build } = abilityBuilder()
      can('read', 'Document', ['id'])
      can('read', 'Document', ['views'], { id: { gt: 1 } })
      const orm = db.orm.$extends(withPolicies(build()))
      const found = await orm.document.findMany({
        cursor: { id: 4 },
        orderBy: [{ views: 'asc' }],
        select: { id: true },
      })
      expect(found).toEqual([{ id: 4 }, { id: 2 }])
    })
  },
  { fixture: 'tenants' },
)
