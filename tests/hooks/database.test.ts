import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { policed } from './support/rule-modes.js'
import { writtenOf } from './support/hook-events.js'
import { fillWorkspace, recorder } from './support/workspace.js'

describeDatabases(
  'hooks: cascades and set-null',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const rest = (hooks: AppHooks, orm = db.orm) =>
      fixtureClient({ orm, routes: db.routes }, { hooks: defineHooks(hooks) })
    const rpc = (hooks: AppHooks, orm = db.orm) => fixtureRpc(db, { hooks: defineHooks(hooks) }, orm)
    const nothing = () => undefined

    it('calls delete hooks of cascaded rows first, with their path', async () => {
      const recorded = recorder()
      const { call } = fixtureRpc(db, { hooks: recorded.hooks })
      expect(
        await call('folder', 'update', { where: { id: 1 }, data: { documents: { delete: [{ id: 1 }] } } }),
      ).toMatchObject({ status: 200 })
      const paths = recorded.calls
        .filter(({ hook }) => hook.endsWith('.delete.after'))
        .map(({ hook, event }) => [hook.split('.')[0], event['path'], event['operation']])
      const at = ['documents', 'delete', 0]
      expect(paths).toEqual([
        ['Attachment', [...at, 'attachments'], 'update'],
        ['Comment', [...at, 'comments'], 'update'],
        ['Comment', [...at, 'comments'], 'update'],
        ['Review', [...at, 'reviews'], 'update'],
        ['Document', at, 'update'],
      ])
    })

    it('calls delete hooks once per row in a cycle of cascades', async () => {
      const deleted: number[] = []
      const hooks: AppHooks = { Folder: { delete: { after: ({ row }) => void deleted.push(row.id) } } }
      const circle = async () => {
        await db.fill(fillWorkspace)
        await db.orm.folder.createMany({ data: ['2', '3', '4'].map((name) => ({ name, teamId: 1 })) })
        await db.orm.folder.update({ where: { id: 2 }, data: { parentId: 2 } })
        await db.orm.folder.update({ where: { id: 3 }, data: { parentId: 4 } })
        await db.orm.folder.update({ where: { id: 4 }, data: { parentId: 3 } })
        deleted.length = 0
      }
      await circle()
      expect((await rest(hooks).delete('/folder/2')).status).toBe(204)
      expect(deleted).toEqual([2])
      expect((await rest(hooks).delete('/folder/3')).status).toBe(204)
      expect(deleted).toEqual([2, 4, 3])
      expect(await db.orm.folder.count()).toBe(1)
      await circle()
      await db.orm.folder.update({ where: { id: 3 }, data: { parentId: null } })
      const both = await rpc(hooks).call('folder', 'deleteMany', { where: { id: { in: [3, 4] } } })
      expect(both).toMatchObject({ status: 200, body: { data: { count: 2 } } })
      expect(deleted).toEqual([4, 3])
    })

    it.each([
      ['without policies', (orm: typeof db.orm) => orm, 204],
      ['with a rule that matches', (orm: typeof db.orm) => deletable(orm, '2'), 204],
      ['with a rule that does not match', (orm: typeof db.orm) => deletable(orm, '3'), 403],
    ] as const)('deletes the rows of a longer cycle together, %s', async (_, restrict, status) => {
      const deleted: number[] = []
      const hooks: AppHooks = { Folder: { delete: { after: ({ row }) => void deleted.push(row.id) } } }
      await db.orm.folder.createMany({ data: ['2', '3', '4'].map((name) => ({ name, teamId: 1 })) })
      for (const [id, parentId] of [
        [2, 3],
        [3, 4],
        [4, 2],
      ] as const)
        await db.orm.folder.update({ where: { id }, data: { parentId } })
      const before = await db.orm.folder.count()
      expect((await rest(hooks, restrict(db.orm)).delete('/folder/2')).status).toBe(status)
      expect(await db.orm.folder.count()).toBe(status === 204 ? before - 3 : before)
      if (status === 204) expect(deleted.toSorted()).toEqual([2, 3, 4])
    })

    const deletable = (orm: typeof db.orm, name: string) =>
      policed(orm, ({ can }) => {
        can('read', 'all')
        can('delete', 'Folder', { name })
      })

    it('calls hooks of dependent rows if the deleted model has none', async () => {
      const events: string[] = []
      const hooks: AppHooks = {
        Comment: { delete: { after: ({ row }) => void events.push(`Comment ${row.id}`) } },
        Document: { update: { after: ({ row }) => void events.push(`Document ${row.id} ${row.ownerId}`) } },
      }
      expect((await rest(hooks).delete('/document/1')).status).toBe(204)
      expect(events).toEqual(['Comment 1', 'Comment 2'])
      events.length = 0
      expect((await rest(hooks).delete('/person/3')).status).toBe(204)
      expect(events).toEqual(['Document 3 null'])
      expect(await rpc(hooks).call('document', 'deleteMany', { where: { id: 3 } })).toMatchObject({ status: 200 })
      expect(events).toEqual(['Document 3 null', 'Comment 3'])
    })

    it('rolls back the delete if a hook of a cascaded row throws', async () => {
      const hooks: AppHooks = {
        Comment: {
          delete: {
            before({ row }) {
              if (row.id === 2) throw new Error('no')
            },
          },
        },
      }
      const first = await dumpOf(db.orm)
      expect((await rest(hooks).delete('/document/1')).status).toBe(500)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    })

    it('applies rules to the deleted row only, but rejects unreadable dependents with 409', async () => {
      const hooks: AppHooks = { Comment: { delete: { after: nothing } }, Document: { update: { after: nothing } } }
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can('delete', ['Document', 'Folder'])
      })
      expect((await rest(hooks, orm).delete('/folder/1')).status).toBe(204)
      expect((await rest(hooks, orm).delete('/document/1')).status).toBe(204)
      const blind = policed(db.orm, ({ can }) => {
        can('read', ['Document', 'Folder'])
        can('delete', ['Document', 'Folder'])
      })
      const first = await dumpOf(db.orm)
      expect((await rest(hooks, blind).delete('/document/3')).status).toBe(409)
      expect(await rpc(hooks, blind).call('document', 'deleteMany', { where: { id: 3 } })).toMatchObject({
        status: 409,
      })
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
      // Without unreadable dependents, the delete succeeds.
      expect((await rest(hooks, blind).delete('/document/2')).status).toBe(204)
    })

    it('rejects a delete with 409 if where hides a dependent row', async () => {
      const hooks: AppHooks = {
        Comment: { where: () => ({ deletedAt: null }), delete: { after: nothing } },
      }
      await db.orm.comment.update({ where: { id: 2 }, data: { deletedAt: new Date() } })
      const first = await dumpOf(db.orm)
      expect((await rest(hooks).delete('/document/1')).status).toBe(409)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    })

    it('writes the data that a hook adds to a set-null row', async () => {
      const hooks: AppHooks = {
        Document: { update: { before: ({ data, row }) => ({ ...data, state: `left ${row.folderId}` }) } },
      }
      expect((await rest(hooks).delete('/folder/1')).status).toBe(204)
      expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({ folderId: null, state: 'left 1' })
    })

    it('rejects data that a hook adds to a set-null row with 403 if forbidden', async () => {
      const adding = (many: boolean): AppHooks => {
        const before = () => ({ folderId: null, state: 'left' })
        return { Document: { update: { before, ...(many && { many: { before } }) } } }
      }
      const may = (...fields: ('title' | 'state')[]) =>
        policed(db.orm, ({ can }) => {
          can('read', 'all')
          can('delete', 'Folder')
          can('update', 'Document', fields)
        })
      for (const many of [false, true]) {
        await db.fill(fillWorkspace)
        const first = await dumpOf(db.orm)
        expect((await rest(adding(many), may('title')).delete('/folder/1')).status).toBe(403)
        expect(differences(first, await dumpOf(db.orm))).toEqual([])
        expect((await rest(adding(many), may('state')).delete('/folder/1')).status).toBe(204)
        expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({ folderId: null, state: 'left' })
      }
    })

    it('rejects a change of an id that rows with hooks reference', async () => {
      const hooks: AppHooks = { Document: { update: { after: nothing } } }
      const first = await dumpOf(db.orm)
      const { call } = rpc(hooks)
      for (const [operation, args] of [
        ['update', { where: { id: 1 }, data: { id: 9 } }],
        ['update', { where: { id: 1 }, data: { id: { increment: 8 } } }],
        ['updateMany', { where: { id: 1 }, data: { id: 9 } }],
        ['upsert', { where: { id: 1 }, create: { name: 'x', teamId: 1 }, update: { id: 9 } }],
      ] as const) {
        const { status } = await call('folder', operation, args)
        // Ids that the database generates cannot be set.
        expect([403, 409], operation).toContain(status)
      }
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
      const rejected = { errors: [{ code: 'foreign-key-violation' }] }
      const orm = defineHooks(hooks).mount(db.orm, { context: undefined, style: 'rpc' }) as typeof db.orm
      await expect(orm.folder.update({ where: { id: 1 }, data: { id: 9 } })).rejects.toMatchObject(rejected)
      await expect(orm.folder.updateMany({ where: { id: 1 }, data: { id: 9 } })).rejects.toMatchObject(rejected)
      await expect(
        orm.team.update({ where: { id: 1 }, data: { folders: { update: { where: { id: 1 }, data: { id: 9 } } } } }),
      ).rejects.toMatchObject(rejected)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
      // Setting the same id is not a change. If the referencing rows have no hooks, the database updates them.
      await orm.folder.update({ where: { id: 1 }, data: { id: 1, name: 'x' } })
      await orm.person.update({ where: { id: 2 }, data: { id: 9 } }).catch(nothing)
      const untold = defineHooks({ Comment: { update: { after: nothing } } })
      const other = untold.mount(db.orm, { context: undefined, style: 'rpc' }) as typeof db.orm
      await other.folder.update({ where: { id: 1 }, data: { id: 9 } })
      expect(writtenOf(first, await dumpOf(db.orm))).toEqual([
        'Document.update 1',
        'Folder.create 9',
        'Folder.delete 1',
      ])
    })
  },
  { fixture: 'workspace' },
)
