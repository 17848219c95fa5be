import { beforeEach, expect, it } from 'vitest'

import { createRestClient, json } from '../../../client/index.js'
import { describeDatabases } from '../../support/databases.js'
import { type KitchenSink, kitchenSinkClient, URL } from './apis.js'
import { fetchOf } from './serve.js'

const nothing = () => Promise.resolve()

const SCALARS = {
  text: 'a,b\\c "d" é',
  textOpt: null,
  texts: ['x', 'y,z', ''],
  flag: true,
  flags: [true, false],
  int: -7,
  ints: [1, 2],
  big: 9007199254740993n,
  bigOpt: -1n,
  bigs: [1n, 2n ** 60n],
  float: 1.5e-7,
  floatOpt: 1e21,
  floats: [0.1],
  decimal: '1234567890123456.25',
  decimals: ['1.5', '2'],
  at: new Date('2024-02-29T12:30:00.123Z'),
  atOpt: null,
  ats: [new Date(0)],
  json: { a: [1, null, { 'b.c': 'd' }], type: 'x' },
  jsonOpt: [1],
  jsons: [{ a: 1 }, 'b,c'],
  bytes: new Uint8Array([0, 255, 7]),
  bytesList: [new Uint8Array([1]), new Uint8Array([2, 3])],
  color: 'GREEN',
  colors: ['RED', 'BLUE'],
} as const

describeDatabases(
  'REST client: field and id types',
  (db) => {
    let rest: ReturnType<typeof kitchenSinkClient>

    beforeEach(async () => {
      await db.fill(nothing)
      rest = kitchenSinkClient(fetchOf(db))
    })

    it('returns values of every type as they were written', async () => {
      const created = await rest.scalars.create({ ...SCALARS, jsons: [...SCALARS.jsons] })
      expect(created).toMatchObject(SCALARS)
      expect(await rest.scalars.get(BigInt(created.id))).toMatchObject(SCALARS)
      expect(created.touchedAt).toBeInstanceOf(Date)
      const changed = await rest.scalars.update(created.id, {
        big: 5,
        decimal: 1.25,
        at: '2026-01-01',
        texts: [],
        json: null,
      })
      expect(changed).toMatchObject({ big: 5n, decimal: '1.25', at: new Date('2026-01-01'), texts: [], json: null })
    })

    it('filters by values of every type', async () => {
      const { id } = await rest.scalars.create({ ...SCALARS, jsons: [...SCALARS.jsons] })
      const { text, big, bigOpt, float, floatOpt, decimal, at, bytes, color, flag } = SCALARS
      const filters = [
        { text },
        { text: [text, 'other'] },
        { big, bigOpt: [bigOpt, 3], float, floatOpt },
        { decimal, at, bytes, color, flag },
        { decimal: { gte: decimal }, at: { lte: at.toISOString() } },
        { bigs: { hasEvery: [1n, 2n ** 60n] }, ats: { has: new Date(0) } },
        { texts: { hasSome: ['nope', 'y,z'] }, colors: { has: ['GREEN', 'RED'] as const }, ints: { isEmpty: false } },
        { json: json(SCALARS.json), textOpt: null, atOpt: { isNull: true } },
        { bytesList: { has: new Uint8Array([2, 3]) }, decimals: { has: ['9', '1.5'] } },
        { id: { lte: BigInt(id) } },
      ]
      for (const filter of filters) expect((await rest.scalars.list({ filter })).map((one) => one.id)).toEqual([id])
      for (const filter of [
        { text: 'a' },
        { big: 9007199254740992n },
        { json: json({ a: [1] }) },
        { atOpt: { isNull: false } },
      ])
        expect(await rest.scalars.list({ filter })).toHaveLength(0)
    })

    it('decodes Decimals with the decimal option', async () => {
      const client = createRestClient<KitchenSink, { digits: string }>({
        url: URL,
        fetch: fetchOf(db),
        decimal: (digits) => ({ digits }),
      })
      const created = await client.decimalKey.create({ amount: '1.50', label: 'x' })
      expect([created.id, created.amount]).toEqual(['1.5', { digits: '1.5' }])
    })

    it('encodes ids of every type and ids with special characters', async () => {
      const day = new Date('2024-02-29T00:00:00Z')
      const key = await rest.compoundKey.create({ tenant: 'ten_ant/ü', day, number: 9007199254740993n, label: 'x' })
      expect(key.id).toBe('ten%5Fant/ü_2024-02-29T00:00:00.000Z_9007199254740993')
      const line = await rest.compoundLine.create({ order: key }, { include: ['order'] })
      expect([line.order.label, line.number]).toEqual(['x', 9007199254740993n])
      expect((await rest.compoundLine.list({ filter: { order: key.id } })).total).toBe(1)
      expect((await rest.compoundKey.related(key.id, 'lines')).map(({ id }) => id)).toEqual([line.id])
      expect((await rest.compoundKey.update(key.id, { label: 'y' })).label).toBe('y')
      for (const word of ['..', '', 'a/b?c#d%', '%', 'a,b', 'ü ']) {
        const { id } = await rest.keyword.create({ word })
        expect((await rest.keyword.get(id)).word).toBe(word)
        expect((await rest.keyword.list({ filter: { id: [id, 'nope'] } })).map((one) => one.word)).toEqual([word])
        await rest.keyword.delete(id)
      }
      const uuid = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
      expect((await rest.uuidKey.create({ id: uuid, name: 'x' })).id).toBe(uuid)
      expect((await rest.dateKey.create({ day })).id).toBe('2024-02-29T00:00:00.000Z')
      expect((await rest.bytesKey.create({ hash: new Uint8Array([251, 255]), label: 'x' })).id).toBe('+/8=')
      expect((await rest.bytesKey.get('+/8=')).hash).toEqual(new Uint8Array([251, 255]))
    })

    it('reads and writes self-relations, one-to-one relations and cycles', async () => {
      const [ann, ben] = [await rest.person.create({ name: 'Ann' }), await rest.person.create({ name: 'Ben' })]
      await rest.person.update(ann.id, { mentor: ben, partner: ben, follows: [ann, ben], locker: null })
      await rest.passport.create({ number: 'P1', holder: ann })
      const include = ['mentor.mentees.mentor', 'follows', 'passport.holder', 'partner.partnerOf'] as const
      const person = await rest.person.get(ann.id, { include: [...include] })
      expect(person.mentor?.mentees[0]).toBe(person)
      expect(person.partner?.partnerOf).toBe(person)
      expect(person.passport?.holder).toBe(person)
      expect(person.follows.map(({ name }) => name)).toEqual(['Ann', 'Ben'])
      await rest.person.relationship(ben.id, 'mentees').remove([ann.id])
      expect((await rest.person.get(ann.id)).mentor).toBeNull()
    })
  },
  { fixture: 'kitchen-sink' },
)
