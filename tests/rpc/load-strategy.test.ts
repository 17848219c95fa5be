import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fixtureRpc, rpcClient } from './client.js'

const READS = {
  findMany: {},
  findFirst: {},
  findFirstOrThrow: {},
  findUnique: { where: { id: 1 } },
  findUniqueOrThrow: { where: { id: 1 } },
}

describeDatabases(
  'RPC: relationLoadStrategy with its preview feature',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await db.orm.word.create({ data: { id: 1, sentences: { create: [{ id: 1 }, { id: 2 }] } } })
    })

    it.each(Object.entries(READS))('%s loads relations as it is asked to', async (operation, args) => {
      const asked = { ...args, include: { sentences: { select: { id: true }, orderBy: { id: 'asc' } } } }
      const sql = async (strategy: string) => {
        let data: unknown
        const queries = await db.queriesOf(async () => {
          data = await fixtureRpc(db).result('word', operation, { ...asked, relationLoadStrategy: strategy })
        })
        expect([data].flat()).toMatchObject([{ id: 1, sentences: [{ id: 1 }, { id: 2 }] }])
        return queries.filter((query) => query.includes('LATERAL'))
      }
      expect(await sql('join')).toEqual([expect.stringContaining('"Sentence"')])
      expect(await sql('query')).toEqual([])
    })

    it('orders included lists by how many related rows there are, which the client cannot with a join', async () => {
      await db.orm.sentence.create({ data: { id: 3, dataId: 1, whereId: 2 } })
      const sentences = { select: { id: true }, orderBy: [{ set: { _count: 'desc' } }, { id: 'asc' }] }
      const data = { sentences: [{ id: 2 }, { id: 1 }, { id: 3 }] }
      for (const strategy of [{}, { relationLoadStrategy: 'join' }]) {
        const args = { include: { sentences }, ...strategy }
        expect(await fixtureRpc(db).result('word', 'findMany', args)).toMatchObject([data])
      }
      const nested = { select: { data: { select: { sentences } } }, where: { id: 1 } }
      expect(await fixtureRpc(db).result('sentence', 'findFirst', nested)).toEqual({ data })
    })

    it('takes no other values, and stands at the top of reads alone', async () => {
      const status = async (operation: string, args: object) => {
        return (await fixtureRpc(db).call('word', operation, args)).status
      }
      expect(await status('findMany', { relationLoadStrategy: 'both' })).toBe(400)
      expect(await status('findMany', { relationLoadStrategy: null })).toBe(400)
      expect(await status('findMany', { include: { sentences: { relationLoadStrategy: 'join' } } })).toBe(400)
      expect(await status('count', { relationLoadStrategy: 'join' })).toBe(400)
      expect(await status('create', { data: { id: 2 }, relationLoadStrategy: 'join' })).toBe(400)
      expect(await status('delete', { where: { id: 1 }, relationLoadStrategy: 'join' })).toBe(400)
    })
  },
  { fixture: 'names', only: ['postgresql'] },
)

describeDatabases('RPC: relationLoadStrategy without its preview feature', (db) => {
  it.each(Object.entries(READS))('%s says which it takes', async (operation, args) => {
    const model = operation.startsWith('findUnique') ? 'post' : 'user'
    for (const relationLoadStrategy of ['join', 'query']) {
      const answer = await rpcClient(db).call(model, operation, { ...args, relationLoadStrategy })
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('"relationJoins"')])
    }
  })
})

describeDatabases(
  'RPC: relationLoadStrategy on a database without joins',
  (db) => {
    it('is refused, preview feature or not', async () => {
      const answer = await fixtureRpc(db).call('word', 'findMany', { relationLoadStrategy: 'join' })
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('PostgreSQL')])
    })
  },
  { fixture: 'names', only: ['SQLite'] },
)
