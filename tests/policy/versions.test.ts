import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { describeDatabases } from '../support/databases.js'

function rules(define: (builder: ReturnType<typeof abilityBuilder>) => void): AppAbility {
  const builder = abilityBuilder()
  define(builder)
  return builder.build()
}

/** Callers of no account but those whose balance is not negative, of which they may write the balance and what belongs to it. */
const some = rules(({ can }) => {
  can('read', 'all')
  can('update', 'Account', ['balance', 'entries', 'holders', 'bank'], { balance: { gte: 0 } })
  can('update', 'Bank', ['city', 'accounts'], { id: { gt: 0 } })
  can('update', 'Entry')
  can('update', 'Holder')
  can('delete', 'Account', { balance: { gte: 0 } })
})

const account = (attributes: object, id = '1') => ({ data: { type: 'account', id, attributes } })

describeDatabases(
  'policy: versions',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillVersions)
    })
    const under = (ability: AppAbility, options: object = {}) =>
      fixtureClient({ orm: db.orm.$extends(withPolicies(ability)), routes: db.routes }, options)
    const stored = (id = 1) => db.orm.account.findUniqueOrThrow({ where: { id } })

    it('are counted where no rule lets them be written, and compared', async () => {
      const rest = under(some)
      expect((await rest.patch('/account/1', account({ notes: 'x' }))).status).toBe(403)
      const done = await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })
      expect([done.status, done.headers.get('ETag')?.split('.')[0]]).toEqual([200, '"2'])
      expect((await rest.patch('/account/1', account({ balance: 6 }), { 'If-Match': '"1"' })).status).toBe(412)
      expect((await rest.delete('/account/1', undefined, { 'If-Match': '"1"' })).status).toBe(412)
      expect(await stored()).toMatchObject({ balance: 5, version: 2 })
      expect((await rest.delete('/account/2', undefined, { 'If-Match': '"1"' })).status).toBe(204)
    })

    it('of relationships are counted and compared', async () => {
      const rest = under(some)
      const entries = { data: [{ type: 'entry', id: '3' }] }
      for (const [method, version] of [['post', 1] as const, ['patch', 2] as const, ['delete', 3] as const]) {
        const path = '/account/1/relationships/entries'
        expect((await rest[method](path, entries, { 'If-Match': `"${version + 1}"` })).status, method).toBe(412)
        expect((await rest[method](path, entries, { 'If-Match': `"${version}"` })).status, method).toBe(200)
      }
      expect((await stored()).version).toBe(4)
    })

    it('tell what the rules forbid from what has changed', async () => {
      await db.orm.account.update({ where: { id: 1 }, data: { balance: -1 } })
      const rest = under(some)
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).toBe(403)
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"9"' })).status).toBe(412)
    })

    it('of rows that are moved from the other side are counted too', async () => {
      const tag = (await db.orm.bank.findUniqueOrThrow({ where: { id: 2 } })).updatedAt.getTime()
      const moved = { data: [{ type: 'account', id: '1' }] }
      const answer = await under(some).post('/bank/2/relationships/accounts', moved, { 'If-Match': `"${tag}"` })
      expect(answer.status).toBe(200)
      expect(await stored()).toMatchObject({ bankId: 2, version: 2 })
    })

    it('that may not be read are not told, and nothing is of a revision then', async () => {
      const rest = under(
        rules(({ can, cannot }) => {
          can('manage', 'all')
          cannot('read', 'Account', ['version'])
        }),
      )
      const answer = await rest.get('/account/1')
      expect([answer.status, answer.headers.get('ETag'), answer.one.meta]).toEqual([200, null, undefined])
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).not.toBe(200)
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-None-Match': '"9"' })).status).not.toBe(200)
      expect((await stored()).balance).toBe(0)
      expect((await rest.patch('/account/1', account({ balance: 5 }))).status).toBe(200)
      expect((await stored()).version).toBe(2)
    })

    it('tell representations apart that show more to one caller than to another', async () => {
      const tag = async (ability: AppAbility, path: string) => (await under(ability).get(path)).headers.get('ETag')
      const blind = rules(({ can, cannot }) => {
        can('manage', 'all')
        cannot('read', 'Account', ['balance'])
      })
      for (const path of ['/account/1', '/account/1?include=bank', '/account/1?include=entries']) {
        expect(await tag(blind, path)).not.toBe(await tag(some, path))
      }
      expect(await tag(some, '/account/1')).toBe((await fixtureClient(db).get('/account/1')).headers.get('ETag'))
    })

    it('are counted whatever a hook makes of the data', async () => {
      const hooks = defineHooks({
        Account: {
          update: { before: () => ({ notes: 'by the hook' }) },
          delete: { replaceWith: () => ({ notes: 'gone' }) },
        },
      })
      const rest = fixtureClient(db, { hooks })
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).toBe(200)
      expect(await stored()).toMatchObject({ notes: 'by the hook', version: 2 })
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).toBe(412)
      expect((await rest.delete('/account/1', undefined, { 'If-Match': '"1"' })).status).toBe(412)
      expect((await rest.delete('/account/1', undefined, { 'If-Match': '"2"' })).status).toBe(204)
      expect(await stored()).toMatchObject({ notes: 'by the hook', version: 3 })
    })
  },
  { fixture: 'versions' },
)
