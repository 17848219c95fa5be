import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/shards/expected/policy.js'
import { fixtureRpc } from '../rpc/client.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

const TENANTS = [1, 2]
const article = (tenantId: number) => ({ connect: { tenantId_id: { tenantId, id: 1 } } })
const KEY = { tenantId: 1, articleId: 1, tagId: 1 }
const where = { tenantId_articleId_tagId: KEY }
const taggings = (...ids: readonly number[]) => ids.map((tagId) => ({ tenantId_articleId_tagId: { ...KEY, tagId } }))

/** Writes that connect taggings of tenant 1 to the article of tenant 2. */
const RPC: readonly (readonly [model: string, operation: string, args: object])[] = [
  ['tagging', 'update', { where, data: { tenantId: 2 } }],
  ['tagging', 'update', { where, data: { article: article(2) } }],
  ['tagging', 'update', { where, data: { article: article(2), tag: {} } }],
  ['tagging', 'update', { where, data: { article: article(2), tag: { update: {} } } }],
  ['article', 'update', { where: article(2).connect, data: { taggings: { connect: taggings(1) } } }],
  ['article', 'update', { where: article(2).connect, data: { taggings: { connect: taggings(1, 2) } } }],
  ['article', 'update', { where: article(2).connect, data: { taggings: { set: taggings(1) } } }],
]
const tagging = (tagId: number) => ({ type: 'tagging', id: `1_1_${tagId}` })
const REST: readonly (readonly [method: 'post' | 'patch', path: string, data: unknown])[] = [
  ['patch', '/tagging/1_1_1/relationships/article', { type: 'article', id: '2_1' }],
  ['post', '/article/2_1/relationships/taggings', [tagging(1)]],
  ['post', '/article/2_1/relationships/taggings', [tagging(1), tagging(2)]],
  ['patch', '/article/2_1/relationships/taggings', [tagging(1)]],
]

/** The foreign keys of a tagging to its article and its tag share the tenant. Connecting an article also changes the tag. */
describeDatabases(
  'policy: relations whose foreign keys share a field',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await db.orm.writer.createMany({ data: TENANTS.map((tenantId) => ({ tenantId, id: 1, name: 'w' })) })
      const row = { id: 1, slug: 's', title: 't', writerId: 1 }
      await db.orm.article.createMany({ data: TENANTS.map((tenantId) => ({ ...row, tenantId })) })
      const tags = [1, 2].flatMap((id) => TENANTS.map((tenantId) => ({ tenantId, id, word: 'w' })))
      await db.orm.tag.createMany({ data: tags })
      await db.orm.tagging.createMany({ data: [KEY, { ...KEY, tagId: 2 }] })
    })

    const policed = (tags: { readonly tenantId?: { readonly in: number[] } }) => {
      const { can, build } = abilityBuilder()
      can('manage', ['Writer', 'Article', 'Remark', 'Tagging'], { tenantId: { gt: 0 } })
      can('manage', 'Tag', tags)
      return db.orm.$extends(withPolicies(build()))
    }
    const restricted = () => policed({ tenantId: { in: [1] } })
    const keys = () => db.orm.tagging.findMany({ orderBy: { tagId: 'asc' } })

    it.each(RPC)('%s.%s %j: is rejected if the other row is unreadable or missing', async (...call) => {
      const before = await keys()
      const unreadable = await fixtureRpc(db, {}, restricted()).call(...call)
      expect(unreadable.status).toBe(409)
      await db.orm.tag.deleteMany({ where: { tenantId: 2 } })
      const missing = await fixtureRpc(db, {}, restricted()).call(...call)
      expect([missing.status, missing.body]).toEqual([409, unreadable.body])
      expect(await keys()).toEqual(before)
    })

    it.each(RPC)('%s.%s %j: is allowed if the other row is readable', async (...call) => {
      expect((await fixtureRpc(db, {}, policed({ tenantId: { in: [1, 2] } })).call(...call)).status).toBe(200)
    })

    it.each(REST)('%s %s %j: is rejected if the other row is unreadable', async (method, path, data) => {
      const before = await keys()
      const { status } = await fixtureClient({ orm: restricted(), routes: db.routes })[method](path, { data })
      expect([404, 409]).toContain(status)
      expect(await keys()).toEqual(before)
    })

    it.each<(typeof RPC)[number]>([
      ['tagging', 'create', { data: { article: article(2), tag: article(1) } }],
      ['tagging', 'create', { data: { tag: article(1), article: article(2) } }],
      ['tagging', 'update', { where, data: { article: article(2), tag: article(1) } }],
      ['article', 'update', { where: article(2).connect, data: { taggings: { create: { tag: article(1) } } } }],
    ])('%s.%s %j: rows with different values of the shared field cannot be connected', async (...call) => {
      const { status, body } = await fixtureRpc(db, {}, policed({ tenantId: { in: [1, 2] } })).call(...call)
      expect([status, body.message]).toEqual([409, expect.stringContaining('shares a field')])
    })

    it('a row can be created together with its relations in its own tenant', async () => {
      await db.orm.tagging.deleteMany()
      const data = { article: article(1), tag: article(1) }
      expect((await fixtureRpc(db, {}, restricted()).call('tagging', 'create', { data })).status).toBe(201)
      expect(await keys()).toEqual([KEY])
    })
  },
  { fixture: 'shards' },
)
