import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureClient, type RestClient } from './support/client.js'
import { fillVersions } from './support/versions.js'

const account = (attributes: object, id = '1') => ({ data: { type: 'account', id, attributes } })
const tagOf = ({ headers }: TestResponse): string => headers.get('ETag') ?? ''
const revisionOf = (response: TestResponse): string => /^"(\d+)/.exec(tagOf(response))?.[1] ?? ''

describeDatabases(
  'REST: conditional requests',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.fill(fillVersions)
      rest = fixtureClient(db)
    })

    const stored = () => db.orm.account.findUniqueOrThrow({ where: { id: 1 } })

    it('returns the version in ETag and meta, and allows caching only with revalidation', async () => {
      const response = await rest.get('/account/1')
      expect(tagOf(response)).toMatch(/^"1\.[a-z\d]+"$/)
      expect(response.headers.get('Cache-Control')).toBe('private, no-cache')
      expect(response.one.meta).toEqual({ version: '1' })
      expect((await rest.get('/account')).many.map(({ meta }) => meta)).toEqual([{ version: '1' }, { version: '1' }])
      const plain = await rest.get('/entry/1')
      expect([plain.headers.get('ETag'), plain.headers.get('Cache-Control')]).toEqual([null, 'private, no-store'])
    })

    it.each([
      '',
      '?include=bank',
      '?include=entries',
      '?fields[account]=name',
      '?fields[account]=balance&include=holders',
    ])('GET with query "%s": returns the same version and a stable ETag', async (query) => {
      const response = await rest.get(`/account/1${query}`)
      expect(revisionOf(response)).toBe('1')
      expect(tagOf(await rest.get(`/account/1${query}`))).toBe(tagOf(response))
      if (query !== '') expect(tagOf(response)).not.toBe(tagOf(await rest.get('/account/1')))
    })

    it.each<[string, string, () => Promise<unknown>]>([
      ['the row', '', () => rest.patch('/account/1', account({ balance: 1 }))],
      [
        'a related row with a version',
        '?include=bank',
        () => db.orm.bank.update({ where: { id: 1 }, data: { city: 'Bern' } }),
      ],
      [
        'a related row without a version',
        '?include=entries',
        () => db.orm.entry.update({ where: { id: 1 }, data: { text: 'x' } }),
      ],
      [
        'the set of related rows',
        '?include=entries',
        () => db.orm.entry.update({ where: { id: 3 }, data: { accountId: 1 } }),
      ],
    ])('%s: responds with 304 until it changes', async (_what, query, change) => {
      const path = `/account/1${query}`
      const tag = tagOf(await rest.get(path))
      for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const response = await rest.get(path, { 'If-None-Match': ifNoneMatch })
        expect([response.status, response.text, tagOf(response)]).toEqual([304, '', tag])
      }
      await change()
      expect((await rest.get(path, { 'If-None-Match': tag })).status).toBe(200)
    })

    it('returns meta.version even if the fieldset omits the version', async () => {
      const { one } = await rest.get('/account/1?fields[account]=name')
      expect([one.attributes, one.meta]).toEqual([{ name: 'one' }, { version: '1' }])
    })

    describe('writes', () => {
      it('rejects a stale If-Match with 412', async () => {
        const first = await rest.get('/account/1?include=bank')
        const changed = await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': tagOf(first) })
        expect([changed.status, revisionOf(changed), changed.one.attributes?.['version']]).toEqual([200, '2', 2])
        const late = await rest.patch('/account/1', account({ balance: 7 }), { 'If-Match': tagOf(first) })
        expect([late.status, late.errors[0]?.code]).toEqual([412, 'precondition-failed'])
        expect(late.errors[0]?.source).toEqual({ header: 'If-Match' })
        expect(await stored()).toMatchObject({ balance: 5, version: 2 })
        expect(tagOf(await rest.get('/account/1'))).toBe(tagOf(changed))
      })

      it('increments the version without a condition, even if no value changes', async () => {
        await rest.patch('/account/1', account({ balance: 5 }))
        await rest.put('/account/1', account({ balance: 6 }))
        const upsert = {
          data: { type: 'account', attributes: { name: 'one', balance: 7 } },
          meta: { operation: 'upsert', matchFields: ['name'] },
        }
        expect((await rest.post('/account', upsert)).status).toBe(200)
        await rest.patch('/account/1', account({}))
        expect(await stored()).toMatchObject({ balance: 7, version: 5 })
      })

      it.each<[string, (headers: Record<string, string>) => Promise<TestResponse>]>([
        ['PUT', (headers) => rest.put('/account/1', account({ balance: 1 }), headers)],
        [
          'PATCH with a to-one relationship',
          (headers) =>
            rest.patch(
              '/account/1',
              { data: { type: 'account', id: '1', relationships: { bank: { data: { type: 'bank', id: '2' } } } } },
              headers,
            ),
        ],
        [
          'PATCH with a to-many relationship',
          (headers) =>
            rest.patch(
              '/account/1',
              { data: { type: 'account', id: '1', relationships: { entries: { data: [] } } } },
              headers,
            ),
        ],
        [
          'PATCH of a to-one relationship',
          (headers) => rest.patch('/account/1/relationships/bank', { data: null }, headers),
        ],
        [
          'PATCH of a to-many relationship',
          (headers) => rest.patch('/account/1/relationships/entries', { data: [{ type: 'entry', id: '3' }] }, headers),
        ],
        [
          'POST of members',
          (headers) => rest.post('/account/1/relationships/entries', { data: [{ type: 'entry', id: '3' }] }, headers),
        ],
        [
          'DELETE of members',
          (headers) => rest.delete('/account/1/relationships/entries', { data: [{ type: 'entry', id: '1' }] }, headers),
        ],
        [
          'POST of join table members',
          (headers) => rest.post('/account/1/relationships/holders', { data: [{ type: 'holder', id: '1' }] }, headers),
        ],
        ['PATCH through the owner', (headers) => rest.patch('/bank/1/accounts/1', account({ balance: 9 }), headers)],
        [
          'PATCH through a to-one relationship',
          (headers) => rest.patch('/entry/1/account', account({ balance: 9 }), headers),
        ],
      ])('%s: compares and increments the version', async (_what, send) => {
        expect((await send({ 'If-Match': '"7"' })).status).toBe(412)
        expect(await db.orm.entry.count({ where: { accountId: 1 } })).toBe(2)
        expect(await stored()).toMatchObject({ balance: 0, version: 1, bankId: 1 })
        const done = await send({ 'If-Match': '"0", "1.other"' })
        expect([done.status, revisionOf(done)]).toEqual([200, '2'])
        expect((await send({ 'If-Match': '"1"' })).status).toBe(412)
        expect((await send({})).status).toBe(200)
        expect((await stored()).version).toBe(3)
      })

      it('rejects DELETE with a stale If-Match with 412', async () => {
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '"2"' })).status).toBe(412)
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '"1"' })).status).toBe(204)
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '"1"' })).status).toBe(404)
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '*' })).status).toBe(404)
      })

      it('compares the versions of rows with compound ids', async () => {
        const seat = { data: { type: 'seat', id: '1_2', attributes: { guest: 'Ann' } } }
        expect((await rest.patch('/seat/1_2', seat, { 'If-Match': '"1"' })).status).toBe(412)
        expect((await rest.patch('/seat/1_2', seat, { 'If-Match': '"0"' })).status).toBe(200)
        expect((await rest.delete('/seat/1_2', undefined, { 'If-Match': '"0"' })).status).toBe(412)
        expect((await rest.delete('/seat/1_2', undefined, { 'If-Match': '"1"' })).status).toBe(204)
      })

      it('returns 404 for missing rows and 412 for stale versions', async () => {
        expect((await rest.patch('/account/9', account({}, '9'), { 'If-Match': '"1"' })).status).toBe(404)
        const missing = {
          data: { type: 'account', id: '1', relationships: { bank: { data: { type: 'bank', id: '9' } } } },
        }
        expect((await rest.patch('/account/1', missing, { 'If-Match': '"1"' })).status).toBe(404)
        expect((await rest.patch('/account/1', missing, { 'If-Match': '"2"' })).status).toBe(412)
        const member = { data: [{ type: 'entry', id: '9' }] }
        expect((await rest.post('/account/1/relationships/entries', member, { 'If-Match': '"1"' })).status).toBe(404)
        expect((await stored()).version).toBe(1)
      })

      it.each([
        ['weak tag (412)', 'W/"1"', 412],
        ['foreign tag (412)', '"x-1"', 412],
        ['empty tag (412)', '""', 412],
        ['number with a sign (412)', '"+1"', 412],
        ['number with a leading zero (412)', '"01"', 412],
        ['number out of range (412)', '"99999999999999999999"', 412],
        ['wildcard (200)', '*', 200],
        ['list with a match (200)', '"0.a" , W/"x","1.zz"', 200],
        ['tag without quotes (400)', '1', 400],
        ['empty header (400)', '', 400],
        ['single comma (400)', ',', 400],
        ['trailing comma (400)', '"1",', 400],
        ['unclosed quote (400)', '"1', 400],
        ['101 tags (400)', Array.from({ length: 101 }, () => '"1"').join(','), 400],
      ])('%s: evaluates If-Match', async (_what, tag, status) => {
        const response = await rest.patch('/account/1', account({ balance: 1 }), { 'If-Match': tag })
        expect(response.status).toBe(status)
        if (status === 400) expect(response.errors[0]?.source).toEqual({ header: 'If-Match' })
      })

      it('rejects an If-None-Match that matches the current version with 412', async () => {
        expect((await rest.patch('/account/1', account({}), { 'If-None-Match': '*' })).status).toBe(412)
        expect((await rest.patch('/account/1', account({}), { 'If-None-Match': '"1.x"' })).status).toBe(412)
        expect((await rest.patch('/account/1', account({}), { 'If-None-Match': '"2"' })).status).toBe(200)
        const both = { 'If-Match': '"2", "3"', 'If-None-Match': '"2"' }
        expect((await rest.patch('/account/1', account({}), both)).status).toBe(412)
      })

      it('rejects If-Match with 412 if the model has no versions', async () => {
        const entry = { data: { type: 'entry', id: '1', attributes: { text: 'x' } } }
        const rejected = await rest.patch('/entry/1', entry, { 'If-Match': '"1"' })
        expect([rejected.status, rejected.errors[0]?.detail]).toEqual([
          412,
          '"entry" has no versions, so no ETag matches. Omit the precondition.',
        ])
        expect((await rest.delete('/entry/1', undefined, { 'If-Match': '"1"' })).status).toBe(412)
        expect((await rest.patch('/entry/9', { data: { ...entry.data, id: '9' } }, { 'If-Match': '"1"' })).status).toBe(
          404,
        )
        expect((await rest.patch('/entry/1', entry, { 'If-Match': '*' })).status).toBe(200)
      })

      it('rejects a stale meta.version in the body with 412', async () => {
        const { one } = await rest.get('/account/1')
        const back = { data: { type: 'account', id: '1', attributes: { balance: 5 }, meta: one.meta } }
        expect((await rest.patch('/account/1', back)).status).toBe(200)
        const late = await rest.patch('/account/1', back)
        expect([late.status, late.errors[0]?.source]).toEqual([412, { pointer: '/data/meta/version' }])
        expect((await rest.patch('/account/1', { ...back, meta: { version: 2 } })).status).toBe(200)
        expect((await rest.patch('/account/1', back, { 'If-Match': '"3"' })).status).toBe(412)
        const copy = { data: { type: 'account', attributes: { name: 'copy' }, meta: one.meta } }
        expect((await rest.post('/account', copy)).status).toBe(201)
      })

      it('rejects If-Match with a timestamp out of range with 412', async () => {
        for (const time of ['8640000000000000', '-1', '253402300800000']) {
          const bank = { data: { type: 'bank', id: '1', attributes: { city: 'x' } } }
          expect((await rest.patch('/bank/1', bank, { 'If-Match': `"${time}"` })).status, time).toBe(412)
        }
      })

      it('does not advance the version to a future timestamp in If-Match', async () => {
        const city = (name: string) => ({ data: { type: 'bank', id: '1', attributes: { city: name } } })
        const latest = 253_402_300_799_999
        const both = `${tagOf(await rest.get('/bank/1'))}, "${latest - 1}"`
        expect((await rest.patch('/bank/1', city('Bern'), { 'If-Match': both })).status).toBe(200)
        const { updatedAt } = await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })
        expect(updatedAt.getTime()).toBeLessThan(Date.now() + 1000)
        // A row can still have the latest timestamp if something else wrote it. It stays updatable.
        await db.orm.bank.update({ where: { id: 1 }, data: { updatedAt: new Date(latest) } })
        const tag = tagOf(await rest.get('/bank/1'))
        expect((await rest.patch('/bank/1', city('Basel'), { 'If-Match': tag })).status).toBe(200)
        expect((await rest.patch('/bank/1', city('Zug'), { 'If-Match': tag })).status).toBe(412)
      })

      it('rejects the version attribute with 403', async () => {
        expect((await rest.patch('/account/1', account({ version: 9 }))).status).toBe(403)
        expect(
          (await rest.post('/account', { data: { type: 'account', attributes: { name: 'x', version: 9 } } })).status,
        ).toBe(403)
      })
    })

    describe('creates and upserts', () => {
      const upsert = (name: string, balance: number) => ({
        data: { type: 'account', attributes: { name, balance } },
        meta: { operation: 'upsert', matchFields: ['name'] },
      })

      it('returns the ETag of the created resource', async () => {
        const created = await rest.post('/account', { data: { type: 'account', attributes: { name: 'new' } } })
        expect([created.status, revisionOf(created)]).toEqual([201, '1'])
        expect(tagOf(await rest.get(`/account/${created.one.id}`))).toBe(tagOf(created))
      })

      it('rejects an upsert of an existing row with 412 under If-None-Match: *', async () => {
        const only = { 'If-None-Match': '*' }
        expect((await rest.post('/account', upsert('one', 5), only)).status).toBe(412)
        expect((await stored()).balance).toBe(0)
        expect((await rest.post('/account', upsert('new', 5), only)).status).toBe(201)
      })

      it('rejects an upsert with 412 if If-Match does not match a row', async () => {
        expect((await rest.post('/account', upsert('one', 5), { 'If-Match': '"2"' })).status).toBe(412)
        expect((await rest.post('/account', upsert('one', 5), { 'If-Match': '"1"' })).status).toBe(200)
        expect((await rest.post('/account', upsert('new', 5), { 'If-Match': '"1"' })).status).toBe(412)
        expect((await rest.post('/account', upsert('new', 5), { 'If-Match': '*' })).status).toBe(412)
        expect(await db.orm.account.count()).toBe(2)
        const created = { data: { type: 'account', attributes: { name: 'new' } } }
        expect((await rest.post('/account', created, { 'If-Match': '"1"' })).status).toBe(412)
      })
    })

    describe('required version', () => {
      const bank = (city: string) => ({ data: { type: 'bank', id: '1', attributes: { city } } })

      it('rejects writes without a version with 428', async () => {
        const missing = await rest.patch('/bank/1', bank('Bern'))
        expect([missing.status, missing.errors[0]?.code]).toEqual([428, 'precondition-required'])
        expect((await rest.delete('/bank/1')).status).toBe(428)
        expect((await rest.patch('/bank/1/relationships/accounts', { data: [] })).status).toBe(428)
        expect((await rest.patch('/account/1/bank', bank('Bern'))).status).toBe(428)
        const upsert = {
          data: { type: 'bank', attributes: { name: 'First', city: 'Bern' } },
          meta: { operation: 'upsert', matchFields: ['name'] },
        }
        expect((await rest.post('/bank', upsert)).status).toBe(428)
        expect((await rest.patch('/bank/1', bank('Bern'), { 'If-Match': '*' })).status).toBe(200)
      })

      it('rejects If-None-Match instead of If-Match with 428, and moved members with 403', async () => {
        expect((await rest.patch('/bank/1', bank('Bern'), { 'If-None-Match': '"nonsense"' })).status).toBe(428)
        expect((await rest.delete('/bank/1', undefined, { 'If-None-Match': '"nonsense"' })).status).toBe(428)
        const moved = { data: [{ type: 'deposit', id: '1' }] }
        expect((await rest.post('/account/2/relationships/deposits', moved)).status).toBe(403)
        const both = { data: { type: 'account', id: '2', relationships: { deposits: moved } } }
        expect((await rest.patch('/account/2', both)).status).toBe(403)
        expect(await db.orm.deposit.count({ where: { accountId: 1 } })).toBe(1)
        const identifier = { data: { type: 'account', id: '2' } }
        expect((await rest.patch('/deposit/1/relationships/account', identifier)).status).toBe(428)
        expect((await rest.patch('/deposit/1/relationships/account', identifier, { 'If-Match': '"1"' })).status).toBe(
          200,
        )
      })

      it('ignores meta.version of a resource identifier', async () => {
        const { type, id, meta } = (await rest.get('/account/2')).one
        const linked = { data: { type, id, meta } }
        expect((await rest.patch('/deposit/1/relationships/account', linked)).status).toBe(428)
        // No version is required if it would be compared with another resource.
        expect((await rest.patch('/entry/1/relationships/account', linked)).status).toBe(200)
        const { data } = (await rest.get('/bank/2')).body
        expect((await rest.patch('/account/1/relationships/bank', { data })).status).toBe(200)
        expect(await stored()).toMatchObject({ bankId: 2, version: 2 })
        const versionedLink = { ...linked, meta: { version: '1' } }
        expect((await rest.patch('/deposit/1/relationships/account', versionedLink)).status).toBe(200)
      })

      it('changes with each of 20 rapid writes', async () => {
        const seen = new Set<string>()
        let tag = tagOf(await rest.get('/bank/1'))
        for (let at = 0; at < 20; at++) {
          const response = await rest.patch('/bank/1', bank(`City ${at}`), { 'If-Match': tag })
          expect(response.status).toBe(200)
          seen.add(revisionOf(response))
          expect((await rest.patch('/bank/1', bank('late'), { 'If-Match': tag })).status).toBe(412)
          tag = tagOf(response)
        }
        expect(seen.size).toBe(20)
        const members = await rest.post(
          '/bank/1/relationships/accounts',
          { data: [{ type: 'account', id: '2' }] },
          { 'If-Match': tag },
        )
        expect(members.status).toBe(200)
        expect((await rest.delete('/bank/1', undefined, { 'If-Match': tag })).status).toBe(412)
        expect((await rest.delete('/bank/1', undefined, { 'If-Match': tagOf(members) })).status).toBe(204)
      })
    })

    it('returns different ETags if an extension computes attributes per caller', async () => {
      const tagFor = async (caller: string) => {
        const notes = { needs: { id: true }, compute: () => `for ${caller}` } as const
        const orm = db.orm.$extends({ result: { account: { notes } } })
        return tagOf(await fixtureClient({ orm, routes: db.routes }).get('/account/1'))
      }
      expect(await tagFor('ann')).not.toBe(await tagFor('ben'))
      expect(await tagFor('ann')).toBe(await tagFor('ann'))
    })

    it('returns an ETag of only the version for return=minimal', async () => {
      const minimal = await rest.patch('/account/1', account({ balance: 1 }), { Prefer: 'return=minimal' })
      expect(tagOf(minimal)).toBe('"2"')
    })

    it('applies If-Match and If-None-Match to reads', async () => {
      expect((await rest.get('/account/1', { 'If-Match': '"2"' })).status).toBe(412)
      expect((await rest.get('/account/1', { 'If-Match': '"1"' })).status).toBe(200)
      const related = await rest.get('/account/1/bank')
      expect(revisionOf(related)).toMatch(/^\d{13}$/)
      expect((await rest.get('/account/1/bank', { 'If-None-Match': tagOf(related) })).status).toBe(304)
    })

    it('adds no query to a single-statement update, or at most one on MySQL', async () => {
      const plain = await db.queriesOf(() => rest.patch('/account/1', account({ balance: 1 })))
      const met = await db.queriesOf(() => rest.patch('/account/1', account({ balance: 2 }), { 'If-Match': '"2"' }))
      if (db.provider !== 'mysql') expect(met.length).toBe(plain.length)
      expect(met.length).toBeLessThanOrEqual(plain.length + 1)
    })
  },
  { fixture: 'versions' },
)
