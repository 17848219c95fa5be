import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { policed } from './support/rule-modes.js'
import { expectCalls } from './support/hook-events.js'
import { fillWorkspace, recorder, type Workspace } from './support/workspace.js'

describeDatabases(
  'hooks: transaction of the app',
  (db) => {
    const recorded = recorder()
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      recorded.clear()
    })
    const mounted = (hooks = recorded.hooks, orm = db.orm, log?: (...line: unknown[]) => void) =>
      hooks.mount(orm, { context: undefined, style: 'rpc', log }) as Workspace['orm']
    const committed = () => recorded.names().filter((name) => name.endsWith('.afterCommit'))

    it('runs hooks inside, and afterCommit after it in the order of the writes', async () => {
      const first = await dumpOf(db.orm)
      const result = await mounted().$transaction(async (tx) => {
        await tx.comment.create({ data: { text: 'x', documentId: 1 } })
        await tx.document.update({ where: { id: 1 }, data: { title: 'x' } })
        await tx.attachment.deleteMany({ where: { id: 1 } })
        expect(committed()).toEqual([])
        return 7
      })
      expect(result).toBe(7)
      expect(committed()).toEqual([
        'Comment.create.afterCommit',
        'Document.update.afterCommit',
        'Attachment.delete.afterCommit',
      ])
      expectCalls(recorded.calls, first, await dumpOf(db.orm))
    })

    it('does not call afterCommit after a rollback', async () => {
      const first = await dumpOf(db.orm)
      const work = mounted().$transaction(async (tx) => {
        await tx.comment.create({ data: { text: 'x', documentId: 1 } })
        throw new Error('rolled back')
      })
      await expect(work).rejects.toThrow('rolled back')
      expect(committed()).toEqual([])
      expect(recorded.names()).toContain('Comment.create.after')
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    })

    it('keeps concurrent writes and rolls back only the one that fails', async () => {
      const first = await dumpOf(db.orm)
      const comment = (documentId: number) => ({ data: { text: 'x', documentId } })
      await mounted().$transaction(async (tx) => {
        const writes = [1, 99, 2].map((id) => tx.comment.create(comment(id)))
        const ends = await Promise.allSettled(writes)
        expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      })
      const second = await dumpOf(db.orm)
      expect(differences(first, second)).toHaveLength(2)
      expect(committed()).toEqual(['Comment.create.afterCommit', 'Comment.create.afterCommit'])
    })

    it('keeps concurrent writes of a hook and rolls back only the one that fails', async () => {
      const hooks: AppHooks = {
        Document: {
          update: {
            async after({ client }) {
              const comment = (documentId: number) => client.comment.create({ data: { text: 'x', documentId } })
              await Promise.allSettled([1, 99, 2].map(comment))
            },
          },
        },
        Comment: { create: { afterCommit: ({ row }) => void events.push(row.documentId) } },
      }
      const events: number[] = []
      const call = { where: { id: 1 }, data: { title: 'x' } }
      expect(await fixtureRpc(db, { hooks: defineHooks(hooks) }).call('document', 'update', call)).toMatchObject({
        status: 200,
      })
      expect(await db.orm.comment.count({ where: { text: 'x' } })).toBe(2)
      expect(events).toEqual([1, 2])
    })

    it('does not call afterCommit for a nested transaction that rolls back', async () => {
      await mounted().$transaction(async (tx) => {
        const part = tx.$transaction(async (inner) => {
          await inner.comment.create({ data: { text: 'undone', documentId: 1 } })
          throw new Error('undone')
        })
        await part.catch(() => undefined)
        await tx.comment.create({ data: { text: 'kept', documentId: 1 } })
      })
      expect(await db.orm.comment.findMany({ where: { id: { gt: 3 } } })).toMatchObject([{ text: 'kept' }])
      const texts = recorded.calls.flatMap(({ hook, event }) =>
        hook === 'Comment.create.afterCommit' ? [Object(event['row']).text] : [],
      )
      expect(texts).toEqual(['kept'])
    })

    it('applies rules', async () => {
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can('update', 'Document', { teamId: 1 })
      })
      await mounted(recorded.hooks, orm).$transaction(async (tx) => {
        await tx.document.update({ where: { id: 1 }, data: { title: 'x' } })
        await expect(tx.document.update({ where: { id: 3 }, data: { title: 'x' } })).rejects.toMatchObject({
          code: 'P2004',
        })
      })
      expect(committed()).toEqual(['Document.update.afterCommit'])
    })

    it('throws on a batch transaction if one of its calls has hooks', async () => {
      const orm = mounted(defineHooks({ Comment: { create: { after: () => undefined } } }))
      const list = orm.$transaction([
        orm.comment.create({ data: { text: 'x', documentId: 1 } }),
        orm.team.create({ data: { name: 'x' } }),
      ])
      await expect(list).rejects.toThrow('"$transaction(async (tx) => …)" instead of "$transaction([…])"')
      expect(await db.orm.team.count()).toBe(2)
      await orm.$transaction([
        orm.comment.update({ where: { id: 1 }, data: { text: 'x' } }),
        orm.team.create({ data: { name: 'x' } }),
      ])
      expect(await db.orm.team.count()).toBe(3)
    })
  },
  // The adapter for PGlite does not support savepoints.
  { fixture: 'workspace', only: ['SQLite', 'PostgreSQL', 'MySQL'] },
)
