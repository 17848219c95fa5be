import { beforeEach, describe, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { fixtureClient, type RestClient } from '../rest/support/client.js'
import { fixtureRpc, type RpcClient } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillWorkspace } from './support/workspace.js'

type Call = (by: { readonly rest: RestClient; readonly rpc: RpcClient }) => Promise<{ readonly status: number }>

const NEW = { title: 'New', teamId: 1 }
const body = (type: string, attributes: object, id?: number) => ({
  data: { type, ...(id !== undefined && { id: String(id) }), attributes },
})

/** Creates of a model with `create` hooks. */
const CREATES: readonly (readonly [what: string, call: Call])[] = [
  ['RPC', ({ rpc }) => rpc.call('document', 'create', { data: NEW })],
  [
    'RPC with relations',
    ({ rpc }) => rpc.call('document', 'create', { data: NEW, include: { team: true, folder: true } }),
  ],
  ['RPC with few fields', ({ rpc }) => rpc.call('document', 'create', { data: NEW, select: { id: true } })],
  ['REST', ({ rest }) => rest.post('/document', body('document', NEW))],
  ['REST with relations', ({ rest }) => rest.post('/document?include=team', body('document', NEW))],
]

/** Requests that do not involve the hooks of documents and reviews. */
const OTHERS: readonly (readonly [what: string, call: Call])[] = [
  ['a list', ({ rest }) => rest.get('/document?include=comments,team')],
  ['a lookup', ({ rest }) => rest.get('/folder/1')],
  ['findMany', ({ rpc }) => rpc.call('document', 'findMany', { include: { comments: true } })],
  ['count', ({ rpc }) => rpc.call('document', 'count')],
  ['a create', ({ rest }) => rest.post('/label', body('label', { name: 'x', teamId: 1 }))],
  ['a create by RPC', ({ rpc }) => rpc.call('label', 'create', { data: { name: 'x', teamId: 1 } })],
  ['createMany', ({ rpc }) => rpc.call('label', 'createMany', { data: [{ name: 'x', teamId: 1 }] })],
  ['an update', ({ rest }) => rest.patch('/attachment/1', body('attachment', { name: 'x' }, 1))],
  ['updateMany', ({ rpc }) => rpc.call('attachment', 'updateMany', { where: { id: 1 }, data: { name: 'x' } })],
  [
    'an update of a row that rows with hooks reference',
    ({ rest }) => rest.patch('/team/1', body('team', { name: 'x' }, 1)),
  ],
  [
    'updateMany of rows that rows with hooks reference',
    ({ rpc }) => rpc.call('person', 'updateMany', { where: { id: 1 }, data: { email: 'x' } }),
  ],
  [
    'an upsert of a row that rows with hooks reference',
    ({ rpc }) => rpc.call('team', 'upsert', { where: { id: 1 }, create: { name: 'x' }, update: { name: 'x' } }),
  ],
  ['a delete', ({ rest }) => rest.delete('/attachment/1')],
  ['deleteMany', ({ rpc }) => rpc.call('comment', 'deleteMany', { where: { id: 1 } })],
  [
    'a create that connects rows with hooks',
    ({ rpc }) =>
      rpc.call('comment', 'create', {
        data: { text: 'x', document: { connect: { id: 1 } }, author: { connect: { id: 1 } } },
      }),
  ],
  [
    'a to-one relationship',
    ({ rest }) => rest.patch('/comment/1/relationships/document', { data: { type: 'document', id: '2' } }),
  ],
  [
    'nested writes of a model without hooks',
    ({ rpc }) =>
      rpc.call('team', 'update', {
        where: { id: 1 },
        data: { labels: { create: { name: 'x' }, updateMany: { where: {}, data: { name: 'y' } } } },
      }),
  ],
  [
    'a nested create of a row that rows with hooks reference',
    ({ rpc }) => rpc.call('team', 'create', { data: { name: 'x', people: { create: { email: 'x' } } } }),
  ],
  [
    'members of a join table',
    ({ rest }) => rest.post('/label/1/relationships/documents', { data: [{ type: 'document', id: '2' }] }),
  ],
]

describeDatabases(
  'hooks: number of queries',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const queriesOf = async (call: Call, hooks?: AppHooks) => {
      await db.fill(fillWorkspace)
      const options = hooks ? { hooks: defineHooks(hooks) } : {}
      const by = { rest: fixtureClient(db, options), rpc: fixtureRpc(db, options) }
      let status = 0
      const queries = await db.queriesOf(async () => ({ status } = await call(by)))
      expect(status).toBeLessThan(300)
      // Skips the driver's own log entries, for example for the end of a transaction.
      return queries.filter((query) => !query.startsWith('--'))
    }
    const nothing = () => undefined

    describe('create with hooks', () => {
      const hooks: AppHooks = { Document: { create: { before: ({ data }) => data, after: nothing } } }
      it.each(CREATES)('%s: runs at most one additional query', async (_what, call) => {
        const [without, withHooks] = [await queriesOf(call), await queriesOf(call, hooks)]
        expect(withHooks.length, withHooks.join('\n')).toBeLessThanOrEqual(without.length + 1)
      })
    })

    describe('request without a matching hook', () => {
      const hooks: AppHooks = {
        Document: { create: { after: nothing }, update: { after: nothing } },
        Review: { update: { after: nothing }, delete: { after: nothing } },
      }
      it.each(OTHERS)('%s: runs no additional queries', async (_what, call) => {
        const [without, withHooks] = [await queriesOf(call), await queriesOf(call, hooks)]
        expect(withHooks, withHooks.join('\n')).toHaveLength(without.length)
      })
      it.each(OTHERS)('%s: runs no additional queries with empty hooks', async (_what, call) => {
        const [without, withHooks] = [await queriesOf(call), await queriesOf(call, {})]
        expect(withHooks, withHooks.join('\n')).toHaveLength(without.length)
      })
    })
  },
  { fixture: 'workspace', only: ['SQLite', 'PostgreSQL', 'MySQL'] },
)
