import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf, idOf, type Row } from './support/dump.js'
import { NESTED_WAYS } from './support/nested-write-paths.js'
import { REST_WAYS } from './support/rest-write-paths.js'
import { policed, RULE_MODES } from './support/rule-modes.js'
import { expectCalls } from './support/hook-events.js'
import { RPC_WAYS, type Way } from './support/write-paths.js'
import { fillWorkspace, recorder } from './support/workspace.js'

const DELETING: readonly Way[] = [...RPC_WAYS, ...NESTED_WAYS, ...REST_WAYS].filter(([, written]) =>
  written.some((one) => one.includes('.delete')),
)

const ARCHIVED = { deletedAt: new Date('2026-01-01') }

/** The data that replaces the delete of a row. */
const INSTEAD = {
  Attachment: { size: 99 },
  Comment: ARCHIVED,
  Document: ARCHIVED,
  Folder: { name: 'gone' },
  Label: { name: 'gone' },
  Person: { password: 'gone' },
  Review: { verdict: 'gone' },
}

describeDatabases(
  'hooks: replaceWith',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    for (const [rules, make] of RULE_MODES.filter(([what]) => what !== 'rules without conditions')) {
      it.each(DELETING)(`${rules}, %s: updates the rows instead of deleting them`, async (_what, _written, call) => {
        const recorded = recorder({ instead: INSTEAD })
        const orm = make(db.orm)
        const first = await dumpOf(db.orm)
        const response = await call({
          rest: fixtureClient({ orm, routes: db.routes }, { hooks: recorded.hooks }),
          rpc: fixtureRpc(db, { hooks: recorded.hooks }, orm),
        })
        expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
        const second = await dumpOf(db.orm)
        const written = differences(first, second)
        expect(written.filter(({ kind }) => kind === 'delete')).toEqual([])
        const isDelete = ({ hook }: { readonly hook: string }) => hook.includes('.delete.')
        const deleted = recorded.calls.filter(isDelete)
        expect(deleted.length).toBeGreaterThan(0)
        // Only `delete.before` runs as a delete hook. The rest is an update.
        expect(new Set(deleted.map(({ hook }) => hook.replace(/^\w+/, '')))).toEqual(new Set(['.delete.before']))
        for (const { hook, event } of deleted) {
          const model = hook.split('.')[0] ?? ''
          const row = event['row'] as Row
          const difference = written.find((one) => one.model === model && one.id === idOf(model, row))
          expect(difference?.before).toEqual(row)
          expect(difference?.row).toMatchObject(INSTEAD[model as keyof typeof INSTEAD])
        }
        expectCalls(
          recorded.calls.filter((one) => !isDelete(one)),
          first,
          second,
        )
      })
    }

    it('requires permission to update the row, not to delete it', async () => {
      const { hooks } = recorder({ instead: INSTEAD })
      const may = (define: Parameters<typeof policed>[1]) => {
        const orm = policed(db.orm, define)
        return fixtureClient({ orm, routes: db.routes }, { hooks })
      }
      const reads = may(({ can }) => {
        can('read', 'all')
        can('delete', 'Document')
      })
      expect((await reads.delete('/document/1')).status).toBe(403)
      const titles = may(({ can }) => {
        can('read', 'all')
        can('update', 'Document', ['title'])
      })
      expect((await titles.delete('/document/1')).status).toBe(403)
      const others = may(({ can }) => {
        can('read', 'all')
        can('update', 'Document', { id: 2 })
      })
      expect((await others.delete('/document/1')).status).toBe(403)
      expect(await db.orm.document.findMany({ where: { NOT: { deletedAt: null } } })).toEqual([])
      expect((await others.delete('/document/2')).status).toBe(204)
      expect(await db.orm.document.findUnique({ where: { id: 2 } })).toMatchObject(ARCHIVED)
    })

    it('deleteMany: replaces only rows that the caller is allowed to update', async () => {
      const { hooks } = recorder({ instead: INSTEAD, sets: true })
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can('update', 'Document', { teamId: 1 })
      })
      const response = await fixtureRpc(db, { hooks }, orm).call('document', 'deleteMany', { where: { id: { gt: 1 } } })
      expect(response).toMatchObject({ status: 200, body: { data: { count: 1 } } })
      expect(await db.orm.document.findMany({ where: ARCHIVED })).toMatchObject([{ id: 2 }])
      expect(await db.orm.document.count()).toBe(3)
    })

    it('rejects a cascade onto archived rows with 409', async () => {
      const hooks = defineHooks({
        Comment: { where: () => ({ deletedAt: null }), delete: { replaceWith: () => ARCHIVED } },
      })
      await db.orm.comment.update({ where: { id: 2 }, data: ARCHIVED })
      const first = await dumpOf(db.orm)
      const rest = fixtureClient(db, { hooks })
      const rpc = fixtureRpc(db, { hooks })
      expect((await rest.delete('/document/1')).status).toBe(409)
      expect((await rpc.call('document', 'deleteMany', { where: { id: 1 } })).status).toBe(409)
      const data = { documents: { delete: { id: 1 } } }
      expect((await rpc.call('folder', 'update', { where: { id: 1 }, data })).status).toBe(409)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
      // An archived comment still prevents the delete of its document.
      await db.orm.comment.delete({ where: { id: 1 } })
      expect((await rest.delete('/document/1')).status).toBe(409)
      await db.orm.comment.delete({ where: { id: 2 } })
      expect((await rest.delete('/document/1')).status).toBe(204)
    })
  },
  { fixture: 'workspace' },
)
