import { beforeEach, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { describeDatabases } from '../support/databases.js'
import { betaAbility, fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: denial inside a transaction of the app',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('rolls back only the denied write if the app catches the error', async () => {
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      const half = { title: 'half', labels: { create: { name: 'not allowed', organisationId: null } } }
      await orm.$transaction(async (tx) => {
        const writes = [
          tx.document.update({ where: { id: 4 }, data: { title: 'before' } }),
          tx.document.update({ where: { id: 3 }, data: half }),
          tx.document.update({ where: { id: 4 }, data: { body: 'after' } }),
        ]
        // Concurrent, although a savepoint covers everything that is written before it is released.
        const [, denied] = await Promise.allSettled(writes)
        expect(denied).toMatchObject({ status: 'rejected', reason: { code: 'P2004' } })
        expect(await tx.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
        await tx.$transaction(async (inner) => {
          await inner.document.update({ where: { id: 4 }, data: { views: 9 } })
          await expect(inner.document.update({ where: { id: 4 }, data: { ...half, title: 'x' } })).rejects.toThrow()
        })
      })
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
      const expected = { title: 'before', body: 'after', views: 9 }
      expect(await db.orm.document.findUnique({ where: { id: 4 } })).toMatchObject(expected)
      expect(await db.orm.label.count()).toBe(3)
    })
  },
  // The adapter for PGlite does not support savepoints.
  { fixture: 'tenants', only: ['SQLite', 'PostgreSQL', 'MySQL'] },
)
