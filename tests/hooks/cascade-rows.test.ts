import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { runWhileLocked } from '../policy/support/concurrent-request.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillWorkspace } from './support/workspace.js'

describeDatabases(
  'hooks: rows that a cascade reaches',
  (db) => {
    beforeEach(() => db.fill(fillWorkspace))

    const rest = (hooks: AppHooks) => fixtureClient(db, { hooks: defineHooks(hooks) })
    const rpc = (hooks: AppHooks) => fixtureRpc(db, { hooks: defineHooks(hooks) } as object)
    const nothing = () => undefined

    /** Creates folder 50 with the child 51, which has the child 52. */
    const createFolders = async (parentOfFirst: number | null) => {
      for (const [id, parentId] of [
        [50, null],
        [51, 50],
        [52, 51],
      ] as const)
        await db.orm.folder.create({ data: { id, name: 'f', teamId: 1, parentId } })
      await db.orm.folder.update({ where: { id: 50 }, data: { parentId: parentOfFirst } })
    }

    /** Bulk hooks of folders that record how many rows they delete. */
    const counting = (counts: number[]): AppHooks => ({
      Folder: { delete: { after: nothing, many: { after: ({ count }) => void counts.push(count) } } },
    })

    it('bulk hooks: deletes the rows of a cycle', async () => {
      await createFolders(52)
      const counts: number[] = []
      expect((await rest(counting(counts)).delete('/folder/50')).status).toBe(204)
      expect(await db.orm.folder.count({ where: { id: { gte: 50 } } })).toBe(0)
      expect(counts).toEqual([1, 1])
    })

    it('bulk hooks: runs them once for rows that refer to each other, and counts each row', async () => {
      await createFolders(null)
      const counts: number[] = []
      const { body } = await rpc(counting(counts)).call('folder', 'deleteMany', { where: { id: { in: [50, 51, 52] } } })
      expect([body.data, counts]).toEqual([{ count: 3 }, [3]])
      expect(await db.orm.folder.count({ where: { id: { gte: 50 } } })).toBe(0)
    })

    it('a hook may delete other rows that the cascade would reach', async () => {
      const hooks: AppHooks = {
        Comment: {
          delete: {
            async after({ row: { documentId }, client }) {
              await client.comment.deleteMany({ where: { documentId } })
            },
          },
        },
      }
      expect((await rest(hooks).delete('/document/1')).status).toBe(204)
      expect(await db.orm.comment.count({ where: { documentId: 1 } })).toBe(0)
    })

    it('rejects the delete if a hook keeps a reference to the row', async () => {
      const hooks: AppHooks = { Document: { update: { before: ({ data }) => ({ ...data, ownerId: 3 }) } } }
      expect((await rest(hooks).delete('/person/3')).status).toBe(409)
      expect(await db.orm.person.count({ where: { id: 3 } })).toBe(1)
    })

    if (db.name === 'SQLite') return

    it.each([
      ['deletes', { delete: true }],
      ['moves', { delete: false }],
    ])('another transaction %s a row that the cascade waits for', async (_, { delete: isDeleted }) => {
      const hooks: AppHooks = { Comment: { delete: { after: nothing } } }
      const { response } = await runWhileLocked(
        db,
        async (tx) => {
          if (isDeleted) await tx.comment.delete({ where: { id: 2 } })
          else await tx.comment.update({ where: { id: 2 }, data: { documentId: 2 } })
        },
        () => rest(hooks).delete('/document/1'),
      )
      expect(response.status).toBe(204)
      expect(await db.orm.comment.count({ where: { id: 2 } })).toBe(isDeleted ? 0 : 1)
    })
  },
  { fixture: 'workspace' },
)
