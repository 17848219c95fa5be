import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/blog/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from './support/blog.js'
import { type TestResponse, fixtureClient, type RestClient, restClient } from './support/client.js'

const CLIENTS = 16
const ROUNDS = runs(3)

/** Lists of members, one for each client. No two clients want the same member. */
function lists(ids: readonly string[]): string[][] {
  const size = Math.floor(ids.length / CLIENTS)
  return Array.from({ length: CLIENTS }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

/** Replaces members by all clients concurrently. Expects that each response and the final members are those of one client. */
async function race(
  wanted: readonly string[][],
  replace: (members: readonly string[]) => Promise<TestResponse>,
  left: () => Promise<readonly string[]>,
): Promise<void> {
  const all = wanted.map((members) => members.toSorted().join())
  for (let round = 0; round < ROUNDS; round++) {
    const responses = await Promise.all(wanted.map(replace))
    expect(responses.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(wanted.map(() => 200))
    expect(all).toContain((await left()).toSorted().join())
  }
}

const count = CLIENTS * 2
const names = Array.from({ length: count }, (_, index) => `t${index}`)
const numbers = names.map((_, index) => index + 100)
const identifiers = (type: string, ids: readonly string[]) => ids.map((id) => ({ type, id }))

describeDatabases('REST: concurrent replacements of members', (db) => {
  let rest: RestClient
  beforeEach(async () => {
    await db.reset()
    await fillBlog(db)
    rest = restClient(db)
    await db.orm.tag.createMany({ data: names.map((name) => ({ name })) })
    await db.orm.post.createMany({ data: numbers.map((id) => ({ id, slug: `p${id}`, title: 'x' })) })
    await db.orm.comment.createMany({ data: numbers.map((seq) => ({ postId: 2, seq, body: 'x' })) })
  })

  const members = (path: string) => async () => {
    const { body } = await rest.get(`${path}?page[limit]=200`)
    return Array.isArray(body.data) ? body.data.map(({ id }: { id: string }) => id) : []
  }

  it.each([
    ['many to many', '/post/1/relationships/tags', 'tag', names],
    ['many to many, string id', '/tag/tips/relationships/posts', 'post', numbers.map(String)],
    ['one to many', '/user/1/relationships/posts', 'post', numbers.map(String)],
    ['one to many, compound ids', '/user/1/relationships/comments', 'comment', numbers.map((seq) => `2_${seq}`)],
  ])('%s: stores the members of one request', async (_what, path, type, ids) => {
    await race(lists(ids), (some) => rest.patch(path, { data: identifiers(type, some) }), members(path))
  })

  it('stores the members of one request if clients update the resource', async () => {
    const replace = (some: readonly string[]) =>
      rest.patch('/post/1', { data: { type: 'post', relationships: { tags: { data: identifiers('tag', some) } } } })
    await race(lists(names), replace, members('/post/1/relationships/tags'))
  })

  it('stores the members of one of two requests', async () => {
    const replace = (some: readonly string[]) =>
      rest.patch('/user/1', {
        data: { type: 'user', id: '1', relationships: { posts: { data: identifiers('post', some) } } },
      })
    await race(lists(numbers.map(String)).slice(0, 2), replace, members('/user/1/relationships/posts'))
  })

  it.each([
    ['many to many', '/post/1/relationships/tags', 'tag', names],
    ['one to many', '/user/1/relationships/posts', 'post', numbers.map(String)],
  ])('%s: combines one replacement with concurrent additions and removals', async (_what, path, type, ids) => {
    const [added = [], removed = [], ...wanted] = lists(ids)
    const replaced = wanted.map((some) => [...some, ...removed])
    for (let round = 0; round < ROUNDS; round++) {
      const responses = await Promise.all([
        ...replaced.map((some) => rest.patch(path, { data: identifiers(type, some) })),
        ...added.map((id) => rest.post(path, { data: identifiers(type, [id]) })),
        ...removed.map((id) => rest.delete(path, { data: identifiers(type, [id]) })),
      ])
      expect(responses.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(responses.map(() => 200))
      const left = await members(path)()
      const others = left.filter((id) => !added.includes(id) && !removed.includes(id))
      expect(wanted.map((some) => some.toSorted().join())).toContain(others.toSorted().join())
    }
  })

  it('stores the members of one request if hooks run', async () => {
    let hookCalls = 0
    const after = () => void hookCalls++
    const hooked = restClient(db, { hooks: defineHooks({ Post: { update: { after } } }) })
    const path = '/user/1/relationships/posts'
    // Hooks make a write slower, so more clients wait for each other.
    const wanted = lists(numbers.map(String)).slice(0, 4)
    await race(wanted, (some) => hooked.patch(path, { data: identifiers('post', some) }), members(path))
    expect(hookCalls).toBeGreaterThan(0)
  })

  it('stores the members of one request if an upsert updates the resource', async () => {
    const data = { type: 'post', attributes: { slug: 'one', title: 'One' } }
    const replace = (some: readonly string[]) =>
      rest.post('/post', {
        data: { ...data, relationships: { tags: { data: identifiers('tag', some) } } },
        meta: { operation: 'upsert', matchFields: ['slug'] },
      })
    await race(lists(names), replace, members('/post/1/relationships/tags'))
  })

  it('keeps updatedAt and the spelling of the id', async () => {
    const before = await db.orm.post.findUniqueOrThrow({ where: { id: 1 } })
    const response = await rest.patch('/post/1/relationships/tags', { data: identifiers('tag', names) })
    expect(response.status).toBe(200)
    expect(await db.orm.post.findUniqueOrThrow({ where: { id: 1 } })).toEqual(before)
    // Some databases compare text case-insensitively.
    await rest.patch('/tag/TIPS/relationships/posts', { data: [] })
    expect(await db.orm.tag.count({ where: { name: { in: ['tips'] } } })).toBe(1)
    expect((await db.orm.tag.findMany()).map(({ name }) => name)).toContain('tips')
  })

  it('responds with 404 if the row does not exist', async () => {
    for (const path of ['/post/99', '/user/99']) {
      const name = path.startsWith('/post') ? 'tags' : 'comments'
      expect((await rest.patch(`${path}/relationships/${name}`, { data: [] })).status).toBe(404)
    }
  })
})

describeDatabases(
  'REST: concurrent replacements of members under policies',
  (db) => {
    const numbered = numbers.map((id) => ({ id, name: `l${id}`, organisationId: 1 }))
    beforeEach(async () => {
      await db.reset()
      await fillTenants(db)
      await db.orm.label.createMany({ data: numbered })
    })

    it.each([
      ['unconditional rules', false],
      ['conditional rules', true],
    ])('%s: stores the members of one request', async (_what, isNarrow) => {
      const { can, cannot, build } = abilityBuilder()
      can('manage', 'all')
      if (isNarrow) cannot('read', 'Label', { name: 'nobody' })
      const rest = fixtureClient({ orm: db.orm.$extends(withPolicies(build())), routes: db.routes })
      const path = '/document/1/relationships/labels'
      await race(
        lists(numbers.map(String)),
        (some) => rest.patch(path, { data: identifiers('label', some) }),
        async () =>
          (await db.orm.document.findUniqueOrThrow({ where: { id: 1 }, include: { labels: true } })).labels.map(
            ({ id }) => String(id),
          ),
      )
    })
  },
  { fixture: 'tenants' },
)
