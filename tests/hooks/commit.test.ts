import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { fillWorkspace } from './support/workspace.js'

describeDatabases(
  'hooks: transaction of a request',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const rpc = (hooks: AppHooks) => fixtureRpc(db, { hooks: defineHooks(hooks) })
    const data = { title: 'New', teamId: 1, comments: { create: [{ text: 'a' }, { text: 'b' }] } }

    it('calls afterCommit after the commit in the order of the writes', async () => {
      const seen: unknown[] = []
      const count = async (text: string) => void seen.push([text, await db.orm.comment.count()])
      const hooks: AppHooks = {
        Comment: { create: { afterCommit: ({ row }) => count(row.text) } },
        Document: {
          create: {
            async after({ client, row }) {
              // The hook's own writes are part of the order.
              await client.comment.create({ data: { text: 'c', documentId: row.id } })
            },
            afterCommit: () => count('document'),
          },
        },
      }
      expect(await rpc(hooks).call('document', 'create', { data })).toMatchObject({ status: 201 })
      expect(seen).toEqual([
        ['a', 6],
        ['b', 6],
        ['c', 6],
        ['document', 6],
      ])
    })

    it('logs an error in afterCommit and calls the remaining hooks', async () => {
      const called: string[] = []
      const hooks: AppHooks = {
        Comment: {
          create: {
            afterCommit({ row }) {
              called.push(row.text)
              throw new Error(`no mail of ${row.text}`)
            },
          },
        },
        Document: { create: { afterCommit: () => void called.push('document') } },
      }
      const lines: unknown[][] = []
      const handler = db.routes.RPCApiHandler({ hooks: defineHooks(hooks) })
      const request = new Request('http://localhost/document/create', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ data }),
      })
      const log = (...line: unknown[]) => void lines.push(line)
      const response = await handler.fetch(request, { getOrm: () => db.orm, log })
      expect(response.status).toBe(201)
      expect(called).toEqual(['a', 'b', 'document'])
      expect(lines.map(([what, error]) => [what, String(error)])).toEqual([
        ['[routewright] the hook Comment.create.afterCommit failed:', 'Error: no mail of a'],
        ['[routewright] the hook Comment.create.afterCommit failed:', 'Error: no mail of b'],
      ])
      expect(await db.orm.comment.count()).toBe(5)
    })

    const FAILING: readonly (readonly [what: string, fail: () => never | Promise<never>])[] = [
      [
        'synchronous error',
        () => {
          throw new Error('no')
        },
      ],
      ['rejected promise', () => Promise.reject(new Error('no'))],
    ]
    it.each(FAILING)('%s in a hook: rolls back all writes, including those of the hook', async (_what, fail) => {
      const later: string[] = []
      const hooks: AppHooks = {
        Comment: { create: { afterCommit: () => void later.push('comment') } },
        Document: {
          create: {
            async after({ client, row }) {
              await client.auditEntry.create({ data: { action: 'create', model: 'Document', actor: row.id } })
              return fail()
            },
            afterCommit: () => void later.push('document'),
          },
        },
      }
      const first = await dumpOf(db.orm)
      expect(await rpc(hooks).call('document', 'create', { data })).toMatchObject({ status: 500 })
      expect(later).toEqual([])
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    })

    it('passes each hook the path of its row in the data', async () => {
      const paths: unknown[] = []
      const hooks: AppHooks = {
        Comment: {
          create: {
            before({ data: input, path, operation }) {
              paths.push([operation, ...path])
              return input
            },
          },
        },
      }
      const { call } = rpc(hooks)
      const texts = [{ text: 'a' }, { text: 'b' }]
      await call('comment', 'createMany', { data: texts.map(({ text }) => ({ text, documentId: 1 })) })
      await call('document', 'update', { where: { id: 1 }, data: { comments: { createMany: { data: texts } } } })
      await call('document', 'update', { where: { id: 1 }, data: { comments: { create: texts } } })
      await call('document', 'update', { where: { id: 1 }, data: { comments: { create: { text: 'c' } } } })
      expect(paths).toEqual([
        ['createMany', 0],
        ['createMany', 1],
        ['update', 'comments', 'createMany', 'data', 0],
        ['update', 'comments', 'createMany', 'data', 1],
        ['update', 'comments', 'create', 0],
        ['update', 'comments', 'create', 1],
        ['update', 'comments', 'create'],
      ])
    })

    it('does not call after and afterCommit if the database rejects the write', async () => {
      const events: string[] = []
      const hooks: AppHooks = {
        Document: {
          create: {
            before: ({ data: input }) => ({ ...input, slug: 'one' }),
            after: () => void events.push('after'),
            afterCommit: () => void events.push('committed'),
          },
        },
      }
      expect(await rpc(hooks).call('document', 'create', { data })).toMatchObject({ status: 409 })
      expect(events).toEqual([])
    })
  },
  { fixture: 'workspace' },
)
