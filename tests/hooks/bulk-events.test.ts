import { beforeEach, describe, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { differences, dumpOf } from './support/dump.js'
import { NESTED_WAYS } from './support/nested-write-paths.js'
import { REST_WAYS } from './support/rest-write-paths.js'
import { policed, RULE_MODES } from './support/rule-modes.js'
import { setRecorder } from './support/set-recorder.js'
import { RPC_WAYS, type Way } from './support/write-paths.js'
import { fillWorkspace } from './support/workspace.js'

/** Writes that update or delete rows. Created rows are never reported as a set. */
const WAYS: readonly Way[] = [...RPC_WAYS, ...NESTED_WAYS, ...REST_WAYS].filter(([, written]) =>
  written.some((one) => !one.includes('.create')),
)

/** Writes that report rows as a set, with the model, the event and the number of rows. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  updateMany: ['Comment.update 2'],
  'updateMany with a limit': ['Comment.update 1'],
  updateManyAndReturn: ['Comment.update 2'],
  'updateMany with a compound id': ['Review.update 1'],
  deleteMany: ['Comment.delete 2'],
  'nested updateMany': ['Comment.update 2'],
  'nested deleteMany': ['Comment.delete 1', 'Comment.delete 0', 'Attachment.delete 1'],
  'nested connect of many': ['Document.update 2'],
  'members with an optional owner added': ['Document.update 2'],
}

describeDatabases(
  'hooks: bulk hooks',
  (db) => {
    const recorded = setRecorder()
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      recorded.clear()
    })
    const callers = (orm: typeof db.orm) => ({
      rest: fixtureClient({ orm, routes: db.routes }, { hooks: recorded.hooks }),
      rpc: fixtureRpc(db, { hooks: recorded.hooks }, orm),
    })
    const isHere = (what: string) => db.provider !== 'mysql' || !what.endsWith('AndReturn')

    for (const [rules, make] of RULE_MODES.filter(
      ([what]) => what === 'rules with conditions' || (isLong && what !== 'rules without conditions'),
    )) {
      it.each(WAYS)(`${rules}, %s: calls one hook per written row`, async (what, _written, call) => {
        if (!isHere(what)) return
        const first = await dumpOf(db.orm)
        const response = await call(callers(make(db.orm)))
        expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
        const written = differences(first, await dumpOf(db.orm)).map(({ model, kind, id }) => `${model}.${kind} ${id}`)
        // Each row is reported once, by itself or in a set.
        expect(recorded.rows().toSorted()).toEqual(written.toSorted())
        expect(recorded.sets('afterCommit')).toEqual(recorded.sets('after'))
      })
    }

    describe('bulk hook calls', () => {
      const named = new Map([
        ...[...RPC_WAYS, ...REST_WAYS].map((way) => [way[0], way[2]] as const),
        ...NESTED_WAYS.map((way) => [`nested ${way[0]}`, way[2]] as const),
      ])
      it.each(Object.entries(TOGETHER))('%s: passes the number of rows to each bulk hook', async (what, sets) => {
        if (!isHere(what)) return
        await named.get(what)?.(callers(db.orm))
        expect(recorded.sets('after')).toEqual(sets)
      })
    })

    it('writes the data of a bulk hook to all rows', async () => {
      const orm = db.orm
      const rpc = fixtureRpc(db, { hooks: setRecorder({ text: 'hooked' }).hooks }, orm)
      const args = { where: { documentId: 1 }, data: { text: 'given' } }
      expect(await rpc.call('comment', 'updateMany', args)).toMatchObject({ body: { data: { count: 2 } } })
      expect(await orm.comment.count({ where: { text: 'hooked' } })).toBe(2)
      expect(await orm.comment.count({ where: { text: 'given' } })).toBe(0)
    })

    it.each<readonly [string, string, object]>([
      ['updateMany', 'updateMany', { where: { documentId: 1 }, data: { text: 'x' } }],
      ['updateManyAndReturn', 'updateManyAndReturn', { where: { documentId: 1 }, data: { text: 'x' } }],
      ['updateMany with a field that a hook adds', 'updateMany', { where: { documentId: 1 }, data: { authorId: 1 } }],
      ['deleteMany', 'deleteMany', { where: { documentId: 1 } }],
    ])('%s: passes the hook a filter that matches the written rows', async (_, operation, args) => {
      if (!isHere(operation)) return
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can(['update', 'delete'], 'Comment', { authorId: 1 })
      })
      const ids: number[][] = []
      const note = async (client: Pick<typeof db.orm, 'comment'>, where: object) => {
        ids.push((await client.comment.findMany({ where, select: { id: true } })).map(({ id }) => id))
      }
      const hooks: AppHooks = {
        Comment: {
          update: {
            before: ({ data }) => data,
            many: {
              async before({ client, data, where }) {
                await note(client, where)
                return { ...data, deletedAt: new Date(0) }
              },
            },
          },
          delete: { before: () => undefined, many: { before: ({ client, where }) => note(client, where) } },
        },
      }
      const response = await fixtureRpc(db, { hooks: defineHooks(hooks) }, orm).call('comment', operation, args)
      expect([response.status, ids]).toEqual([200, [[2]]])
    })

    it('many.replaceWith: receives a filter that matches the written rows', async () => {
      const orm = policed(db.orm, ({ can }) => {
        can('read', 'all')
        can('update', 'Comment', { authorId: 1 })
      })
      const counts: number[] = []
      const update = () => ({ deletedAt: new Date(0) })
      const hooks: AppHooks = {
        Comment: {
          delete: {
            replaceWith: update,
            many: {
              async replaceWith({ client, where }) {
                counts.push(await client.comment.count({ where }))
                return update()
              },
            },
          },
        },
      }
      const { body } = await fixtureRpc(db, { hooks: defineHooks(hooks) }, orm).call('comment', 'deleteMany', {
        where: {},
      })
      expect([counts, body.data]).toEqual([[1], { count: 1 }])
    })
  },
  { fixture: 'workspace' },
)
