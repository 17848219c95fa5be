import { beforeEach, describe, expect, it } from 'vitest'

import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureClient, type RestClient } from './support/client.js'

/** For tests on an empty database: resetting empty tables takes longer than most of these tests. */
const nothing = () => Promise.resolve()

describeDatabases(
  'REST: all kinds of ids, fields and relations',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.fill(nothing)
      rest = fixtureClient(db)
    })

    describe('ids', () => {
      it.each([
        ['uuidkey', '3f2504e0-4f89-11d3-9a0c-0305e82c3301', { name: 'x' }],
        ['datekey', '2024-02-29T12:30:00.123Z', {}],
        ['enumkey', 'GREEN', { label: 'x' }],
        ['decimalkey', '12345678901234567890.5', { label: 'x' }],
        ['byteskey', 'AP8H/+8=', { label: 'x' }],
        ['flagkey', 'true', { label: 'x' }],
        ['keyword', 'a_b', {}],
        ['keyword', '..', {}],
        ['keyword', '', {}],
        ['keyword', '%', {}],
        ['keyword', '%.', {}],
        ['keyword', 'ü/? #&%41+', {}],
        ['namedkey', '7_a%5Fb%25', { c: 1, email: 'e' }],
        ['compoundkey', 'ten%5Fant_2024-02-29T00:00:00.000Z_9007199254740993', { label: 'x' }],
        ['uniqueonly', 'c', { label: 'x' }],
        ['compounduniqueonly', 'north_5', { label: 'x' }],
      ])('%s: accepts the id "%s" in bodies, links and URLs', async (type, text, attributes) => {
        // The three values that a URL cannot contain have a leading percent sign.
        const id = type === 'keyword' && (['', '.', '..'].includes(text) || text.startsWith('%')) ? `%${text}` : text
        const created = await rest.post(`/${type}`, { data: { type, id, attributes } })
        expect([created.status, created.one?.id]).toEqual([201, id])
        const read = await rest.follow(created.headers.get('Location'))
        expect([read.status, read.one.id]).toEqual([200, id])
        expect(
          (await rest.get(`/${type}?filter[id]=${encodeURIComponent(id.replaceAll(/[\\,]/g, '\\$&'))}`)).ids,
        ).toEqual([id])
        expect((await rest.patch(`/${type}/${encodeURIComponent(id)}`, { data: { type, id } })).status).toBe(200)
        expect((await rest.delete(`/${type}/${encodeURIComponent(id)}`)).status).toBe(204)
      })

      it('returns distinct ids for distinct rows', async () => {
        await db.orm.namedKey.createMany({
          data: [
            { a: 1, b: '2_3', c: 1, email: 'a' },
            { a: 1, b: '2%5F3', c: 2, email: 'b' },
          ],
        })
        const { many } = await rest.get('/namedkey?sort=c')
        expect(many.map(({ id }) => id)).toEqual(['1_2%5F3', '1_2%255F3'])
        for (const { links, attributes } of many) {
          expect((await rest.follow(links?.self)).one.attributes).toEqual(attributes)
        }
      })

      it.each([
        '/enumkey/r',
        '/flagkey/1',
        '/datekey/today',
        '/byteskey/!',
        '/decimalkey/x',
        '/namedkey/1_a_b',
        '/namedkey/1_%255f',
        // Other spellings of existing ids
        '/datekey/2024-02-29',
        '/datekey/2024-02-29T00:00:00Z',
        '/datekey/2024-02-29T01:00:00.000%2B01:00',
        '/decimalkey/1.50',
        '/decimalkey/01.5',
        '/decimalkey/15e-1',
        '/decimalkey/-0',
        '/byteskey/AB==',
        '/uuidkey/3F2504E0-4F89-11D3-9A0C-0305E82C3301',
      ])('%s: responds with 404 for an invalid id or another spelling', async (path) => {
        await db.orm.dateKey.create({ data: { day: new Date('2024-02-29') } })
        await db.orm.decimalKey.createMany({ data: [1.5, 0].map((amount) => ({ amount, label: 'x' })) })
        await db.orm.bytesKey.create({ data: { hash: new Uint8Array([0]), label: 'x' } })
        await db.orm.uuidKey.create({ data: { id: '3f2504e0-4f89-11d3-9a0c-0305e82c3301', name: 'x' } })
        expect((await rest.get(path)).status).toBe(404)
      })

      it('normalizes the id of a created resource', async () => {
        for (const [type, spelling, id] of [
          ['datekey', '2024-02-29', '2024-02-29T00:00:00.000Z'],
          ['decimalkey', '01.50', '1.5'],
          ['decimalkey', '25e-2', '0.25'],
          ['uuidkey', '3F2504E0-4F89-11D3-9A0C-0305E82C3301', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
        ] as const) {
          const attributes = { datekey: {}, decimalkey: { label: 'x' }, uuidkey: { name: 'x' } }[type]
          const created = await rest.post(`/${type}`, { data: { type, id: spelling, attributes } })
          expect([created.status, created.one?.id]).toEqual([201, id])
          expect((await rest.follow(created.headers.get('Location'))).status).toBe(200)
        }
      })

      it('accepts a compound unique in externalIdMapping', async () => {
        const mapped = fixtureClient(db, { externalIdMapping: { NamedKey: 'b_c' } })
        await db.orm.namedKey.create({ data: { a: 1, b: 'x_y', c: 2, email: 'a' } })
        expect((await mapped.get('/namedkey')).ids).toEqual(['x%5Fy_2'])
        expect((await mapped.get('/namedkey/x%255Fy_2')).one.attributes).toMatchObject({ a: 1, b: 'x_y', c: 2 })
      })

      it('throws if externalIdMapping names a nullable or unknown unique', async () => {
        expect(() => fixtureClient(db, { externalIdMapping: { NamedKey: 'cd' } })).toThrow(/"d" may be null/)
        expect(() => fixtureClient(db, { externalIdMapping: { NamedKey: 'code' } })).toThrow(/"code" may be null/)
        expect(() => fixtureClient(db, { externalIdMapping: { NamedKey: 'nope' } })).toThrow(/Unique keys: ab, .*email/)
        // Why: several rows may have the same values, but an id must identify one row.
        const twins = [1, 2].map((a) => ({ a, b: `${a}`, c: 5, d: null, email: `${a}` }))
        expect((await db.orm.namedKey.createMany({ data: twins })).count).toBe(2)
      })
    })

    const VALUES = {
      text: 'a',
      texts: ['a', 'b,c'],
      flags: [true, false],
      ints: [1, 2],
      big: '9007199254740993',
      bigs: ['9007199254740993'],
      float: 1.5,
      floats: [0.5],
      decimal: '1234567890.1234',
      decimals: ['1.5'],
      at: '2024-01-01T00:00:00.000Z',
      ats: ['2024-01-01T00:00:00.000Z'],
      json: { a: [1] },
      jsonOpt: null,
      jsons: [{ a: 1 }],
      bytes: 'AP8=',
      bytesList: ['AP8=', ''],
      color: 'GREEN',
      colors: ['RED', 'BLUE'],
    }

    it('stores and returns fields and lists of each type', async () => {
      const created = await rest.post('/scalars', { data: { type: 'scalars', attributes: VALUES } })
      expect(created.status).toBe(201)
      expect(created.one.attributes).toMatchObject(VALUES)
      expect(created.body.meta?.serialization?.values).toMatchObject({
        'data.attributes.big': ['bigint'],
        'data.attributes.bigs.0': ['bigint'],
        'data.attributes.decimals.0': [['custom', 'Decimal']],
        'data.attributes.ats.0': ['Date'],
        'data.attributes.bytesList.1': [['custom', 'Bytes']],
      })
      const filled = {
        textOpt: 't',
        flagOpt: true,
        intOpt: 0,
        bigOpt: '1',
        floatOpt: 0,
        decimalOpt: '0.5',
        atOpt: '2024-01-01T00:00:00.000Z',
        jsonOpt: { a: null },
        bytesOpt: '',
        colorOpt: 'BLUE',
        texts: [],
        bigs: [],
      }
      const updated = await rest.patch('/scalars/1', { data: { type: 'scalars', attributes: filled } })
      expect(updated.one.attributes).toMatchObject(filled)
      const cleared = Object.fromEntries(
        Object.keys(filled)
          .filter((name) => name.endsWith('Opt'))
          .map((name) => [name, null]),
      )
      expect(
        (await rest.patch('/scalars/1', { data: { type: 'scalars', attributes: cleared } })).one.attributes,
      ).toMatchObject(cleared)
    })

    it('stores null in a required Json field as the JSON value null', async () => {
      const created = await rest.post('/scalars', { data: { type: 'scalars', attributes: { ...VALUES, json: null } } })
      expect([created.status, created.one.attributes?.['json']]).toEqual([201, null])
    })

    it.each([
      ['filter[texts$has]=a', 1],
      ['filter[texts$has]=b\\,c', 1],
      ['filter[texts$has]=x', 0],
      ['filter[texts$hasEvery]=a,b\\,c', 1],
      ['filter[texts$hasEvery]=a,x', 0],
      ['filter[texts$hasSome]=x,a', 1],
      ['filter[texts$hasSome]=x', 0],
      ['filter[texts$isEmpty]=false', 1],
      ['filter[texts$isEmpty]=true', 0],
      ['filter[flags$has]=true', 1],
      ['filter[ints$has]=2', 1],
      ['filter[bigs$has]=9007199254740993', 1],
      ['filter[floats$has]=0.5', 1],
      ['filter[decimals$hasSome]=1.5', 1],
      ['filter[ats$has]=2024-01-01T00:00:00.000Z', 1],
      ['filter[colors$hasEvery]=RED,BLUE', 1],
      ['filter[bytesList$has]=AP8=', 1],
      ['filter[jsons$isEmpty]=false', 1],
      ['filter[json]={"a":[1]}', 1],
      ['filter[json]={"a":[2]}', 0],
      ['filter[flag]=false', 1],
      ['filter[flag]=true,false', 1],
      ['filter[big]=9007199254740993', 1],
      ['filter[big$lt]=9007199254740993', 0],
      ['filter[decimal]=1234567890.1234', 1],
      ['filter[decimal$gte]=1234567890.1235', 0],
      ['filter[float$lte]=1.5', 1],
      ['filter[bytes]=AP8=', 1],
      ['filter[color]=GREEN', 1],
      ['filter[database$lt]=ffffffff-ffff-ffff-ffff-ffffffffffff', 1],
      ['filter[text$search]=a', 0],
      ['filter[text$search]=words', 0],
      ['filter[text$icontains]=A', 1],
      ['filter[textOpt$isNull]=true', 1],
      ['filter[textOpt$isNull]=false', 0],
      ['filter[bytesOpt$isNull]=true', 1],
      ['filter[flagOpt$isNull]=true', 1],
      ['filter[colorOpt$isNull]=false', 0],
      ['filter[jsonOpt$isNull]=true', 1],
      ['filter[jsonOpt$isNull]=false', 0],
      ['filter[jsonOpt]=null', 1],
      ['filter[json]=null', 0],
      ['filter[json$isNull]=true', 0],
      ['filter[json$isNull]=false', 1],
      ['filter[texts$not$has]=nope', 1],
      ['filter[texts$not$isEmpty]=true', 1],
      ['filter[texts$not$isEmpty]=false', 0],
      ['filter[ints$not$hasSome]=2', 0],
      ['filter[jsonOpt$ne]={"a":1}', 1],
      ['filter[jsonOpt$ne]=null', 0],
      ['filter[json$ne]={"a":[1]}', 0],
      ['filter[json$ne]=null', 1],
      ['filter[flagOpt$ne]=true', 1],
      ['filter[flagOpt$ne]=true,false', 1],
      ['filter[bytesOpt$ne]=AP8=', 1],
      ['filter[colorOpt$notIn]=RED,GREEN', 1],
      ['filter[decimalOpt$not$between]=0,9', 1],
      ['filter[textOpt$not$icontains]=a', 1],
      ['filter[text$iequals]=A', 1],
      ['filter[text$iequals]=%25', 0],
      ['filter[database$ne]=ffffffff-ffff-ffff-ffff-ffffffffffff', 1],
      ["filter=not(equals(jsonOpt,'{}'))", 1],
      ["filter=not(has(texts,'nope'))", 1],
      ["filter=or(isEmpty(texts),hasSome(ints,'2'))", 1],
      ["filter=and(equals(big,'9007199254740993'),equals(flag,'false'),between(float,'1','2'))", 1],
    ])('%s: matches %i rows', async (query, count) => {
      await rest.post('/scalars', { data: { type: 'scalars', attributes: VALUES } })
      const response = await rest.get(
        `/scalars?${query.replaceAll('=', '%3D').replace('%3D', '=').replaceAll('+', '%2B')}`,
      )
      expect([response.status, response.status === 200 ? response.ids.length : response.text]).toEqual([200, count])
    })

    it.each([
      'filter[texts]=a',
      'filter[texts$contains]=a',
      'filter[json$gt]=1',
      'filter[text$isEmpty]=true',
      'filter[text$isNull]=true',
      'filter[texts$isNull]=true',
      'filter[jsons$isNull]=true',
      'sort=texts',
      'sort=json',
    ])('%s: rejects the query with 400', async (query) => {
      expect((await rest.get(`/scalars?${query}`)).status).toBe(400)
    })

    it.each(['filter[ints$has]=x', 'filter[texts$isEmpty]=yes', 'filter[colors$has]=r', 'filter[json]={'])(
      '%s: rejects the value with 422',
      async (query) => {
        expect((await rest.get(`/scalars?${query}`)).status).toBe(422)
      },
    )

    it('matches a NULL list with negated list functions', async () => {
      await rest.post('/scalars', { data: { type: 'scalars', attributes: VALUES } })
      await db.execute('UPDATE all_scalars SET texts = NULL')
      for (const filter of ["not(has(texts,'a'))", "not(hasSome(texts,'a'))", "not(hasEvery(texts,'a'))"]) {
        expect((await rest.get(`/scalars?${new URLSearchParams({ filter })}`)).ids).toHaveLength(1)
      }
    })

    it('finds words by full-text search and rejects a malformed search with 4xx', async () => {
      await db.orm.keyword.createMany({ data: [{ word: 'quick brown foxes' }, { word: 'lazy dogs' }] })
      expect((await rest.get('/keyword?filter[word$search]=fox')).ids).toEqual(['quick brown foxes'])
      expect((await rest.get('/keyword?filter[word$search]=fox+%7C+dog')).ids).toHaveLength(2)
      const wrong = await rest.get('/keyword?filter[word$search]=%26%26')
      expect(wrong.status).toBeGreaterThanOrEqual(400)
      expect(wrong.status).toBeLessThan(500)
    })

    it.each([
      ['scalars?filter[database$contains]=a', 400, 'unsupported-operator'],
      ['scalars?filter[database]=nope', 422, 'invalid-value'],
      ['scalars?filter[database$gt]=nope', 422, 'invalid-value'],
      ['uuidkey/nope', 404, 'not-found'],
    ])('%s: treats a text field as a UUID of the database', async (query, status, code) => {
      const response = await rest.get(`/${query}`)
      expect(response.status).toBe(status)
      expect(response.body.errors).toMatchObject([{ code }])
    })

    describe('relations', () => {
      beforeEach(async () => {
        for (const name of ['Ann', 'Ben', 'Cat']) await db.orm.person.create({ data: { name } })
      })
      const person = (id: number) => ({ type: 'person', id: String(id) })

      it('links a model to itself in both directions', async () => {
        await rest.patch('/person/2/relationships/mentor', { data: person(1) })
        await rest.post('/person/1/relationships/follows', { data: [person(2), person(3)] })
        const response = await rest.get('/person/1?include=mentees.mentor,follows.followers')
        expect(response.body.included?.map(({ id }) => id).sort()).toEqual(['2', '3'])
        expect((await rest.get('/person/3/relationships/followers')).ids).toEqual(['1'])
        const removed = await rest.delete('/person/3/relationships/followers', { data: [person(1)] })
        expect(removed.ids).toEqual([])
      })

      it('links one-to-one relations from both sides', async () => {
        await db.orm.locker.createMany({ data: [{}, {}] })
        const locker = (id: number) => ({ type: 'locker', id: String(id) })
        expect((await rest.patch('/person/1/relationships/locker', { data: locker(1) })).body.data).toEqual(locker(1))
        expect((await rest.patch('/person/1/relationships/locker', { data: locker(2) })).body.data).toEqual(locker(2))
        expect((await rest.get('/locker/1/owner')).body.data).toBeNull()
        expect((await rest.patch('/locker/2/relationships/owner', { data: person(2) })).body.data).toEqual(person(2))
        expect((await rest.patch('/person/2/relationships/locker', { data: null })).body.data).toBeNull()
        const again = await rest.patch('/person/2/relationships/locker', { data: null })
        expect([again.status, again.body.data]).toEqual([200, null])
        expect((await rest.get('/person/1?include=partner,partnerOf,locker')).body.included).toEqual([])
      })

      it('accepts null for an empty relationship and rejects emptying a required one with 403', async () => {
        const at = '/person/2/relationships/passport'
        const emptied = await rest.patch(at, { data: null })
        expect([emptied.status, emptied.body.data]).toEqual([200, null])
        const body = {
          data: { type: 'person', attributes: { name: 'B' }, relationships: { passport: { data: null } } },
        }
        expect((await rest.patch('/person/2', body)).status).toBe(200)
        await db.orm.passport.create({ data: { number: 'P2', holderId: 2 } })
        for (const [path, input, pointer] of [
          [at, { data: null }, '/data'],
          ['/person/2', body, '/data/relationships/passport/data'],
        ] as const) {
          const rejected = await rest.patch(path, input)
          expect([rejected.status, rejected.errors[0]?.source]).toEqual([403, { pointer }])
        }
        expect((await rest.patch('/person/99/relationships/passport', { data: null })).status).toBe(404)
      })

      it('rejects a relationship that contradicts the compound id with 422', async () => {
        await db.orm.course.create({ data: { code: 'C1' } })
        const enrol = (id: string, who: number, more: object = {}) =>
          rest.post('/enrolment', {
            data: { type: 'enrolment', id, relationships: { person: { data: person(who) }, ...more } },
          })
        const created = await enrol('1_C1', 1)
        expect([created.status, created.one?.id]).toEqual([201, '1_C1'])
        const other = await enrol('1_C1', 2)
        const pointer = '/data/relationships/person/data/id'
        expect([other.status, other.errors.map(({ source }) => source)]).toEqual([422, [{ pointer }]])
        const none = await rest.post('/enrolment', {
          data: { type: 'enrolment', id: '1_C1', relationships: { person: { data: null } } },
        })
        expect(none.errors[0]?.source).toEqual({ pointer: '/data/relationships/person/data' })
      })

      it('rejects unlinking a required row with 403 and taking it with 409', async () => {
        await db.orm.passport.create({ data: { number: 'P1', holderId: 1 } })
        await db.orm.passport.create({ data: { number: 'P2', holderId: 2 } })
        expect((await rest.patch('/person/1/relationships/passport', { data: null })).status).toBe(403)
        const taken = await rest.patch('/person/1/relationships/passport', { data: { type: 'passport', id: 'P2' } })
        expect([taken.status, (await rest.get('/person/1/relationships/passport')).body.data]).toEqual([
          409,
          { type: 'passport', id: 'P1' },
        ])
        // A person without a passport does not take one from its holder.
        const linked = await rest.patch('/person/3/relationships/passport', { data: { type: 'passport', id: 'P2' } })
        expect([linked.status, (await rest.get('/person/2/relationships/passport')).body.data]).toEqual([
          409,
          { type: 'passport', id: 'P2' },
        ])
      })

      it('links by a compound foreign key and by a unique that is not the id', async () => {
        const id = 't_2024-01-01T00:00:00.000Z_5'
        await rest.post('/compoundkey', { data: { type: 'compoundkey', id, attributes: { label: 'x' } } })
        const line = await rest.post('/compoundline', {
          data: { type: 'compoundline', relationships: { order: { data: { type: 'compoundkey', id } } } },
        })
        expect([line.status, line.one?.relationships?.['order']?.data]).toEqual([201, { type: 'compoundkey', id }])
        expect((await rest.get(`/compoundline?filter[order]=${id}`)).ids).toEqual(['1'])
        expect((await rest.get(`/compoundkey/${id}/lines`)).ids).toEqual(['1'])
        await db.orm.course.create({ data: { code: 'C1' } })
        const enrolment = await rest.post('/enrolment', {
          data: {
            type: 'enrolment',
            relationships: { person: { data: person(1) }, course: { data: { type: 'course', id: 1 } } },
          },
        })
        expect([enrolment.status, enrolment.one?.id]).toEqual([201, '1_C1'])
        expect(enrolment.one.relationships?.['course']?.data).toEqual({ type: 'course', id: '1' })
      })

      it('rejects emptying a relation with a required foreign key with 403', async () => {
        await db.orm.session.createMany({ data: [{ personId: 1 }, { personId: 1 }] })
        const sessions = [1, 2].map((id) => ({ type: 'session', id: String(id) }))
        const expectRejected = async (pending: Promise<TestResponse>) => {
          const { status, errors } = await pending
          expect([status, errors[0]?.code]).toEqual([403, 'relationship-required'])
        }
        await expectRejected(rest.patch('/session/1/relationships/person', { data: null }))
        await expectRejected(
          rest.patch('/session/1', { data: { type: 'session', relationships: { person: { data: null } } } }),
        )
        await expectRejected(rest.patch('/person/1/relationships/sessions', { data: sessions.slice(1) }))
        expect((await rest.delete('/person/1/relationships/sessions', { data: sessions })).status).toBe(403)
        expect((await rest.patch('/person/1/relationships/sessions', { data: sessions })).ids).toEqual(['1', '2'])
        expect((await rest.patch('/session/1/relationships/person', { data: person(2) })).status).toBe(200)
        expect(await db.orm.session.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
          { personId: 2 },
          { personId: 1 },
        ])
      })

      it('empties only the nullable parts of a compound foreign key', async () => {
        const key = { tenant: 't', day: new Date('2024-02-29'), number: 5n }
        await db.orm.compoundKey.create({ data: { ...key, label: 'x' } })
        for (const path of ['/seat/1/relationships/order', '/seat/1']) {
          await db.orm.seat.deleteMany()
          await db.orm.seat.create({ data: { id: 1, ...key } })
          const data = path === '/seat/1' ? { type: 'seat', relationships: { order: { data: null } } } : null
          expect((await rest.patch(path, { data })).status).toBe(200)
          expect(await db.orm.seat.findMany()).toEqual([{ id: 1, tenant: 't', day: null, number: null }])
        }
        // From the other end, the whole foreign key would become null.
        await db.orm.seat.updateMany({ data: key })
        const emptied = await rest.patch('/compoundkey/t_2024-02-29T00:00:00.000Z_5/relationships/seats', { data: [] })
        expect([emptied.status, emptied.errors[0]?.code]).toEqual([403, 'relationship-required'])
      })

      it('distinguishes two relations between the same models', async () => {
        const created = await rest.post('/document', {
          data: {
            type: 'document',
            attributes: { title: 'x', reviewerId: 2 },
            relationships: { author: { data: person(1) } },
          },
        })
        expect(created.one.attributes).toMatchObject({ authorId: 1, reviewerId: 2 })
        expect((await rest.get('/person/1/relationships/authored')).ids).toEqual(['1'])
        expect((await rest.get('/person/2/relationships/authored')).ids).toEqual([])
      })
    })

    it('accepts values for fields that the database generates', async () => {
      const database = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
      const values = { text: 'x', big: '1', float: 1, decimal: '1', json: {}, bytes: 'AA==' }
      const created = await rest.post('/scalars', { data: { type: 'scalars', attributes: { ...values, database } } })
      expect([created.status, created.one?.attributes?.['database']]).toEqual([201, database])
      const rpc = fixtureRpc(db)
      const other = await rpc.call('scalars', 'update', {
        where: { id: 1 },
        data: { database: '4f2504e0-4f89-11d3-9a0c-0305e82c3301' },
      })
      expect([other.status, other.body.data]).toMatchObject([200, { database: '4f2504e0-4f89-11d3-9a0c-0305e82c3301' }])
      expect((await rpc.call('scalars', 'create', { data: { ...values, database } })).status).toBe(201)
      expect((await rpc.call('scalars', 'create', { data: { ...values, id: 99 } })).status).toBe(403)
    })

    it('upserts by a client-generated id', async () => {
      const id = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
      const body = (name: string) => ({
        data: { type: 'uuidkey', id, attributes: { name } },
        meta: { operation: 'upsert', matchFields: ['id'] },
      })
      expect((await rest.post('/uuidkey', body('a'))).status).toBe(201)
      const updated = await rest.post('/uuidkey', body('b'))
      expect([updated.status, updated.one]).toMatchObject([200, { id, attributes: { name: 'b' } }])
    })

    it('rejects writes to views with 405', async () => {
      const response = await rest.post('/personstats', { data: { type: 'personstats' } })
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
    })

    it('rejects creates that Prisma does not support with 405', async () => {
      const response = await rest.post('/requiredunsupported', {
        data: { type: 'requiredunsupported', attributes: { label: 'x' } },
      })
      expect(response.status).toBe(405)
    })
  },
  { fixture: 'kitchen-sink' },
)
