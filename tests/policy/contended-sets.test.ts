import { beforeEach, expect, it } from 'vitest'

import type { abilityBuilder } from '../../fixtures/workspace/expected/policy.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { policed } from '../hooks/support/rule-modes.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

type Rules = (builder: ReturnType<typeof abilityBuilder>) => void

/** Rules on attachments and documents. Each allows writes of all rows of these tests. */
const RULES: readonly (readonly [what: string, define: Rules])[] = [
  [
    'a column',
    ({ can }) => {
      can('manage', 'Attachment', { id: { gt: 0 } })
      can('manage', 'Document', { id: { gt: 0 } })
    },
  ],
  [
    'the written column',
    ({ can }) => {
      can('manage', 'Attachment', { size: { gte: 0 } })
      can('manage', 'Document', { state: { not: 'locked' } })
    },
  ],
  [
    'a relation',
    ({ can }) => {
      can('manage', 'Attachment', { document: { team: { name: 'red' } } })
      can('manage', 'Document', { team: { name: 'red' } })
    },
  ],
]

describeDatabases(
  'policy: concurrent bulk writes of the same rows',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    it('rejects a bulk write that must lock more than 10 000 rows with 400', async () => {
      const rows = Array.from({ length: 10_001 }, () => ({ name: 'many', documentId: 1 }))
      await db.orm.attachment.createMany({ data: rows })
      const onRelation = policed(db.orm, ({ can }) =>
        can('manage', 'Attachment', { document: { team: { name: 'red' } } }),
      )
      const rpc = fixtureRpc(db, {}, onRelation)
      const args = { where: { name: 'many' }, data: { size: 1 } }
      const { status, body } = await rpc.call('attachment', 'updateMany', args)
      expect([status, body.error?.message]).toEqual([
        400,
        expect.stringContaining('more than 10000 rows of Attachment'),
      ])
      expect(await rpc.result('attachment', 'updateMany', { ...args, limit: 3 })).toEqual({ count: 3 })
    })

    for (const [what, define] of RULES) {
      it(`rule on ${what}: never decrements a counter below its limit`, async () => {
        await db.orm.attachment.update({ where: { id: 1 }, data: { size: 10 } })
        const rpc = fixtureRpc(db, {}, policed(db.orm, define))
        const args = { where: { id: 1, size: { gt: 0 } }, data: { size: { decrement: 1 } } }
        const responses = await Promise.all(
          Array.from({ length: 40 }, () => rpc.call('attachment', 'updateMany', args)),
        )
        const changed = responses.filter(({ body }) => Reflect.get(Object(body.data), 'count') === 1)
        const { size } = await db.orm.attachment.findUniqueOrThrow({ where: { id: 1 } })
        expect(size).toBe(10 - changed.length)
        // On a busy machine, some callers may wait too long for a connection.
        const isEachDone = responses.every(({ status }) => status === 200)
        expect(size).toBeGreaterThanOrEqual(0)
        expect(isEachDone ? size : 0).toBe(0)
      })

      for (const limit of db.name === 'PostgreSQL' ? [undefined, 1, 3] : []) {
        it(`rule on ${what}, limit ${limit}: never assigns the same row to two callers`, async () => {
          await db.orm.document.createMany({
            data: Array.from({ length: 12 }, (_, index) => ({ title: 'job', slug: `job${index}`, teamId: 1 })),
          })
          const rpc = fixtureRpc(db, {}, policed(db.orm, define))
          const claims = async (state: string) => {
            const all: unknown[] = []
            for (;;) {
              const args = {
                where: { title: 'job', state: 'open' },
                data: { state },
                ...(limit !== undefined && { limit }),
              }
              const rows = (await rpc.result('document', 'updateManyAndReturn', args)) as {
                id: number
                state: string
              }[]
              expect(new Set(rows.map((row) => row.state)).size).toBeLessThanOrEqual(1)
              if (rows.length === 0) return all
              all.push(...rows.map(({ id }) => id))
            }
          }
          const claimed = (await Promise.all([claims('ann'), claims('ben')])).flat()
          expect([new Set(claimed).size, claimed.length]).toEqual([12, 12])
        })
      }
    }
  },
  { fixture: 'workspace', concurrent: true },
)
