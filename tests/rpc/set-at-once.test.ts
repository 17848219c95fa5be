import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { ANN, fillBlog } from '../rest/support/blog.js'
import { rpcClient, type RpcClient } from './client.js'

const CLIENTS = 16
const ROUNDS = runs(10)

const names = Array.from({ length: CLIENTS * 2 }, (_, index) => `t${index}`)
const numbers = names.map((_, index) => index + 100)

/** Lists of members, one for each client: what one of them wants, no other wants. */
function lists<T>(ids: readonly T[]): T[][] {
  return Array.from({ length: CLIENTS }, (_, index) => ids.slice(index * 2, index * 2 + 2))
}

const named = (some: readonly string[]) => some.map((name) => ({ name }))

/** How a client sets members: the model, the operation, and the arguments. */
type Set<T> = (members: readonly T[], client: number) => readonly [string, string, object]

/** Sets members by all clients at once, and holds what is left, and each answer, against what one client asked for. */
async function race<T>(
  rpc: RpcClient,
  wanted: readonly (readonly T[])[],
  set: Set<T>,
  left: () => Promise<readonly T[]>,
): Promise<void> {
  const all = wanted.map((members) => members.toSorted().join())
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(wanted.map((members, client) => rpc.call(...set(members, client))))
    expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(wanted.map(() => 200))
    expect(all).toContain((await left()).toSorted().join())
  }
}

describeDatabases('RPC: members that are set by many clients at once', (db) => {
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

  it('are those of one request: many to many', async () => {
    await race(rpc, lists(names), direct, tagsOf('one'))
  })

  it('are those of one request: one to many', async () => {
    const posts = async () => (await db.orm.post.findMany({ where: { authorId: ANN } })).map(({ id }) => id)
    const change: Set<number> = (some) => {
      return ['user', 'update', { where: { id: ANN }, data: { posts: { set: some.map((id) => ({ id })) } } }]
    }
    await race(rpc, lists(numbers), change, posts)
  })

  it('are those of one request, through whichever rows it names their owner', async () => {
    const change: Set<string> = (some, client) => (ways[client % ways.length] ?? direct)(some, client)
    await race(rpc, lists(names), change, tagsOf('one'))
  })

  it('are those of one request where one of them creates their owner', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const slug = `new-${round}`
      const wanted = lists(names)
      const answers = await Promise.all(
        wanted.map((some) => {
          const create = { slug, title: 'x', tags: { connect: named(some) } }
          return rpc.call('post', 'upsert', { where: { slug }, create, update: set(some) })
        }),
      )
      expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(wanted.map(() => 200))
      expect(wanted.map((some) => some.toSorted().join())).toContain((await tagsOf(slug)()).toSorted().join())
    }
  })
})
