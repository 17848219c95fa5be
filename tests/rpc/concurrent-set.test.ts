import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/tenants/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillTenants } from '../policy/support/two-tenants.js'
import { ANN, fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { fixtureRpc, rpcClient, type RpcClient } from './client.js'

const CLIENTS = 16
const ROUNDS = runs(3)

const names = Array.from({ length: CLIENTS * 2 }, (_, index) => `t${index}`)
// Higher than any counter of the database.
const numbers = names.map((_, index) => index + 10_000)

/** Lists of members, one for each client. No two clients want the same member. */
function lists<T>(ids: readonly T[]): T[][] {
  return Array.from({ length: CLIENTS }, (_, index) => ids.slice(index * 2, index * 2 + 2))
}

const named = (some: readonly string[]) => some.map((name) => ({ name }))

/** The call of a client that sets members: the model, the operation and the arguments. */
type Set<T> = (members: readonly T[], client: number) => readonly [string, string, object]

/** Sets members by all clients concurrently. Expects that each response and the final members are those of one client. */
async function race<T>(
  rpc: RpcClient,
  wanted: readonly (readonly T[])[],
  set: Set<T>,
  left: () => Promise<readonly T[]>,
): Promise<void> {
  const all = wanted.map((members) => members.toSorted().join())
  for (let round = 0; round < ROUNDS; round++) {
    const responses = await Promise.all(wanted.map((members, client) => rpc.call(...set(members, client))))
    expect(responses.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(wanted.map(() => 200))
    expect(all).toContain((await left()).toSorted().join())
  }
}

describeDatabases('RPC: concurrent set of members', (db) => {
  let rpc: RpcClient
  beforeEach(async () => {
    await db.reset()
    await fillBlog(db)
    rpc = rpcClient(db)
    await db.orm.tag.createMany({ data: named(names) })
    await db.orm.post.createMany({ data: numbers.map((id) => ({ id, slug: `p${id}`, title: 'x' })) })
  })

  const tagsOf = (slug: string) => async () => {
    const { tags } = await db.orm.post.findUniqueOrThrow({ where: { slug }, select: { tags: true } })
    return tags.map(({ name }) => name)
  }
  const set = (some: readonly string[]) => ({ tags: { set: named(some) } })
  const direct: Set<string> = (some) => ['post', 'update', { where: { slug: 'one' }, data: set(some) }]
  const throughItsAuthor: Set<string> = (some) => {
    const posts = {
      update: [
        { where: { id: 1 }, data: set(some) },
        { where: { slug: 'two' }, data: { title: 'Two' } },
      ],
    }
    return ['user', 'update', { where: { id: ANN }, data: { posts } }]
  }
  const throughAComment: Set<string> = (some) => {
    const data = { post: { update: set(some) } }
    return ['comment', 'update', { where: { postId_seq: { postId: 1, seq: 2 } }, data }]
  }
  const upserted: Set<string> = (some) => {
    const create = { slug: 'one', title: 'One', tags: { connect: named(some) } }
    return ['post', 'upsert', { where: { slug: 'one' }, create, update: set(some) }]
  }
  const nested: Set<string> = (some) => {
    const create = { slug: 'one', title: 'One' }
    const posts = { upsert: { where: { id: 1 }, create, update: set(some) } }
    return ['user', 'update', { where: { email: 'ann@example.org' }, data: { posts } }]
  }
  const ways = [direct, throughItsAuthor, throughAComment, upserted, nested]

  it('keeps the members of exactly one request in a many-to-many relation', async () => {
    await race(rpc, lists(names), direct, tagsOf('one'))
  })

  it('keeps the members of exactly one request in a one-to-many relation', async () => {
    const posts = async () => (await db.orm.post.findMany({ where: { authorId: ANN } })).map(({ id }) => id)
    const change: Set<number> = (some) => {
      return ['user', 'update', { where: { id: ANN }, data: { posts: { set: some.map((id) => ({ id })) } } }]
    }
    await race(rpc, lists(numbers), change, posts)
  })

  it('keeps the members of exactly one request on different paths to the owner', async () => {
    const change: Set<string> = (some, client) => (ways[client % ways.length] ?? direct)(some, client)
    await race(rpc, lists(names), change, tagsOf('one'))
  })

  it('keeps the members of exactly one request if an upsert creates the owner', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const slug = `new-${round}`
      const wanted = lists(names)
      const responses = await Promise.all(
        wanted.map((some) => {
          const create = { slug, title: 'x', tags: { connect: named(some) } }
          return rpc.call('post', 'upsert', { where: { slug }, create, update: set(some) })
        }),
      )
      expect(responses.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(wanted.map(() => 200))
      expect(wanted.map((some) => some.toSorted().join())).toContain((await tagsOf(slug)()).toSorted().join())
    }
  })
})

describeDatabases(
  'RPC: concurrent set of members under policies and hooks',
  (db) => {
    const numbered = numbers.map((id) => ({ id, name: `l${id}`, organisationId: 1 }))
    beforeEach(async () => {
      await db.reset()
      await fillTenants(db)
      await db.orm.label.createMany({ data: numbered })
    })

    const set = (some: readonly number[]) => ({ labels: { set: some.map((id) => ({ id })) } })
    const direct: Set<number> = (some) => ['document', 'update', { where: { id: 1 }, data: set(some) }]
    const throughItsAuthor: Set<number> = (some) => {
      const documents = { update: { where: { id: 1 }, data: set(some) } }
      return ['member', 'update', { where: { email: 'one@alpha' }, data: { documents } }]
    }
    const upserted: Set<number> = (some) => {
      const create = { title: 'x', projectId: 1, authorId: 1 }
      return ['document', 'upsert', { where: { id: 1 }, create, update: { ...set(some), views: { increment: 1 } } }]
    }
    const ways = [direct, throughItsAuthor, upserted]

    const everything = () => {
      const builder = abilityBuilder()
      builder.can('manage', 'all')
      return builder
    }
    const narrow = () => {
      const builder = everything()
      builder.cannot('read', 'Label', { name: 'nobody' })
      return builder
    }
    const updatedIds: unknown[] = []
    const hooks = defineHooks({ Document: { update: { after: ({ row }) => void updatedIds.push(row.id) } } })
    const idle = defineHooks({ Secret: { update: { after: () => undefined } } })

    it.each([
      ['unconditional rules', everything, {}],
      ['rules with conditions', narrow, {}],
      ['hooks on the model', undefined, { hooks }],
      ['hooks on another model', undefined, { hooks: idle }],
      ['rules with conditions and hooks on the model', narrow, { hooks }],
    ])('%s: keeps the members of exactly one request', async (_what, rules, options) => {
      const orm = rules ? db.orm.$extends(withPolicies(rules().build())) : db.orm
      const rpc = fixtureRpc(db, options, orm)
      const left = async () => {
        const { labels } = await db.orm.document.findUniqueOrThrow({ where: { id: 1 }, include: { labels: true } })
        return labels.map(({ id }) => id)
      }
      const before = updatedIds.length
      await race(rpc, lists(numbers), (some, client) => (ways[client % ways.length] ?? direct)(some, client), left)
      expect(updatedIds.length > before).toBe('hooks' in options && options.hooks === hooks)
    })

    it('keeps the members of exactly one request if an upsert creates the owner', async () => {
      const rpc = fixtureRpc(db, {}, db.orm.$extends(withPolicies(narrow().build())))
      await db.orm.document.createMany({ data: numbers.map((id) => ({ id, title: 'x', projectId: 1, authorId: 1 })) })
      const wanted = lists(numbers)
      for (let round = 0; round < ROUNDS; round++) {
        const name = `new-${round}`
        const responses = await Promise.all(
          wanted.map((some) => {
            const members = some.map((id) => ({ id }))
            const create = { name, organisationId: 1, documents: { connect: members } }
            return rpc.call('label', 'upsert', { where: { name }, create, update: { documents: { set: members } } })
          }),
        )
        expect(responses.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(wanted.map(() => 200))
        const { documents } = await db.orm.label.findUniqueOrThrow({ where: { name }, include: { documents: true } })
        expect(wanted.map(String)).toContain(
          documents
            .map(({ id }) => id)
            .toSorted()
            .join(),
        )
      }
    })
  },
  { fixture: 'tenants' },
)
