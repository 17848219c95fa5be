import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { type Answer, fixtureClient, type RestClient } from './support/client.js'
import { fillVersions } from './support/versions.js'

const account = (attributes: object, id = '1') => ({ data: { type: 'account', id, attributes } })
const tagOf = ({ headers }: Answer): string => headers.get('ETag') ?? ''
const revisionOf = (answer: Answer): string => /^"(\d+)/.exec(tagOf(answer))?.[1] ?? ''

describeDatabases(
  'REST: conditional requests',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.fill(fillVersions)
      rest = fixtureClient(db)
    })

    const stored = () => db.orm.account.findUniqueOrThrow({ where: { id: 1 } })

    it('tells the revision of a resource in its tag and in its meta, and lets it be kept', async () => {
      const answer = await rest.get('/account/1')
      expect(tagOf(answer)).toMatch(/^"1\.[a-z\d]+"$/)
      expect(answer.headers.get('Cache-Control')).toBe('private, no-cache')
      expect(answer.one.meta).toEqual({ version: '1' })
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
    ])('tells the same revision and another tag with %s, each time the same', async (query) => {
      const answer = await rest.get(`/account/1${query}`)
      expect(revisionOf(answer)).toBe('1')
      expect(tagOf(await rest.get(`/account/1${query}`))).toBe(tagOf(answer))
      if (query !== '') expect(tagOf(answer)).not.toBe(tagOf(await rest.get('/account/1')))
    })

    it.each<[string, string, () => Promise<unknown>]>([
      ['the row', '', () => rest.patch('/account/1', account({ balance: 1 }))],
      [
        'a related row that has a revision',
        '?include=bank',
        () => db.orm.bank.update({ where: { id: 1 }, data: { city: 'Bern' } }),
      ],
      [
        'a related row that has none',
        '?include=entries',
        () => db.orm.entry.update({ where: { id: 1 }, data: { text: 'x' } }),
      ],
      [
        'which rows are related',
        '?include=entries',
        () => db.orm.entry.update({ where: { id: 3 }, data: { accountId: 1 } }),
      ],
    ])('answers 304 until %s changes', async (_what, query, change) => {
      const path = `/account/1${query}`
      const tag = tagOf(await rest.get(path))
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const answer = await rest.get(path, { 'If-None-Match': known })
        expect([answer.status, answer.text, tagOf(answer)]).toEqual([304, '', tag])
      }
      await change()
      expect((await rest.get(path, { 'If-None-Match': tag })).status).toBe(200)
    })

    it('tells no revision that a fieldset could hide', async () => {
      const { one } = await rest.get('/account/1?fields[account]=name')
      expect([one.attributes, one.meta]).toEqual([{ name: 'one' }, { version: '1' }])
    })

    describe('changes', () => {
      it('are made of the revision that is named, and of no other', async () => {
        const first = await rest.get('/account/1?include=bank')
        const changed = await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': tagOf(first) })
        expect([changed.status, revisionOf(changed), changed.one.attributes?.['version']]).toEqual([200, '2', 2])
        const late = await rest.patch('/account/1', account({ balance: 7 }), { 'If-Match': tagOf(first) })
        expect([late.status, late.errors[0]?.code]).toEqual([412, 'precondition-failed'])
        expect(late.errors[0]?.source).toEqual({ header: 'If-Match' })
        expect(await stored()).toMatchObject({ balance: 5, version: 2 })
        expect(tagOf(await rest.get('/account/1'))).toBe(tagOf(changed))
      })

      it('count without a condition too, by PATCH and by PUT, by an upsert, and by what changes nothing', async () => {
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

      it.each<[string, (headers: Record<string, string>) => Promise<Answer>]>([
        ['PUT', (headers) => rest.put('/account/1', account({ balance: 1 }), headers)],
        [
          'with a relationship',
          (headers) =>
            rest.patch(
              '/account/1',
              { data: { type: 'account', id: '1', relationships: { bank: { data: { type: 'bank', id: '2' } } } } },
              headers,
            ),
        ],
        [
          'with a list',
          (headers) =>
            rest.patch(
              '/account/1',
              { data: { type: 'account', id: '1', relationships: { entries: { data: [] } } } },
              headers,
            ),
        ],
        ['a relationship', (headers) => rest.patch('/account/1/relationships/bank', { data: null }, headers)],
        [
          'a list that is replaced',
          (headers) => rest.patch('/account/1/relationships/entries', { data: [{ type: 'entry', id: '3' }] }, headers),
        ],
        [
          'members that are added',
          (headers) => rest.post('/account/1/relationships/entries', { data: [{ type: 'entry', id: '3' }] }, headers),
        ],
        [
          'members that are removed',
          (headers) => rest.delete('/account/1/relationships/entries', { data: [{ type: 'entry', id: '1' }] }, headers),
        ],
        [
          'members of a table between',
          (headers) => rest.post('/account/1/relationships/holders', { data: [{ type: 'holder', id: '1' }] }, headers),
        ],
        ['through the owner', (headers) => rest.patch('/bank/1/accounts/1', account({ balance: 9 }), headers)],
        [
          'through the row that leads to it',
          (headers) => rest.patch('/entry/1/account', account({ balance: 9 }), headers),
        ],
      ])('%s: compare the revision, and count', async (_what, send) => {
        expect((await send({ 'If-Match': '"7"' })).status).toBe(412)
        expect(await db.orm.entry.count({ where: { accountId: 1 } })).toBe(2)
        expect(await stored()).toMatchObject({ balance: 0, version: 1, bankId: 1 })
        const done = await send({ 'If-Match': '"0", "1.other"' })
        expect([done.status, revisionOf(done)]).toEqual([200, '2'])
        expect((await send({ 'If-Match': '"1"' })).status).toBe(412)
        expect((await send({})).status).toBe(200)
        expect((await stored()).version).toBe(3)
      })

      it('that delete compare the revision', async () => {
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '"2"' })).status).toBe(412)
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '"1"' })).status).toBe(204)
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '"1"' })).status).toBe(404)
        expect((await rest.delete('/account/2', undefined, { 'If-Match': '*' })).status).toBe(404)
      })

      it('compare the revisions of rows with compound ids', async () => {
        const seat = { data: { type: 'seat', id: '1_2', attributes: { guest: 'Ann' } } }
        expect((await rest.patch('/seat/1_2', seat, { 'If-Match': '"1"' })).status).toBe(412)
        expect((await rest.patch('/seat/1_2', seat, { 'If-Match': '"0"' })).status).toBe(200)
        expect((await rest.delete('/seat/1_2', undefined, { 'If-Match': '"0"' })).status).toBe(412)
        expect((await rest.delete('/seat/1_2', undefined, { 'If-Match': '"1"' })).status).toBe(204)
      })

      it('tell what is not there from what is of another revision', async () => {
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
        ['a weak tag', 'W/"1"', 412],
        ['a tag that is none of ours', '"x-1"', 412],
        ['an empty tag', '""', 412],
        ['a number with a sign', '"+1"', 412],
        ['a number with a zero', '"01"', 412],
        ['a number that no row can have', '"99999999999999999999"', 412],
        ['any', '*', 200],
        ['several', '"0.a" , W/"x","1.zz"', 200],
        ['no quotes', '1', 400],
        ['nothing', '', 400],
        ['a comma alone', ',', 400],
        ['a comma too many', '"1",', 400],
        ['an open quote', '"1', 400],
        ['a hundred tags and one', Array.from({ length: 101 }, () => '"1"').join(','), 400],
      ])('with %s in If-Match', async (_what, tag, status) => {
        const answer = await rest.patch('/account/1', account({ balance: 1 }), { 'If-Match': tag })
        expect(answer.status).toBe(status)
        if (status === 400) expect(answer.errors[0]?.source).toEqual({ header: 'If-Match' })
      })

      it('with If-None-Match are made of other revisions only', async () => {
        expect((await rest.patch('/account/1', account({}), { 'If-None-Match': '*' })).status).toBe(412)
        expect((await rest.patch('/account/1', account({}), { 'If-None-Match': '"1.x"' })).status).toBe(412)
        expect((await rest.patch('/account/1', account({}), { 'If-None-Match': '"2"' })).status).toBe(200)
        const both = { 'If-Match': '"2", "3"', 'If-None-Match': '"2"' }
        expect((await rest.patch('/account/1', account({}), both)).status).toBe(412)
      })

      it('of what has no revisions are refused where one is named', async () => {
        const entry = { data: { type: 'entry', id: '1', attributes: { text: 'x' } } }
        const refused = await rest.patch('/entry/1', entry, { 'If-Match': '"1"' })
        expect([refused.status, refused.errors[0]?.detail]).toEqual([
          412,
          '"entry" has no versions, so no tag fits it. Leave the condition out.',
        ])
        expect((await rest.delete('/entry/1', undefined, { 'If-Match': '"1"' })).status).toBe(412)
        expect((await rest.patch('/entry/9', { data: { ...entry.data, id: '9' } }, { 'If-Match': '"1"' })).status).toBe(
          404,
        )
        expect((await rest.patch('/entry/1', entry, { 'If-Match': '*' })).status).toBe(200)
      })

      it('are made of the version that a resource says it was read with', async () => {
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

      it('of a time that no row can have are refused for it', async () => {
        for (const time of ['8640000000000000', '-1', '253402300800000']) {
          const bank = { data: { type: 'bank', id: '1', attributes: { city: 'x' } } }
          expect((await rest.patch('/bank/1', bank, { 'If-Match': `"${time}"` })).status, time).toBe(412)
        }
      })

      it('of a time that is yet to come choose no version by naming it', async () => {
        const city = (name: string) => ({ data: { type: 'bank', id: '1', attributes: { city: name } } })
        const latest = 253_402_300_799_999
        const both = `${tagOf(await rest.get('/bank/1'))}, "${latest - 1}"`
        expect((await rest.patch('/bank/1', city('Bern'), { 'If-Match': both })).status).toBe(200)
        const { updatedAt } = await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })
        expect(updatedAt.getTime()).toBeLessThan(Date.now() + 1000)
        // One that is there all the same, written by something else, is not the last.
        await db.orm.bank.update({ where: { id: 1 }, data: { updatedAt: new Date(latest) } })
        const tag = tagOf(await rest.get('/bank/1'))
        expect((await rest.patch('/bank/1', city('Basel'), { 'If-Match': tag })).status).toBe(200)
        expect((await rest.patch('/bank/1', city('Zug'), { 'If-Match': tag })).status).toBe(412)
      })

      it('cannot write the version', async () => {
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

      it('tell the tag of what they made', async () => {
        const made = await rest.post('/account', { data: { type: 'account', attributes: { name: 'new' } } })
        expect([made.status, revisionOf(made)]).toEqual([201, '1'])
        expect(tagOf(await rest.get(`/account/${made.one.id}`))).toBe(tagOf(made))
      })

      it('insert only with If-None-Match: *', async () => {
        const only = { 'If-None-Match': '*' }
        expect((await rest.post('/account', upsert('one', 5), only)).status).toBe(412)
        expect((await stored()).balance).toBe(0)
        expect((await rest.post('/account', upsert('new', 5), only)).status).toBe(201)
      })

      it('update only with If-Match', async () => {
        expect((await rest.post('/account', upsert('one', 5), { 'If-Match': '"2"' })).status).toBe(412)
        expect((await rest.post('/account', upsert('one', 5), { 'If-Match': '"1"' })).status).toBe(200)
        expect((await rest.post('/account', upsert('new', 5), { 'If-Match': '"1"' })).status).toBe(412)
        expect((await rest.post('/account', upsert('new', 5), { 'If-Match': '*' })).status).toBe(412)
        expect(await db.orm.account.count()).toBe(2)
        const created = { data: { type: 'account', attributes: { name: 'new' } } }
        expect((await rest.post('/account', created, { 'If-Match': '"1"' })).status).toBe(412)
      })
    })

    describe('a version that is required', () => {
      const bank = (city: string) => ({ data: { type: 'bank', id: '1', attributes: { city } } })

      it('has changes say what they were made of', async () => {
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

      it('is not said by what a change is not made of, and not where members would be moved by another', async () => {
        expect((await rest.patch('/bank/1', bank('Bern'), { 'If-None-Match': '"nonsense"' })).status).toBe(428)
        expect((await rest.delete('/bank/1', undefined, { 'If-None-Match': '"nonsense"' })).status).toBe(428)
        const moved = { data: [{ type: 'deposit', id: '1' }] }
        expect((await rest.post('/account/2/relationships/deposits', moved)).status).toBe(403)
        const both = { data: { type: 'account', id: '2', relationships: { deposits: moved } } }
        expect((await rest.patch('/account/2', both)).status).toBe(403)
        expect(await db.orm.deposit.count({ where: { accountId: 1 } })).toBe(1)
        const own = { data: { type: 'account', id: '2' } }
        expect((await rest.patch('/deposit/1/relationships/account', own)).status).toBe(428)
        expect((await rest.patch('/deposit/1/relationships/account', own, { 'If-Match': '"1"' })).status).toBe(200)
      })

      it('is not said by an identifier, whose version is that of another resource', async () => {
        const { type, id, meta } = (await rest.get('/account/2')).one
        const linked = { data: { type, id, meta } }
        expect((await rest.patch('/deposit/1/relationships/account', linked)).status).toBe(428)
        // Nor is it asked for, where it would be compared with what it is not about.
        expect((await rest.patch('/entry/1/relationships/account', linked)).status).toBe(200)
        const { data } = (await rest.get('/bank/2')).body
        expect((await rest.patch('/account/1/relationships/bank', { data })).status).toBe(200)
        expect(await stored()).toMatchObject({ bankId: 2, version: 2 })
        const told = { ...linked, meta: { version: '1' } }
        expect((await rest.patch('/deposit/1/relationships/account', told)).status).toBe(200)
      })

      it('changes with each change, however soon', async () => {
        const seen = new Set<string>()
        let tag = tagOf(await rest.get('/bank/1'))
        for (let at = 0; at < 20; at++) {
          const answer = await rest.patch('/bank/1', bank(`City ${at}`), { 'If-Match': tag })
          expect(answer.status).toBe(200)
          seen.add(revisionOf(answer))
          expect((await rest.patch('/bank/1', bank('late'), { 'If-Match': tag })).status).toBe(412)
          tag = tagOf(answer)
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

    it('tells answers apart whose attributes an extension makes for each caller', async () => {
      const tagFor = async (caller: string) => {
        const notes = { needs: { id: true }, compute: () => `for ${caller}` } as const
        const orm = db.orm.$extends({ result: { account: { notes } } })
        return tagOf(await fixtureClient({ orm, routes: db.routes }).get('/account/1'))
      }
      expect(await tagFor('ann')).not.toBe(await tagFor('ben'))
      expect(await tagFor('ann')).toBe(await tagFor('ann'))
    })

    it('tells the version alone where no more is shown', async () => {
      const minimal = await rest.patch('/account/1', account({ balance: 1 }), { Prefer: 'return=minimal' })
      expect(tagOf(minimal)).toBe('"2"')
    })

    it('says of a read which revision must be there', async () => {
      expect((await rest.get('/account/1', { 'If-Match': '"2"' })).status).toBe(412)
      expect((await rest.get('/account/1', { 'If-Match': '"1"' })).status).toBe(200)
      const related = await rest.get('/account/1/bank')
      expect(revisionOf(related)).toMatch(/^\d{13}$/)
      expect((await rest.get('/account/1/bank', { 'If-None-Match': tagOf(related) })).status).toBe(304)
    })

    it('asks the database for nothing more where the row is changed by one statement', async () => {
      const plain = await db.queriesOf(() => rest.patch('/account/1', account({ balance: 1 })))
      const met = await db.queriesOf(() => rest.patch('/account/1', account({ balance: 2 }), { 'If-Match': '"2"' }))
      if (db.provider !== 'mysql') expect(met.length).toBe(plain.length)
      expect(met.length).toBeLessThanOrEqual(plain.length + 1)
    })
  },
  { fixture: 'versions' },
)
