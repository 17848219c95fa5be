import { beforeEach, describe, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureRpc, methodOf, type RpcClient } from './client.js'

async function rows({ orm }: Pick<Database<'names'>, 'orm'>): Promise<void> {
  await orm.word.createMany({
    data: [
      { id: 1, is: 'a', data: 'd', where: 'w' },
      { id: 2, is: 'b', isNot: 'n', equals: 'e', data: 'd' },
    ],
  })
  await orm.sentence.createMany({
    data: [
      { id: 1, text: 'one', dataId: 1 },
      { id: 2, text: 'two', dataId: 2, whereId: 1 },
      { id: 3, text: 'three', whereId: 1 },
    ],
  })
}

const BOTH_NEW = { data: 'new', where: 'new' }
const IS_NEW = { is: 'new', data: 'd' }

describeDatabases(
  'RPC: fields named like Prisma keywords',
  (db) => {
    const WORDS = ['is', 'data', 'where', 'set', 'select', 'include', 'by', 'some', 'create', 'connect', 'in', 'having']

    beforeEach(() => db.fill(rows))

    let rpc: RpcClient | undefined
    // Sent as plain JSON, because superjson's own client rejects some keys.
    function api(model: string, operation: string, args: unknown, meta?: unknown): Promise<TestResponse> {
      const method = methodOf(operation)
      return (rpc ??= fixtureRpc(db)).fetch(`/${model}/${operation}`, {
        method: method === 'GET' ? 'POST' : method,
        body: JSON.stringify(meta === undefined ? args : { ...Object(args), meta: { serialization: meta } }),
        headers: { 'Content-Type': 'application/json' },
      })
    }

    it.each(WORDS)('%s: behaves like any other field in reads and writes', async (name) => {
      const created = await api('word', 'create', { data: { id: 3, [name]: 'x' }, select: { [name]: true } })
      expect([created.status, created.body.data]).toEqual([201, { [name]: 'x' }])
      await api('word', 'createMany', { data: [{ id: 4, [name]: 'y' }] })
      const updated = await api('word', 'update', { where: { id: 4 }, data: { [name]: { set: 'z' } } })
      expect([updated.status, updated.body.data]).toMatchObject([200, { id: 4, [name]: 'z' }])
      const { [name]: _, ...others } = Object(updated.body.data)
      const seeded = await db.orm.word.findMany({ where: { id: { lt: 3 } } })
      const count = 2 + seeded.filter((row) => Reflect.get(row, name) !== null).length
      const [is, select, last] = [{ [name]: 'z' }, { [name]: true }, { [name]: { sort: 'desc', nulls: 'last' } }]
      const grouped = { by: name, having: is, _count: select, orderBy: { [name]: 'asc' } }
      for (const [operation, args, data] of [
        ['findMany', { where: { [name]: { startsWith: 'z' } }, select, distinct: name }, [is]],
        ['findFirst', { where: { id: 4 }, orderBy: last, omit: select }, others],
        ['groupBy', grouped, [{ ...is, _count: { [name]: 1 } }]],
        ['aggregate', { where: is, _max: select }, { _max: is }],
        ['count', { select }, { [name]: count }],
      ] as const) {
        const response = await api('word', operation, args)
        expect([response.status, response.body.data], response.body.message).toEqual([200, data])
      }
    })

    // With such a filter, the client panics, or treats a filter as a list of filters.
    it('rejects filters by a field named not with 400', async () => {
      await api('word', 'create', { data: { id: 3, not: 'x' } })
      const args = { select: { not: true }, orderBy: { not: { sort: 'asc', nulls: 'last' } }, take: 1 }
      expect((await api('word', 'findMany', args)).body.data).toEqual([{ not: 'x' }])
      for (const where of [{ not: 'x' }, { AND: { not: { equals: 'x' } } }]) {
        const { status, body } = await api('word', 'findMany', { where })
        expect([status, body.message]).toEqual([400, expect.stringMatching(/not cannot be used in filters/)])
      }
      const grouped = { by: 'not', orderBy: { not: 'asc' } }
      expect((await api('word', 'groupBy', grouped)).status).toBe(200)
      expect((await api('word', 'groupBy', { ...grouped, having: { not: 'x' } })).status).toBe(400)
    })

    describe('to-one relation filter', () => {
      it.each<[where: object, ids: number[]]>([
        [{ data: { is: 'a' } }, [1]],
        [{ data: { is: { contains: 'a' } } }, [1]],
        [{ data: { is: { contains: 'a' }, isNot: null } }, [1]],
        [{ data: { is: 'b', isNot: { startsWith: 'n' } } }, [2]],
        [{ data: { is: 'a', id: 1 } }, [1]],
        [{ data: { is: 'a', where: 'w' } }, [1]],
        [{ data: { is: { is: 'a' } } }, [1]],
        [{ data: { is: { equals: 'e' } } }, [2]],
        [{ data: { isNot: { is: 'a' } } }, [2, 3]],
        [{ data: { is: null } }, [3]],
        [{ data: { isNot: null } }, [1, 2]],
        [{ data: null }, [3]],
        [{ where: { data: { is: 'a' } } }, [2, 3]],
        [{ where: { is: { data: { is: 'a' } } } }, [2, 3]],
        [{ set: { some: { data: { is: 'b' } } } }, [1]],
        [{ NOT: { data: { is: 'a' } } }, [2, 3]],
      ])('%j: matches the same rows as the client', async (where, ids) => {
        const args = { where, select: { id: true }, orderBy: { id: 'asc' } } as const
        const rows = ids.map((id) => ({ id }))
        expect(await db.orm.sentence.findMany(args)).toEqual(rows)
        const response = await api('sentence', 'findMany', args)
        expect([response.status, response.body.data], response.body.message).toEqual([200, rows])
      })

      it('rejects unknown names with 400', async () => {
        for (const where of [{ data: { is: { nope: 1 } } }, { data: { is: 'a', nope: 1 } }]) {
          expect((await api('sentence', 'findMany', { where })).status, JSON.stringify(where)).toBe(400)
        }
      })
    })

    describe('nested update', () => {
      const wordOf = (id: number) => db.orm.word.findUnique({ where: { id } })
      const updateOf = (id: number, data: object) => api('sentence', 'update', { where: { id }, data })

      it.each<[update: object, row: object]>([
        [{ data: 'new' }, { data: 'new', where: 'w' }],
        [{ where: 'new' }, { data: 'd', where: 'new' }],
        [{ data: 'new', where: 'new' }, BOTH_NEW],
        [{ data: 'new', where: { set: 'new' } }, BOTH_NEW],
        [{ data: { data: 'new' } }, { data: 'new', where: 'w' }],
        [{ data: { is: 'new' }, where: { is: 'a' } }, IS_NEW],
        [
          { data: { where: 'new' }, where: { where: 'w' } },
          { data: 'd', where: 'new' },
        ],
        // The model has a field named "set", so the client treats this as an update of that field.
        [{ data: { set: 'new' } }, { set: 'new', data: 'd' }],
      ])('%j: writes the same values as the client', async (update, row) => {
        await db.orm.sentence.update({ where: { id: 1 }, data: { data: { update } } })
        expect(await wordOf(1)).toMatchObject(row)
        await db.orm.word.update({ where: { id: 1 }, data: { is: 'a', data: 'd', where: 'w', set: null } })
        const response = await updateOf(1, { data: { update } })
        expect(response.status, response.body.message).toBe(200)
        expect(await wordOf(1)).toMatchObject(row)
      })

      it('updates through relations with the names of keywords', async () => {
        const change = { where: { update: { data: { update: { is: 'new' } } } } }
        expect((await updateOf(2, change)).status).toBe(200)
        expect(await wordOf(1)).toMatchObject({ is: 'new' })
        const wrapped = { where: { update: { data: { data: { update: { is: 'newer' } } }, where: { id: 1 } } } }
        expect((await updateOf(2, wrapped)).status).toBe(200)
        expect(await wordOf(1)).toMatchObject({ is: 'newer' })
      })

      it('responds with 404 if its condition does not match', async () => {
        expect((await updateOf(1, { data: { update: { data: { is: 'new' }, where: { is: 'other' } } } })).status).toBe(
          404,
        )
        expect(await wordOf(1)).toMatchObject({ is: 'a' })
      })
    })

    it('writes relations and fields with the names of keywords in other nested writes', async () => {
      const created = await api('sentence', 'create', {
        data: { id: 4, data: { create: { id: 3, data: 'x', where: 'y' } }, set: { connect: { id: 3 } } },
        include: { data: { select: { data: true, where: true } }, set: { select: { id: true } } },
      })
      const row = { data: { data: 'x', where: 'y' }, set: [{ id: 3 }] }
      expect([created.status, created.body.data], created.body.message).toMatchObject([201, row])
      const upsert = { create: { id: 9 }, update: { where: 'z' } }
      const update = (conditions: object) => {
        const data = { data: { upsert: { ...upsert, where: conditions } }, set: { set: [] } }
        return api('sentence', 'update', { where: { id: 4 }, data })
      }
      expect((await update({ where: 'y' })).status).toBe(400)
      const updated = await update({})
      expect(updated.status, updated.body.message).toBe(200)
      expect(await db.orm.word.findUnique({ where: { id: 3 } })).toMatchObject({ where: 'z' })
      const many = { where: { where: 'z' }, data: { where: 'many', limit: 1 } }
      expect((await api('word', 'updateMany', { ...many, limit: 5 })).body.data).toEqual({ count: 1 })
    })

    describe('undefined in meta.serialization', () => {
      /** Sends null, with the type undefined, at a path of the arguments. */
      const callWith = (model: string, operation: string, args: object, path: string) =>
        api(model, operation, args, { values: { [path]: ['undefined'] } })
      type Call = readonly [model: string, operation: string, args: object, path: string]
      const update = (id: number, data: object, path: string): Call => {
        return ['sentence', 'update', { where: { id }, data }, `data.${path}`]
      }
      const ofWord = (write: object, path: string) => update(1, { data: write }, `data.${path}`)
      const ofSet = (write: object, path: string) => update(1, { set: write }, `set.${path}`)
      const include = (where: object | null, path: string): Call => [
        'sentence',
        'findMany',
        { include: { where } },
        path,
      ]
      const COUNT = { _count: { select: { set: { where: null } } } }

      it.each<Call>([
        ['word', 'create', { data: { id: 3, where: null } }, 'data.where'],
        ['word', 'update', { where: { id: 1 }, data: { limit: null, id: 1 } }, 'data.limit'],
        ['word', 'upsert', { where: { id: 1 }, create: { id: 1 }, update: { cursor: null } }, 'update.cursor'],
        ['word', 'createMany', { data: [{ id: 3, having: null }] }, 'data.0.having'],
        ['word', 'findMany', { select: { id: true, where: null } }, 'select.where'],
        ['word', 'findMany', { omit: { where: null } }, 'omit.where'],
        include(null, 'include.where'),
        include({ select: { id: true, text: null } }, 'include.where.select.text'),
        ['sentence', 'findMany', { orderBy: { where: { text: null, id: 'asc' } } }, 'orderBy.where.text'],
        ['sentence', 'create', { data: { id: 4, data: { create: { id: 3, where: null } } } }, 'data.data.create.where'],
        update(2, { where: { update: { text: null } } }, 'where.update.text'),
        ofWord({ update: { where: null } }, 'update.where'),
        ofWord({ update: { data: { where: null } } }, 'update.data.where'),
        ofSet({ connect: null }, 'connect'),
      ])('%s.%s %j: treats undefined as absent at %s', async (...call) => {
        const response = await callWith(...call)
        expect(response.status, response.body.message).toBe(call[1].startsWith('create') ? 201 : 200)
        // No field was cleared.
        expect(await db.orm.word.findUnique({ where: { id: 1 } })).toMatchObject({ data: 'd', where: 'w' })
      })

      it.each<Call>([
        ['word', 'findMany', { where: { where: null } }, 'where.where'],
        ['word', 'findMany', { where: null }, 'where'],
        ['word', 'findMany', { where: { AND: [{ data: null }] } }, 'where.AND.0.data'],
        ['word', 'findMany', { cursor: { id: null } }, 'cursor.id'],
        ['word', 'groupBy', { by: 'is', having: { is: null } }, 'having.is'],
        ['word', 'updateMany', { where: {}, data: { is: 'x' }, limit: null }, 'limit'],
        ['sentence', 'findMany', { include: { set: { where: { text: null } } } }, 'include.set.where.text'],
        ['sentence', 'findMany', { select: COUNT }, 'select._count.select.set.where'],
        ofSet({ deleteMany: { text: null } }, 'deleteMany.text'),
        ofSet({ connect: { id: null } }, 'connect.id'),
        ofSet({ updateMany: { where: { text: null }, data: {} } }, 'updateMany.where.text'),
        ofSet({ connectOrCreate: { where: { id: null }, create: { id: 7 } } }, 'connectOrCreate.where.id'),
        ofWord({ update: { data: { is: 'x' }, where: null } }, 'update.where'),
        ofWord({ upsert: { where: { is: null }, create: { id: 7 }, update: {} } }, 'upsert.where.is'),
        ofWord({ disconnect: { is: null } }, 'disconnect.is'),
      ])('%s.%s %j: rejects undefined in the condition %s with 400', async (...call) => {
        const { status, body } = await callWith(...call)
        expect([status, body.message]).toEqual([400, expect.stringMatching(/must not be undefined/)])
      })
    })
  },
  { fixture: 'names' },
)
