import { AbilityBuilder, createMongoAbility } from '@casl/ability'
import { beforeEach, describe, expect, it } from 'vitest'

import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { tagResource } from '../../fixtures/blog/expected/tag/resource.js'
import { defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { createPolicies } from '../../runtime/policy/index.js'
import { fixtureClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

function rules(define: (builder: ReturnType<typeof abilityBuilder>) => void): AppAbility {
  const builder = abilityBuilder()
  define(builder)
  return builder.build()
}

/** Rules that allow updates only of accounts with a non-negative balance, and only of the balance and the relations. */
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
  'policy: version fields',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillVersions)
    })
    const under = (ability: AppAbility, options: object = {}) =>
      fixtureClient({ orm: db.orm.$extends(withPolicies(ability)), routes: db.routes }, options)
    const stored = (id = 1) => db.orm.account.findUniqueOrThrow({ where: { id } })

    it('bumps the version without a rule and rejects a stale version with 412', async () => {
      const rest = under(some)
      expect((await rest.patch('/account/1', account({ notes: 'x' }))).status).toBe(403)
      const done = await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })
      expect([done.status, done.headers.get('ETag')?.split('.')[0]]).toEqual([200, '"2'])
      expect((await rest.patch('/account/1', account({ balance: 6 }), { 'If-Match': '"1"' })).status).toBe(412)
      expect((await rest.delete('/account/1', undefined, { 'If-Match': '"1"' })).status).toBe(412)
      expect(await stored()).toMatchObject({ balance: 5, version: 2 })
      expect((await rest.delete('/account/2', undefined, { 'If-Match': '"1"' })).status).toBe(204)
    })

    it('bumps the version in relationship writes and rejects a stale one with 412', async () => {
      const rest = under(some)
      const entries = { data: [{ type: 'entry', id: '3' }] }
      for (const [method, version] of [['post', 1] as const, ['patch', 2] as const, ['delete', 3] as const]) {
        const path = '/account/1/relationships/entries'
        expect((await rest[method](path, entries, { 'If-Match': `"${version + 1}"` })).status, method).toBe(412)
        expect((await rest[method](path, entries, { 'If-Match': `"${version}"` })).status, method).toBe(200)
      }
      expect((await stored()).version).toBe(4)
    })

    it('responds with 403 to a denial and 412 to a stale version', async () => {
      await db.orm.account.update({ where: { id: 1 }, data: { balance: -1 } })
      const rest = under(some)
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).toBe(403)
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"9"' })).status).toBe(412)
    })

    it('bumps the version of rows that the inverse relationship moves', async () => {
      const tag = (await db.orm.bank.findUniqueOrThrow({ where: { id: 2 } })).updatedAt.getTime()
      const moved = { data: [{ type: 'account', id: '1' }] }
      const response = await under(some).post('/bank/2/relationships/accounts', moved, { 'If-Match': `"${tag}"` })
      expect(response.status).toBe(200)
      expect(await stored()).toMatchObject({ bankId: 2, version: 2 })
    })

    it('omits the ETag and rejects preconditions if the version is unreadable', async () => {
      const rest = under(
        rules(({ can, cannot }) => {
          can('manage', 'all')
          cannot('read', 'Account', ['version'])
        }),
      )
      const response = await rest.get('/account/1')
      expect([response.status, response.headers.get('ETag'), response.one.meta]).toEqual([200, null, undefined])
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).not.toBe(200)
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-None-Match': '"9"' })).status).not.toBe(200)
      expect((await stored()).balance).toBe(0)
      expect((await rest.patch('/account/1', account({ balance: 5 }))).status).toBe(200)
      expect((await stored()).version).toBe(2)
    })

    describe('timestamp version under rules on relations', () => {
      const WEEK = 7 * 24 * 60 * 60 * 1000
      const old = new Date(Date.now() - 2 * WEEK)
      const cutoff = new Date(Date.now() - WEEK)
      const isRelated = { accounts: { none: { name: 'nobody' } } }
      const ofBanks = (where: object) =>
        rules(({ can }) => {
          can('manage', 'Account')
          can('read', 'Bank')
          can(['update', 'delete'], 'Bank', where)
        })
      const bank = (id: number) => ({ data: { type: 'bank', id: `${id}`, attributes: { city: 'Rome' } } })
      const banks = () => db.orm.bank.findMany({ orderBy: { id: 'asc' } })
      const ifMatch = async (id: number) => {
        const { updatedAt } = await db.orm.bank.findUniqueOrThrow({ where: { id } })
        return { 'If-Match': `"${updatedAt.getTime()}"` }
      }
      beforeEach(async () => {
        await db.orm.bank.update({ where: { id: 1 }, data: { updatedAt: old } })
      })

      it('rejects a stale version with 412', async () => {
        const rest = under(ofBanks(isRelated))
        const before = await ifMatch(1)
        expect((await rest.patch('/bank/1', bank(1), before)).status).toBe(200)
        expect((await rest.patch('/bank/1', bank(1), before)).status).toBe(412)
        expect((await rest.delete('/bank/1', undefined, before)).status).toBe(412)
        expect((await rest.delete('/bank/1', undefined, await ifMatch(1))).status).toBe(204)
        expect(await banks()).toMatchObject([{ id: 2, city: null }])
      })

      it('evaluates rules with the version before the lock', async () => {
        const rest = under(ofBanks({ ...isRelated, updatedAt: { gte: cutoff } }))
        expect((await rest.patch('/bank/1', bank(1), await ifMatch(1))).status).toBe(403)
        expect((await rest.delete('/bank/1', undefined, await ifMatch(1))).status).toBe(403)
        expect((await rest.patch('/bank/2', bank(2), await ifMatch(2))).status).toBe(200)
        expect(await banks()).toMatchObject([
          { city: null, updatedAt: old },
          { city: 'Rome', updatedAt: expect.any(Date) },
        ])
      })

      for (const [what, rule, limit] of [
        ['a rule on a relation', isRelated, {}],
        ['a rule on a relation and a limit', isRelated, { limit: 5 }],
        ['a limit', { id: { gt: 0 } }, { limit: 5 }],
      ] as const) {
        it(`${what}: selects bulk rows by the version before the lock`, async () => {
          await db.orm.bank.create({ data: { id: 3, name: 'Third', updatedAt: old } })
          const orm = db.orm.$extends(withPolicies(ofBanks(rule)))
          const where = { updatedAt: { lt: cutoff } }
          const data = { city: 'Rome', updatedAt: old }
          expect(await orm.bank.updateMany({ where, data, ...limit })).toEqual({ count: 2 })
          expect((await banks()).map(({ city }) => city)).toEqual(['Rome', null, 'Rome'])
          expect(await orm.bank.deleteMany({ where, ...limit })).toEqual({ count: 2 })
          expect(await banks()).toMatchObject([{ id: 2, city: null }])
        })
      }
    })

    it('returns different ETags to callers who see different fields', async () => {
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

    it('bumps the version if a hook changes the data', async () => {
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

describeDatabases(
  'hooks: version fields',
  (db) => {
    beforeEach(() => db.fill(fillVersions))

    it.each([
      ['the current version', { version: 1 }],
      ['an increment', { version: { increment: 5 } }],
    ])('a hook that sets %s does not affect the version', async (_what, version) => {
      const hooks = defineHooks({
        Account: {
          update: {
            before: ({ data }) => ({ ...data, ...version }),
            many: { before: ({ data }) => ({ ...data, ...version }) },
          },
          delete: { replaceWith: () => ({ notes: 'gone', ...version }) },
        },
      })
      const rest = fixtureClient(db, { hooks })
      const stored = () => db.orm.account.findUniqueOrThrow({ where: { id: 1 } })
      expect((await rest.patch('/account/1', account({ balance: 5 }), { 'If-Match': '"1"' })).status).toBe(200)
      expect(await stored()).toMatchObject({ balance: 5, version: 2 })
      await fixtureRpc(db, { hooks }).result('account', 'updateMany', { where: { id: 1 }, data: { balance: 6 } })
      expect(await stored()).toMatchObject({ balance: 6, version: 3 })
      expect((await rest.delete('/account/1')).status).toBe(204)
      expect(await stored()).toMatchObject({ notes: 'gone', version: 4 })
    })
  },
  { fixture: 'versions' },
)

describeDatabases('policy: rows that are locked but not written', (db) => {
  it('does not change updatedAt', async () => {
    const updatedAt = new Date(0)
    await db.orm.post.create({ data: { id: 1, slug: 'a', title: 'A', updatedAt } })
    await db.orm.tag.create({ data: { name: 'x' } })
    const { can, build } = new AbilityBuilder(createMongoAbility)
    can('manage', 'Tag')
    can('read', 'Post')
    can('update', 'Post', { updatedAt })
    const orm = db.orm.$extends(createPolicies([postResource, tagResource])(build()))
    await orm.tag.update({ where: { name: 'x' }, data: { posts: { connect: { id: 1 } } } })
    const post = await db.orm.post.findUniqueOrThrow({ where: { id: 1 }, include: { tags: true } })
    expect(post).toMatchObject({ updatedAt, tags: [{ name: 'x' }] })
  })
})
