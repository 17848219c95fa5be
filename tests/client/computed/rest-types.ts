import { expectTypeOf } from 'vitest'

import { createRestClient, type RestFilter, type RestResource } from '../../../client/index.js'
import type { Prisma, PrismaClient } from '../../../fixtures/blog/client/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { type Computed, EXPOSED_FIELDS } from './computing.js'

/** Type tests: this code never runs. */
const rest = createRestClient<Api<Computed>, Prisma.Decimal>({ url: '/api', graph, decimal: (text) => text as never })
const plain = createRestClient<Api>({ url: '/api', graph })
const mapping = { Post: 'posts', User: 'people' } as const
const mapped = createRestClient<Api<Computed>, string, typeof mapping>({
  url: '/api',
  graph,
  modelNameMapping: mapping,
})
declare const bare: PrismaClient
const prisma = bare.$extends({ result: EXPOSED_FIELDS })

/** Computed fields are attributes. Their types are those of the Prisma client, if JSON:API transfers the values unchanged. */
export async function reads(): Promise<void> {
  const post = await rest.post.get(1)
  const direct = await prisma.post.findFirstOrThrow()
  expectTypeOf(post.excerpt).toEqualTypeOf(direct.excerpt)
  expectTypeOf(post.day).toEqualTypeOf(direct.day)
  expectTypeOf(post.size).toEqualTypeOf(direct.size)
  expectTypeOf(post.fee).toEqualTypeOf(direct.fee)
  expectTypeOf((await rest.user.get(1)).loud).toEqualTypeOf((await prisma.user.findFirstOrThrow()).loud)
  // In JSON, undefined becomes null.
  expectTypeOf(post.subtitle).toEqualTypeOf<string | null>()
  expectTypeOf(post.digest).toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf(post.home).toEqualTypeOf<string>()
  expectTypeOf({ ...post.details }).toEqualTypeOf<{
    title: string
    since: Date | null
    fees: Prisma.Decimal[]
    pair: readonly [bigint, string]
    none: undefined
  }>()

  const [listed] = await rest.post.list({ include: ['author', 'comments.author'] })
  expectTypeOf(listed?.author?.loud).toEqualTypeOf<string | null | undefined>()
  expectTypeOf(listed?.comments[0]?.author?.loud).toEqualTypeOf<string | null | undefined>()
  expectTypeOf((await rest.user.related(1, 'posts'))[0]?.excerpt).toEqualTypeOf<string | undefined>()
  expectTypeOf((await rest.post.related(1, 'author'))?.loud).toEqualTypeOf<string | null | undefined>()
  const linked = await rest.post.relationship(1, 'author').get({ include: ['author'], fields: { user: ['loud'] } })
  expectTypeOf(linked?.loud).toEqualTypeOf<string | null | undefined>()
  expectTypeOf<RestResource<Api<Computed>, 'Post', 'author'>['fee']>().toEqualTypeOf<string>()

  const fields = { post: ['excerpt', 'author'], user: ['loud'] } as const
  const sparse = await rest.post.get(1, { fields, include: ['author'] })
  expectTypeOf(sparse.excerpt).toEqualTypeOf<string>()
  expectTypeOf(sparse.author?.loud).toEqualTypeOf<string | null | undefined>()
  // @ts-expect-error The fieldset omits it.
  void sparse.title
  // @ts-expect-error The fieldset omits it.
  void sparse.day
  // @ts-expect-error The fieldset omits it.
  void sparse.author?.name
  const renamed = await mapped.post.get(1, { fields: { post: ['fee'] } })
  expectTypeOf(renamed.fee).toEqualTypeOf<string>()

  // Resources without computed fields keep their types.
  expectTypeOf(await rest.tag.get('a')).toEqualTypeOf(await plain.tag.get('a'))
  // @ts-expect-error The type of this client has no computed fields.
  void (await plain.post.get(1)).excerpt
}

/** Writes return computed fields too. */
export async function writes(): Promise<void> {
  const created = await rest.post.create({ slug: 'a', title: 'b' }, { fields: { post: ['excerpt'] } })
  expectTypeOf(created.excerpt).toEqualTypeOf<string>()
  expectTypeOf((await rest.post.update(1, { title: 'b' })).size).toEqualTypeOf<bigint>()
  expectTypeOf((await rest.post.upsert({ slug: 'a', title: 'b' }, { match: 'slug' })).day).toEqualTypeOf<Date>()
  const [user, post] = await rest.$operations([
    rest.user.create.call({ email: 'a', password: 'b' }),
    rest.post.update.call(1, { title: 'b' }),
  ])
  expectTypeOf(user.loud).toEqualTypeOf<string | null>()
  expectTypeOf(post.excerpt).toEqualTypeOf<string>()
}

/** Usages that the server rejects. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error It cannot be used in a filter.
  await rest.user.list({ filter: { loud: 'ANN' } })
  // @ts-expect-error It cannot be used in a filter.
  await rest.user.list({ filter: { email: 'a', loud: { contains: 'A' } } })
  // @ts-expect-error It cannot be used in a filter.
  await rest.post.list({ filter: { author: { email: 'a', loud: 'ANN' } } })
  // @ts-expect-error It cannot be used in a filter.
  await rest.user.list({ filter: { OR: [{ email: 'a' }, { name: 'b', loud: 'ANN' }] } })
  // @ts-expect-error It cannot be used in a filter.
  await rest.user.list({ include: ['posts'], lists: { posts: { filter: { title: 'a', excerpt: 'O' } } } })
  // @ts-expect-error It cannot be used in a filter.
  const filter: RestFilter<Api<Computed>, 'User'> = { email: 'a', loud: 'ANN' }
  void filter
  // @ts-expect-error It cannot be used in an order.
  await rest.user.list({ sort: ['loud'] })
  // @ts-expect-error It cannot be used in an order.
  await rest.user.list({ sort: ['email', '-loud'] })
  // @ts-expect-error It cannot be used in an order.
  await rest.post.list({ sort: ['author.loud'] })
  // @ts-expect-error It does not support full-text search.
  await rest.post.list({ fullText: { fields: ['title', 'excerpt'], search: 'fox' } })
  // @ts-expect-error It is not a relation.
  await rest.post.list({ include: ['excerpt'] })
  // @ts-expect-error It belongs to another model.
  await rest.post.list({ fields: { post: ['title', 'loud'] } })
  // @ts-expect-error It is hidden.
  await rest.user.list({ fields: { user: ['email', 'hint'] } })
  // @ts-expect-error It is hidden.
  void (await rest.user.get(1)).hint
  // @ts-expect-error It cannot be written.
  await rest.user.create({ email: 'a', password: 'b', loud: 'A' })
  // @ts-expect-error It cannot be written.
  await rest.user.update(1, { name: 'a', loud: 'A' })
  // @ts-expect-error It cannot be written.
  rest.user.update.call(1, { name: 'a', loud: 'A' })
  // @ts-expect-error It cannot be used in a filter.
  await rest.post.upsert({ slug: 'a', title: 'b' }, { match: 'excerpt' })
}
