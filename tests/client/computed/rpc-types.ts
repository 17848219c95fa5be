import { expectTypeOf } from 'vitest'

import { createRpcClient } from '../../../client/index.js'
import type { Prisma, PrismaClient } from '../../../fixtures/blog/client/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { type Computed, EXPOSED_FIELDS } from './computing.js'

/** Type tests: this code never runs. */
const api = createRpcClient<Api<Computed>, Prisma.Decimal>({ url: '/api', decimal: (text) => text as never })
const plain = createRpcClient<Api>({ url: '/api' })
declare const bare: PrismaClient<never, { user: { password: true } }>
/** A Prisma client with the same computed fields. */
const prisma = bare.$extends({ result: EXPOSED_FIELDS })

/** Fields whose values arrive with another type, for example a URL as a string. */
interface Changed {
  digest: Uint8Array<ArrayBuffer>
  home: string
  details: {
    readonly title: string
    readonly since: Date | null
    readonly fees: Prisma.Decimal[]
    readonly pair: readonly [bigint, string]
    readonly none: undefined
  }
}

/** Reads return the computed fields of the Prisma client. */
export async function reads(): Promise<void> {
  const post = await api.post.findFirstOrThrow()
  const direct = await prisma.post.findFirstOrThrow()
  expectTypeOf<keyof typeof post>().toEqualTypeOf<keyof typeof direct>()
  expectTypeOf<Omit<typeof post, keyof Changed>>().toEqualTypeOf<Omit<typeof direct, keyof Changed>>()
  expectTypeOf(post.excerpt).toEqualTypeOf<string>()
  expectTypeOf(post.subtitle).toEqualTypeOf<string | undefined>()
  expectTypeOf(post.day).toEqualTypeOf<Date>()
  expectTypeOf(post.size).toEqualTypeOf<bigint>()
  expectTypeOf(post.fee).toEqualTypeOf<Prisma.Decimal>()
  expectTypeOf(post.digest).toEqualTypeOf<Changed['digest']>()
  expectTypeOf(post.home).toEqualTypeOf<Changed['home']>()
  expectTypeOf({ ...post.details }).toEqualTypeOf<{
    -readonly [K in keyof Changed['details']]: Changed['details'][K]
  }>()

  expectTypeOf(await api.user.findMany()).toEqualTypeOf(await prisma.user.findMany())
  expectTypeOf(await api.comment.findMany()).toEqualTypeOf(await prisma.comment.findMany())
  expectTypeOf(await api.comment.findMany({ include: { author: true } })).toEqualTypeOf(
    await prisma.comment.findMany({ include: { author: true } }),
  )
  expectTypeOf(await api.post.findMany({ select: { excerpt: true } })).toEqualTypeOf(
    await prisma.post.findMany({ select: { excerpt: true } }),
  )
  expectTypeOf(await api.post.findMany({ select: { excerpt: true, title: false, fee: true } })).toEqualTypeOf(
    await prisma.post.findMany({ select: { excerpt: true, title: false, fee: true } }),
  )
  expectTypeOf(
    await api.user.findUnique({
      where: { id: 1 },
      select: { loud: true, posts: { select: { excerpt: true, author: { select: { loud: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.findUnique({
      where: { id: 1 },
      select: { loud: true, posts: { select: { excerpt: true, author: { select: { loud: true } } } } },
    }),
  )
  expectTypeOf(
    await api.comment.findFirst({
      include: {
        author: { omit: { loud: true } },
        post: { select: { day: true, author: { include: { profile: true } } } },
      },
    }),
  ).toEqualTypeOf(
    await prisma.comment.findFirst({
      include: {
        author: { omit: { loud: true } },
        post: { select: { day: true, author: { include: { profile: true } } } },
      },
    }),
  )
  expectTypeOf(await api.user.findMany({ omit: { loud: true, email: true } })).toEqualTypeOf(
    await prisma.user.findMany({ omit: { loud: true, email: true } }),
  )
  expectTypeOf<'loud'>().not.toExtend<keyof Awaited<ReturnType<typeof omitted>>>()
  expectTypeOf(await api.user.count()).toEqualTypeOf<number>()
  expectTypeOf(await api.user.aggregate({ _max: { email: true } })).toEqualTypeOf(
    await prisma.user.aggregate({ _max: { email: true } }),
  )
  expectTypeOf(await api.user.groupBy({ by: ['role'], _count: true })).toEqualTypeOf(
    await prisma.user.groupBy({ by: ['role'], _count: true }),
  )
  // Without the option `decimal`, Decimals are strings.
  const texts = createRpcClient<Api<Computed>>({ url: '/api' })
  const { fee, details } = await texts.post.findFirstOrThrow()
  expectTypeOf(fee).toEqualTypeOf<string>()
  expectTypeOf(details.fees).toEqualTypeOf<string[]>()
  // Without computed fields, the types are those of the schema.
  expectTypeOf(await plain.user.findMany()).toEqualTypeOf(await bare.user.findMany())
}

const omitted = () => api.user.findFirstOrThrow({ omit: { loud: true } })

/** Writes and parts of transactions return computed fields too. */
export async function writes(): Promise<void> {
  const data = { email: 'a', password: 'b' }
  expectTypeOf(await api.user.create({ data })).toEqualTypeOf(await prisma.user.create({ data }))
  expectTypeOf(await api.user.create({ data, select: { loud: true } })).toEqualTypeOf(
    await prisma.user.create({ data, select: { loud: true } }),
  )
  expectTypeOf(await api.user.update({ where: { id: 1 }, data, omit: { loud: true } })).toEqualTypeOf(
    await prisma.user.update({ where: { id: 1 }, data, omit: { loud: true } }),
  )
  expectTypeOf(await api.user.createManyAndReturn({ data: [data], select: { loud: true } })).toEqualTypeOf(
    await prisma.user.createManyAndReturn({ data: [data], select: { loud: true } }),
  )
  expectTypeOf(await api.user.delete({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.user.delete({ where: { id: 1 } }),
  )
  const [created, found] = await api.$transaction([
    api.user.upsert.call({ where: { id: 1 }, create: data, update: {}, select: { loud: true, name: true } }),
    api.post.findMany.call({ select: { excerpt: true } }),
  ])
  expectTypeOf(created).toEqualTypeOf<{ loud: string | null; name: string | null }>()
  expectTypeOf(found).toEqualTypeOf<{ excerpt: string }[]>()
}

/** Usages that the server rejects. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error It cannot be used in a filter.
  await api.user.findMany({ where: { loud: 'ANN' } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.findMany({ where: { email: 'a', loud: 'ANN' } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.findMany({ where: { OR: [{ email: 'a' }, { name: 'a', loud: { contains: 'A' } }] } })
  // @ts-expect-error It cannot be used in a filter.
  await api.post.findMany({ where: { author: { email: 'a', loud: 'ANN' } } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.findUnique({ where: { id: 1, loud: 'ANN' } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.exists({ where: { loud: 'ANN' } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.findMany({ cursor: { id: 1, loud: 'ANN' } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.update({ where: { id: 1, loud: 'ANN' }, data: { name: 'b' } })
  // @ts-expect-error It cannot be used in a filter.
  await api.user.findMany({ select: { posts: { where: { title: 'a', excerpt: 'O' } } } })
  // @ts-expect-error It cannot be used in an order.
  await api.user.findMany({ orderBy: { loud: 'asc' } })
  // @ts-expect-error It cannot be used in an order.
  await api.post.findMany({ orderBy: [{ title: 'asc' }, { author: { email: 'asc', loud: 'asc' } }] })
  // @ts-expect-error It cannot be used in `distinct`.
  await api.user.findMany({ distinct: ['email', 'loud'] })
  // @ts-expect-error It cannot be used in `by`.
  await api.user.groupBy({ by: ['loud'] })
  // @ts-expect-error It cannot be used in `by`.
  await api.user.groupBy({ by: ['role', 'loud'] })
  // @ts-expect-error It cannot be used in `having`.
  await api.user.groupBy({ by: ['role'], having: { role: 'READER', loud: 'ANN' } })
  // @ts-expect-error It cannot be aggregated.
  await api.user.groupBy({ by: ['role'], _count: { email: true, loud: true } })
  // @ts-expect-error It cannot be aggregated.
  await api.user.aggregate({ _max: { email: true, loud: true } })
  // @ts-expect-error It cannot be aggregated.
  await api.user.count({ select: { _all: true, loud: true } })
  // @ts-expect-error It cannot be written.
  await api.user.create({ data: { email: 'a', password: 'b', loud: 'A' } })
  // @ts-expect-error It cannot be written.
  await api.user.update({ where: { id: 1 }, data: { name: 'a', loud: 'A' } })
  // @ts-expect-error It cannot be written.
  await api.user.updateMany({ where: {}, data: { loud: 'A' } })
  // @ts-expect-error It cannot be written.
  await api.user.createMany({ data: [{ email: 'a', password: 'b', loud: 'A' }] })
  // @ts-expect-error It cannot be written.
  await api.post.update({ where: { id: 1 }, data: { author: { update: { name: 'a', loud: 'A' } } } })
  // @ts-expect-error It is not a relation.
  await api.user.findMany({ include: { loud: true } })
  // @ts-expect-error It is not a relation.
  await api.user.findMany({ include: { posts: true, loud: true } })
  // @ts-expect-error It is hidden.
  await api.user.findMany({ select: { hint: true } })
  // @ts-expect-error It is hidden.
  await api.user.findMany({ select: { email: true, hint: true } })
  // @ts-expect-error It is hidden.
  await api.user.findMany({ omit: { hint: true } })
  // @ts-expect-error It belongs to another model.
  await api.post.findMany({ select: { title: true, loud: true } })
  // @ts-expect-error It has no nested selection.
  await api.user.findMany({ select: { loud: { select: { length: true } } } })
  // @ts-expect-error It was not selected.
  void (await api.user.findFirstOrThrow({ select: { email: true } })).loud
  // @ts-expect-error It is hidden.
  void (await api.user.findFirstOrThrow()).hint
  // @ts-expect-error The type of this client has no computed fields.
  await plain.user.findMany({ select: { loud: true } })
  // @ts-expect-error The type of this client has no computed fields.
  await plain.user.findMany({ select: { email: true, loud: true } })
  // @ts-expect-error Names that do not come from a client have no types.
  createRpcClient<Api<{ User: ['loud'] }>>({ url: '/api' })
  const call = api.user.findMany.call
  // @ts-expect-error It cannot be used in a filter.
  call({ where: { email: 'a', loud: 'ANN' } })
  // @ts-expect-error It cannot be written.
  api.user.update.call({ where: { id: 1 }, data: { name: 'a', loud: 'A' } })
}
