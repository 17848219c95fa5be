import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import type { Prisma } from '../../fixtures/kitchen-sink/client/client.js'
import { scalarsResource } from '../../fixtures/kitchen-sink/expected/scalars/resource.js'
import { compileSchema } from '../../runtime/schema/compile-schema.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { Arguments, valuesByField } from './arbitrary.js'
import { callOf } from './blog-writes.js'
import { ANY_COST, fixtureRpc, superjsonOf } from './client.js'
import { copyOf } from './rolled-back-call.js'

const READS = ['findMany', 'findFirst', 'findUnique', 'count', 'aggregate', 'groupBy'] as const
const RUNS = 100

/** Creates a row with values of every type. */
function row(index: number): Prisma.ScalarsCreateManyInput {
  const date = new Date(Date.UTC(2024, 0, index + 1))
  const some = index % 3 === 0
  return {
    text: `text ${index}`,
    textOpt: some ? null : `Opt ${index}`,
    texts: some ? [] : [`t${index}`, 't'],
    flag: index % 2 === 0,
    flagOpt: some ? null : index % 2 === 1,
    flags: some ? [] : [true, false],
    int: index - 5,
    ints: some ? [] : [index, 7],
    big: 2n ** 62n + BigInt(index),
    bigOpt: some ? null : -BigInt(index),
    bigs: some ? [] : [BigInt(index), 9n],
    float: index / 4,
    floats: some ? [] : [0.5, index],
    decimal: `${index}.0001`,
    decimalOpt: some ? null : `123456789012345678.${index}`,
    decimals: some ? [] : ['1.5'],
    at: date,
    atOpt: some ? null : date,
    ats: some ? [] : [date],
    json: { a: index, list: [index, 'x'], 'b.c': `s${index}` },
    jsons: some ? [] : [{ a: 1 }, 2],
    bytes: new Uint8Array([index, 255]),
    bytesOpt: some ? null : new Uint8Array([index]),
    bytesList: some ? [] : [new Uint8Array([1, index])],
    color: index % 2 === 0 ? 'RED' : 'BLUE',
    colorOpt: some ? null : 'GREEN',
    colors: some ? [] : ['RED', 'GREEN'],
  }
}

describeDatabases(
  'RPC: every field type',
  (db) => {
    const model = compileSchema([scalarsResource]).get('Scalars')
    if (!model) throw new Error('There is no model Scalars.')
    let rows: readonly object[]
    /** Calls the client. Returns undefined if it throws. */
    const clientResult = async (operation: string, args: unknown) => {
      try {
        return { result: await callOf(db.orm, 'scalars', operation, copyOf(args)) }
      } catch {
        return undefined
      }
    }

    beforeAll(async () => {
      await db.reset()
      await db.orm.scalars.createMany({ data: Array.from({ length: 12 }, (_, index) => row(index)) })
      rows = await db.orm.scalars.findMany()
    })

    it.each(READS)(
      "%s: matches the client's result byte for byte, or responds with 4xx if the client throws",
      async (operation) => {
        const pool = new Map([['Scalars', valuesByField(rows)]])
        const superjson = superjsonOf(db.client.Prisma as never)
        await fc.assert(
          fc.asyncProperty(new Arguments(pool, db.provider, true).read(model, operation), async (args) => {
            const expected = await clientResult(operation, args)
            const { status, body } = await fixtureRpc(db, ANY_COST).call('scalars', operation, args)
            if (!expected) return void expect([400, 422, 404], body.message).toContain(status)
            expect(status, body.message).toBe(200)
            const { json, meta } = superjson.serialize(expected.result)
            const serialization = meta?.values && { values: meta.values, v: 1 }
            const document = { data: json, ...(serialization && { meta: { serialization } }) }
            expect(JSON.stringify(body)).toBe(JSON.stringify(document))
          }),
          { numRuns: runs(RUNS), endOnFailure: true },
        )
      },
      90_000,
    )

    it.each<[string, object]>([
      ['has', { texts: { has: 't' } }],
      ['hasEvery', { ints: { hasEvery: [7] } }],
      ['hasSome of a BigInt', { bigs: { hasSome: [9n, 1n] } }],
      ['isEmpty', { floats: { isEmpty: true } }],
      ['equals of a list', { flags: { equals: [true, false] } }],
      ['has of an enum', { colors: { has: 'GREEN' } }],
      ['has of a DateTime', { ats: { has: new Date(Date.UTC(2024, 0, 2)) } }],
      ['has of Bytes', { bytesList: { has: new Uint8Array([1, 1]) } }],
      ['mode', { textOpt: { contains: 'opt', mode: 'insensitive' } }],
      ['search', { text: { search: 'text' } }],
      ['a path of Json', { json: { path: ['a'], gt: 3 } }],
      ['a path with a dot in a key', { json: { path: ['b.c'], equals: 's4' } }],
      ['string_contains', { json: { path: ['b.c'], string_contains: 'S', mode: 'insensitive' } }],
      ['array_contains', { json: { path: ['list'], array_contains: [4] } }],
      ['array_starts_with', { json: { path: ['list'], array_starts_with: 4 } }],
      ['array_ends_with', { json: { path: ['list'], array_ends_with: 'x' } }],
    ])('%s: finds the same rows as the client', async (_what, where) => {
      const count = await db.orm.scalars.count({ where })
      expect(count).toBeGreaterThan(0)
      expect(await fixtureRpc(db).result('scalars', 'count', { where })).toBe(count)
    })

    it('orders rows by relevance', async () => {
      const orderBy = { _relevance: { fields: ['text'], search: 'text', sort: 'desc' } }
      const { status, body } = await fixtureRpc(db).call('scalars', 'findMany', { orderBy, select: { text: true } })
      expect([status, body.data], body.message).toEqual([200, expect.any(Array)])
    })

    it('rejects relationLoadStrategy without its preview feature with 400', async () => {
      for (const relationLoadStrategy of ['join', 'query']) {
        expect((await fixtureRpc(db).call('scalars', 'findMany', { relationLoadStrategy })).status).toBe(400)
      }
    })

    it('writes scalar lists with set and push, and rejects invalid elements with 422', async () => {
      const api = fixtureRpc(db)
      const [{ id } = { id: 0n }] = await db.orm.scalars.findMany({ take: 1, orderBy: { id: 'asc' } })
      const write = (data: object) =>
        api.call('scalars', 'update', { where: { id }, data, select: { texts: true, ints: true } })
      expect((await write({ texts: ['a'], ints: { set: [1] } })).body.data).toEqual({ texts: ['a'], ints: [1] })
      const pushed = { texts: ['a', 'b', 'c'], ints: [1, 2] }
      expect((await write({ texts: { push: ['b', 'c'] }, ints: { push: 2 } })).body.data).toEqual(pushed)
      const invalid = [{ ints: { push: 'x' } }, { texts: [null] }, { colors: { push: 'PINK' } }, { ints: [2 ** 31] }]
      for (const data of invalid) expect((await write(data)).status).toBe(422)
    })
  },
  { fixture: 'kitchen-sink' },
)
