import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { policed } from './support/rule-modes.js'
import { expectCalls } from './support/hook-events.js'
import { fillWorkspace, recorder } from './support/workspace.js'

describeDatabases(
  'hooks: policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const rest = (hooks: AppHooks, orm = db.orm) =>
      fixtureClient({ orm, routes: db.routes }, { hooks: defineHooks(hooks) })
    const rpc = (hooks: AppHooks, orm = db.orm) => fixtureRpc(db, { hooks: defineHooks(hooks) }, orm)
    const document = (attributes: object, id?: number) => ({
      data: { type: 'document', ...(id !== undefined && { id: String(id) }), attributes },
    })
    const expectAllRejected = async (status: number, ...calls: (() => Promise<{ readonly status: number }>)[]) => {
      const first = await dumpOf(db.orm)
      for (const call of calls) expect((await call()).status).toBe(status)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    }

    it('rejects fields and references that a hook sets if they are forbidden', async () => {
      const teamHooks: AppHooks = {
        Document: {
          create: { before: ({ data }) => ({ ...data, teamId: 2 }) },
          update: { before: ({ data }) => ({ ...data, teamId: 2 }) },
        },
      }
      const ofTeam = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can(['create', 'update'], 'Document', { teamId: 1 })
      })
      const { post, patch } = rest(teamHooks, ofTeam)
      const { call } = rpc(teamHooks, ofTeam)
      await expectAllRejected(
        403,
        () => post('/document', document({ title: 'x', teamId: 1 })),
        () => patch('/document/1', document({ title: 'x' }, 1)),
        () => call('document', 'createMany', { data: [{ title: 'x', teamId: 1 }] }),
        () => call('document', 'updateMany', { where: { id: 1 }, data: { title: 'x' } }),
        () =>
          call('document', 'upsert', { where: { id: 1 }, create: { title: 'x', teamId: 1 }, update: { title: 'x' } }),
        () => call('team', 'update', { where: { id: 1 }, data: { documents: { create: { title: 'x' } } } }),
      )
      const titles = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can(['create', 'update'], 'Document', ['title', 'team'])
      })
      const owner: AppHooks = {
        Document: {
          create: { before: ({ data }) => ({ ...data, ownerId: 1 }) },
          update: { before: ({ data }) => ({ ...data, ownerId: 1 }) },
        },
      }
      const byOwner = rpc(owner, titles)
      await expectAllRejected(
        403,
        () => byOwner.call('document', 'create', { data: { title: 'x', teamId: 1 } }),
        () => byOwner.call('document', 'createMany', { data: [{ title: 'x', teamId: 1 }] }),
        () => byOwner.call('document', 'update', { where: { id: 2 }, data: { title: 'x' } }),
        () => byOwner.call('document', 'updateMany', { where: { id: 2 }, data: { title: 'x' } }),
      )
      // An unreadable row is treated as missing, no matter what references it.
      const blind = policed(db.orm, ({ can }) => {
        can('read', 'Document')
        can(['create', 'update'], 'Document')
      })
      const unread = rpc(owner, blind)
      await expectAllRejected(409, () => unread.call('document', 'update', { where: { id: 2 }, data: { title: 'x' } }))
    })

    it('rejects a field that a bulk hook sets with 403 if it is forbidden', async () => {
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can('update', 'Document', ['title'], { teamId: 1 })
      })
      const setting = (data: object): AppHooks => ({
        Document: { update: { before: ({ data: input }) => input, many: { before: () => data } } },
      })
      const args = { where: {}, data: { title: 'x' } }
      await expectAllRejected(403, () =>
        rpc(setting({ state: 'done' }), orm).call('document', 'updateMany', { ...args, where: { id: 1 } }),
      )
      expect(await rpc(setting({ title: 'y' }), orm).call('document', 'updateMany', args)).toMatchObject({
        body: { data: { count: 2 } },
      })
      expect(await db.orm.document.count({ where: { title: 'y', teamId: 1 } })).toBe(2)
    })

    it('rejects with 403 if the client of a hook writes a forbidden model', async () => {
      const audits: AppHooks = {
        Document: {
          update: {
            async after({ client, row }) {
              await client.auditEntry.create({ data: { action: 'update', model: 'Document', actor: row.id } })
            },
          },
        },
      }
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'Document')
        can('update', 'Document')
      })
      await expectAllRejected(
        403,
        () => rest(audits, orm).patch('/document/1', document({ title: 'x' }, 1)),
        () => rpc(audits, orm).call('document', 'updateMany', { where: { id: 1 }, data: { title: 'x' } }),
      )
      const may = policed(db.orm, ({ can }) => {
        can('read', ['Document', 'AuditEntry'])
        can('update', 'Document')
        can('create', 'AuditEntry')
      })
      expect((await rest(audits, may).patch('/document/1', document({ title: 'x' }, 1))).status).toBe(200)
      expect(await db.orm.auditEntry.count()).toBe(1)
    })

    it('limits reads of the client of a hook to readable rows', async () => {
      const seen: unknown[] = []
      const hooks: AppHooks = {
        Document: {
          update: {
            async before({ client, data }) {
              seen.push(
                (await client.document.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id),
                await client.person.count(),
              )
              return data
            },
          },
        },
      }
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'Document', { teamId: 1 })
        can('update', 'Document')
      })
      expect((await rest(hooks, orm).patch('/document/1', document({ title: 'x' }, 1))).status).toBe(200)
      expect(seen).toEqual([[1, 2], 0])
    })

    it('calls hooks only for readable rows', async () => {
      const recorded = recorder()
      const orm = policed(db.orm, ({ can }) => {
        can('manage', ['Document', 'Folder'], { teamId: 1 })
        can('manage', 'Comment', { authorId: 1 })
        can('read', 'Team')
      })
      const { call } = fixtureRpc(db, { hooks: recorded.hooks }, orm)
      const first = await dumpOf(db.orm)
      const nested = { comments: { updateMany: { where: {}, data: { text: 'x' } } } }
      expect(await call('document', 'update', { where: { id: 1 }, data: nested })).toMatchObject({ status: 200 })
      expect(await call('document', 'updateMany', { where: { id: { gt: 1 } }, data: { title: 'x' } })).toMatchObject({
        body: { data: { count: 1 } },
      })
      expect(await call('document', 'update', { where: { id: 3 }, data: { title: 'x' } })).toMatchObject({
        status: 404,
      })
      expect(await call('document', 'delete', { where: { id: 3 } })).toMatchObject({ status: 404 })
      const connect = { documents: { connect: { id: 3 } } }
      expect(await call('folder', 'update', { where: { id: 1 }, data: connect })).toMatchObject({ status: 404 })
      expect(await call('comment', 'deleteMany', { where: { documentId: { gt: 1 } } })).toMatchObject({
        body: { data: { count: 0 } },
      })
      expectCalls(recorded.calls, first, await dumpOf(db.orm))
      expect(recorded.names().filter((name) => name.endsWith('.after'))).toEqual([
        'Comment.update.after',
        'Document.update.after',
      ])
    })

    it('applies both where and rules', async () => {
      const hooks: AppHooks = { Document: { where: () => ({ state: 'open' }) } }
      await db.orm.document.update({ where: { id: 2 }, data: { state: 'done' } })
      const orm = policed(db.orm, ({ can }) => {
        can('manage', 'Document', { teamId: 1 })
        can('read', ['Folder', 'Team', 'Person', 'Comment'])
      })
      const { get, patch, delete: remove } = rest(hooks, orm)
      expect((await get('/document')).ids).toEqual(['1'])
      expect((await get('/team/1?include=documents')).body.included).toHaveLength(1)
      expect((await get('/document?filter[id$gt]=0')).ids).toEqual(['1'])
      for (const id of [2, 3]) {
        expect((await get(`/document/${id}`)).status).toBe(404)
        expect((await patch(`/document/${id}`, document({ title: 'x' }, id))).status).toBe(404)
        expect((await remove(`/document/${id}`)).status).toBe(404)
      }
      const { call } = rpc(hooks, orm)
      expect(await call('document', 'updateMany', { where: {}, data: { title: 'x' } })).toMatchObject({
        body: { data: { count: 1 } },
      })
      expect(await call('document', 'updateMany', { where: { id: { gt: 0 } }, data: { title: 'x' } })).toMatchObject({
        body: { data: { count: 1 } },
      })
      // A write can make a row unreadable. Then the response does not contain the row.
      expect(await call('document', 'update', { where: { id: 1 }, data: { state: 'done' } })).toMatchObject({
        status: 403,
        body: { reason: 'RESULT_NOT_READABLE' },
      })
      expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({ state: 'done' })
      const comment = { data: { text: 'x', document: { connect: { id: 2 } } } }
      expect(await rpc(hooks).call('comment', 'create', comment)).toMatchObject({ status: 404 })
    })

    it('rejects createMany with 403 if a hook sets a forbidden field of one row', async () => {
      const hooks: AppHooks = {
        Comment: { create: { before: ({ data }) => (data.text === 'mine' ? { ...data, authorId: 1 } : data) } },
      }
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can('create', 'Comment', ['text', 'document'])
      })
      const many = (...texts: string[]) => ({ data: texts.map((text) => ({ text, documentId: 1 })) })
      const { call } = rpc(hooks, orm)
      await expectAllRejected(403, () => call('comment', 'createMany', many('yours', 'mine')))
      expect(await call('comment', 'createMany', many('yours', 'theirs'))).toMatchObject({ status: 201 })
    })
  },
  { fixture: 'workspace' },
)
