import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
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

    it.each(Object.entries(READS))('%s: loads relations with the requested strategy', async (operation, args) => {
      const readArgs = { ...args, include: { sentences: { select: { id: true }, orderBy: { id: 'asc' } } } }
      const sql = async (strategy: string) => {
        let data: unknown
        const queries = await db.queriesOf(async () => {
          data = await fixtureRpc(db).result('word', operation, { ...readArgs, relationLoadStrategy: strategy })
        })
        expect([data].flat()).toMatchObject([{ id: 1, sentences: [{ id: 1 }, { id: 2 }] }])
        return queries.filter((query) => query.includes('LATERAL'))
      }
      expect(await sql('join')).toEqual([expect.stringContaining('"Sentence"')])
      expect(await sql('query')).toEqual([])
    })

    it('orders included lists by the number of related rows, also with a join', async () => {
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

    it('rejects other values, nested use and use outside of row reads with 400', async () => {
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

describeDatabases(
  'RPC: included decimals with the relationJoins preview feature',
  (db) => {
    const price = '12345678901234567890.1234567891'
    const include = { attachments: { select: { price: true } } }
    const attachments = [{ price }]
    const toJson = async (result: Promise<unknown>): Promise<unknown> => JSON.parse(JSON.stringify(await result))

    beforeEach(async () => {
      await db.reset()
      await db.orm.team.create({ data: { name: 'red' } })
      await db.orm.document.create({
        data: { title: 't', slug: 'first', teamId: 1, attachments: { create: { name: 'a', price } } },
      })
    })

    it.each([{}, { relationLoadStrategy: 'join' }])('%o: returns all digits from reads', async (strategy) => {
      // MariaDB has no joins.
      if (db.provider === 'mysql' && 'relationLoadStrategy' in strategy) return
      const read = (operation: string, args: object) =>
        toJson(fixtureRpc(db).result('document', operation, { ...args, include, ...strategy }))
      expect(await read('findMany', {})).toMatchObject([{ attachments }])
      expect(await read('findUnique', { where: { id: 1 } })).toMatchObject({ attachments })
      const below = { select: { documents: { include } }, ...strategy }
      expect(await toJson(fixtureRpc(db).result('team', 'findFirst', below))).toMatchObject({
        documents: [{ attachments }],
      })
    })

    it('returns all digits from writes', async () => {
      const builder = abilityBuilder()
      builder.can('manage', 'all')
      builder.cannot('read', 'Document', { title: 'none' })
      const orms = [db.orm, db.orm.$extends(withPolicies(builder.build()))]
      for (const orm of orms) {
        const write = (operation: string, args: object) =>
          toJson(fixtureRpc(db, {}, orm).result('document', operation, { ...args, include }))
        const where = { id: 1 }
        expect(await write('update', { where, data: { title: 'u' } })).toMatchObject({ attachments })
        const upsert = { where, create: { title: 'v', teamId: 1 }, update: { title: 'v' } }
        expect(await write('upsert', upsert)).toMatchObject({ attachments })
        const data = { title: 'w', teamId: 1, attachments: { create: { name: 'b', price } } }
        expect(await write('create', { data })).toMatchObject({ attachments })
        await db.orm.document.updateMany({ data: { slug: 'free' }, where: { title: 'w' } })
        expect(await write('delete', { where: { slug: 'free' } })).toMatchObject({ attachments })
      }
    })
  },
  { fixture: 'workspace', only: ['postgresql', 'mysql'] },
)

describeDatabases('RPC: relationLoadStrategy without its preview feature', (db) => {
  it.each(Object.entries(READS))('%s: rejects it with 400 and names the preview feature', async (operation, args) => {
    const model = operation.startsWith('findUnique') ? 'post' : 'user'
    for (const relationLoadStrategy of ['join', 'query']) {
      const response = await rpcClient(db).call(model, operation, { ...args, relationLoadStrategy })
      expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('"relationJoins"')])
    }
  })
})

describeDatabases(
  'RPC: relationLoadStrategy on a database without joins',
  (db) => {
    it('rejects it with 400', async () => {
      const response = await fixtureRpc(db).call('word', 'findMany', { relationLoadStrategy: 'join' })
      expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('PostgreSQL')])
    })
  },
  { fixture: 'names', only: ['SQLite'] },
)
