import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { policed } from './support/rule-modes.js'
import { fillWorkspace } from './support/workspace.js'

type CommentHooks = NonNullable<AppHooks['Comment']>
type Hook = NonNullable<NonNullable<CommentHooks['create']>['before']>
type ChangeHook = NonNullable<NonNullable<CommentHooks['update']>['before']>

/** Hooks that set the author to person 3, who is not readable. */
const CREATE: Readonly<Record<string, Hook>> = {
  'in a copy': ({ data }) => ({ ...data, authorId: 3 }),
  'in place': ({ data }) => Object.assign(data, { authorId: 3 }),
}
const UPDATE: Readonly<Record<string, ChangeHook>> = {
  'in a copy': ({ data }) => ({ ...data, authorId: 3 }),
  'in place': ({ data }) => Object.assign(data, { authorId: 3 }),
  'in the row, too': ({ data, row }) => {
    Object.assign(row, { authorId: 3 })
    return { ...data, authorId: 3 }
  },
}

describeDatabases(
  'hooks: rules for data that hooks change',
  (db) => {
    beforeEach(() => db.fill(fillWorkspace))

    const ofTeam = () =>
      policed(db.orm, ({ can }) => {
        can('manage', ['Document', 'Comment'])
        can('manage', 'Person', { teamId: 1 })
      })
    const comment = { type: 'comment', attributes: { text: 'x' } }
    const document = { data: { type: 'document', id: '1' } }
    const under = (hooks: AppHooks, orm = ofTeam()) => ({
      rest: fixtureClient({ orm, routes: db.routes }, { hooks: defineHooks(hooks) }),
      rpc: fixtureRpc(db, { hooks: defineHooks(hooks) }, orm),
    })
    const expectRejected = async (status: number, call: () => Promise<{ readonly status: number }>) => {
      const before = await dumpOf(db.orm)
      expect((await call()).status).toBe(status)
      expect(differences(before, await dumpOf(db.orm))).toEqual([])
    }

    it.each(Object.entries(CREATE))(
      'create.before that changes data %s: an unreadable reference',
      async (_how, before) => {
        const { rest, rpc } = under({ Comment: { create: { before } } })
        const data = { text: 'x', documentId: 1 }
        await expectRejected(409, () => rpc.call('comment', 'create', { data }))
        await expectRejected(409, () => rpc.call('comment', 'createMany', { data: [data] }))
        const comments = { create: { text: 'x' } }
        await expectRejected(409, () => rpc.call('document', 'update', { where: { id: 1 }, data: { comments } }))
        await expectRejected(404, () => rest.post('/comment', { data: { ...comment, relationships: { document } } }))
      },
    )

    it.each(Object.entries(CREATE))(
      'create.before that changes data %s: a field that the rules exclude',
      async (_how, before) => {
        const orm = policed(db.orm, ({ can }) => {
          can('read', 'all')
          can('create', 'Comment', ['text', 'document'])
        })
        const { rest, rpc } = under({ Comment: { create: { before } } }, orm)
        const data = { text: 'x', documentId: 1 }
        await expectRejected(403, () => rpc.call('comment', 'create', { data }))
        await expectRejected(403, () => rpc.call('comment', 'createMany', { data: [data] }))
        await expectRejected(403, () => rest.post('/comment', { data: { ...comment, relationships: { document } } }))
      },
    )

    it.each(Object.entries(UPDATE))(
      'update.before that changes data %s: an unreadable reference',
      async (_how, before) => {
        const { rest, rpc } = under({ Comment: { update: { before } } })
        const change = { where: { id: 1 }, data: { text: 'x' } }
        await expectRejected(409, () => rpc.call('comment', 'update', change))
        await expectRejected(409, () => rpc.call('comment', 'updateMany', change))
        await expectRejected(409, () => rest.patch('/comment/1', { data: { ...comment, id: '1' } }))
      },
    )

    it('update.many.before: an unreadable reference in rows that a write connects', async () => {
      const many = { before: ({ data }: { readonly data: object }) => ({ ...data, authorId: 3 }) }
      const { rest, rpc } = under({ Comment: { update: { before: ({ data }) => data, many } } })
      const comments = { connect: [{ id: 1 }, { id: 2 }] }
      await expectRejected(409, () => rpc.call('document', 'update', { where: { id: 2 }, data: { comments } }))
      const identifiers = [1, 2].map((id) => ({ type: 'comment', id: `${id}` }))
      await expectRejected(409, () => rest.post('/document/2/relationships/comments', { data: identifiers }))
    })

    it('calls the hooks of a row once if it is connected twice', async () => {
      const ids: unknown[] = []
      const { rpc } = under({ Comment: { update: { before: ({ data, row }) => (ids.push(row.id), data) } } }, db.orm)
      const comments = { connect: [{ id: 1 }, { id: 1 }] }
      expect((await rpc.call('document', 'update', { where: { id: 2 }, data: { comments } })).status).toBe(200)
      expect(ids).toEqual([1])
    })

    it.each([
      ['update', { where: { id: 1, state: 'open' }, data: { title: 'x' } }],
      ['updateMany', { where: { state: 'open', id: 1 }, data: { title: 'x' } }],
    ])(
      '%s: a hook can write its own row, so that it no longer meets the condition of the request',
      async (operation, args) => {
        const { rpc } = under(
          {
            Document: {
              update: {
                before: async ({ data, row, client }) => {
                  if (data.title === 'x') {
                    await client.document.update({ where: { id: row.id }, data: { state: 'closed' } })
                  }
                  return data
                },
              },
            },
          },
          db.orm,
        )
        expect((await rpc.call('document', operation, args)).status).toBe(200)
        const stored = await db.orm.document.findUnique({ where: { id: 1 }, select: { title: true, state: true } })
        expect(stored).toEqual({ title: 'x', state: 'closed' })
      },
    )

    it('a row that an earlier hook of the same write has changed is skipped', async () => {
      const { rpc } = under(
        {
          Document: {
            update: {
              before: async ({ data, row, client }) => {
                if (row.id === 1) await client.document.update({ where: { id: 2 }, data: { state: 'closed' } })
                return data
              },
            },
          },
        },
        db.orm,
      )
      const { body } = await rpc.call('document', 'updateMany', { where: { state: 'open' }, data: { title: 'x' } })
      expect(body.data).toEqual({ count: 2 })
      expect(await db.orm.document.findUnique({ where: { id: 2 }, select: { title: true } })).toEqual({ title: 'Two' })
    })
  },
  { fixture: 'workspace' },
)
