import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { describeDatabases } from '../support/databases.js'
import { fixtureRpc } from './client.js'

describeDatabases(
  'RPC: relationLoadStrategy with its preview feature',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await db.orm.word.create({ data: { id: 1, sentences: { create: [{ id: 1 }, { id: 2 }] } } })
    })

    it.each(['findMany', 'findFirst', 'findFirstOrThrow', 'findUnique', 'findUniqueOrThrow'])(
      '%s: loads relations with the requested strategy',
      async (operation) => {
        const include = { sentences: { select: { id: true }, orderBy: { id: 'asc' } } }
        const sql = async (relationLoadStrategy: string) => {
          const args = { where: { id: 1 }, include, relationLoadStrategy }
          let data: unknown
          const queries = await db.queriesOf(async () => {
            data = await fixtureRpc(db).result('word', operation, args)
          })
          expect([data].flat()).toMatchObject([{ id: 1, sentences: [{ id: 1 }, { id: 2 }] }])
          return queries.filter((query) => query.includes('LATERAL'))
        }
        expect(await sql('join')).toEqual([expect.stringContaining('"Sentence"')])
        expect(await sql('query')).toEqual([])
      },
    )

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
  },
  { fixture: 'names', only: ['postgresql'] },
)

describeDatabases(
  'RPC: included decimals with the relationJoins preview feature',
  (db) => {
    const price = '12345678901234567890.1234567891'
    const include = { attachments: { select: { price: true } } }
    const document = { attachments: [{ price }] }
    const call = async (orm: unknown, model: string, operation: string, args: object): Promise<unknown> =>
      JSON.parse(JSON.stringify(await fixtureRpc(db, {}, orm).result(model, operation, args)))

    beforeEach(async () => {
      await db.reset()
      await db.orm.team.create({ data: { name: 'red' } })
      const attachments = { create: { name: 'a', price } }
      await db.orm.document.create({ data: { title: 't', slug: 'first', teamId: 1, attachments } })
    })

    // MariaDB has no joins.
    it.each([{}, ...(db.provider === 'mysql' ? [] : [{ relationLoadStrategy: 'join' }])])(
      '%o: returns all digits from reads',
      async (strategy) => {
        const read = (model: string, operation: string, args: object) =>
          call(db.orm, model, operation, { ...args, ...strategy })
        expect(await read('document', 'findMany', { include })).toMatchObject([document])
        expect(await read('document', 'findUnique', { where: { id: 1 }, include })).toMatchObject(document)
        const below = { select: { documents: { include } } }
        expect(await read('team', 'findFirst', below)).toMatchObject({ documents: [document] })
      },
    )

    it.each(['findFirst', 'findUnique', 'findMany'])(
      '%s: limits the rows of an included list that is ordered by the number of related rows',
      async (operation) => {
        const documents = { orderBy: { attachments: { _count: 'desc' } }, include }
        const args = { where: { id: 1 }, include: { documents }, ...(operation === 'findMany' && { take: 1 }) }
        const data = await call(db.orm, 'team', operation, args)
        expect([data].flat()).toMatchObject([{ documents: [document] }])
        await db.orm.attachment.create({ data: { name: 'b', documentId: 1 } })
        const limited = fixtureRpc(db, { limits: { loadedRows: 1 } })
        expect((await limited.call('team', operation, args)).status).toBe(400)
      },
    )

    it.each([
      ['person', 'findMany', (order: object) => order],
      ['person', 'findFirst', (order: object) => order],
      ['team', 'findMany', (order: object) => ({ select: { people: order } })],
    ])('%s.%s: accepts a repeated field in orderBy with distinct (%#)', async (model, operation, args) => {
      const orderBy = [{ email: 'asc' }, { email: 'desc' }, { id: 'asc' }]
      await db.orm.person.createMany({ data: ['b', 'a'].map((email) => ({ email, teamId: 1 })) })
      const order = { distinct: ['teamId', 'email'], orderBy }
      const found = JSON.stringify(await call(db.orm, model, operation, args(order)))
      expect(found.indexOf('"a"')).toBeGreaterThan(0)
      if (operation === 'findMany') expect(found.indexOf('"b"')).toBeGreaterThan(found.indexOf('"a"'))
    })

    it('returns all digits from writes', async () => {
      const builder = abilityBuilder()
      builder.can('manage', 'all')
      builder.cannot('read', 'Document', { title: 'none' })
      for (const orm of [db.orm, db.orm.$extends(withPolicies(builder.build()))]) {
        const where = { id: 1 }
        const data = { title: 'w', teamId: 1, attachments: { create: { name: 'b', price } } }
        for (const [operation, args] of [
          ['update', { where, data: { title: 'u' } }],
          ['upsert', { where, create: { title: 'v', teamId: 1 }, update: { title: 'v' } }],
          ['create', { data }],
          ['delete', { where: { slug: '' } }],
        ] as const) {
          expect(await call(orm, 'document', operation, { ...args, include }), operation).toMatchObject(document)
        }
      }
    })
  },
  { fixture: 'workspace', only: ['postgresql', 'mysql'] },
)
