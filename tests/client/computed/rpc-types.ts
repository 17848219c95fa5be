import { expectTypeOf } from 'vitest'

import { createRpcClient } from '../../../client/index.js'
import type { Prisma, PrismaClient } from '../../../fixtures/blog/client/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { type Computed, EXPOSED_FIELDS } from './computing.js'

/** Nothing here is run: the compiler tests. */
const api = createRpcClient<Api<Computed>, Prisma.Decimal>({ url: '/api', decimal: (text) => text as never })
const plain = createRpcClient<Api>({ url: '/api' })
declare const bare: PrismaClient<never, { user: { password: true } }>
/** A Prisma client that computes the same, without what is another class on the other side. */
const prisma = bare.$extends({ result: EXPOSED_FIELDS })

/** What other values than those of Prisma's own types become. */
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

/** Reads have the computed fields that the client's own results have. */
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
  // Where no Decimals are made, they are texts.
  const texts = createRpcClient<Api<Computed>>({ url: '/api' })
  const { fee, details } = await texts.post.findFirstOrThrow()
  expectTypeOf(fee).toEqualTypeOf<string>()
  expectTypeOf(details.fees).toEqualTypeOf<string[]>()
  // Without them the types are those of the schema alone.
  expectTypeOf(await plain.user.findMany()).toEqualTypeOf(await bare.user.findMany())
}

const omitted = () => api.user.findFirstOrThrow({ omit: { loud: true } })

/** Writes answer with them, and parts of transactions. */
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

/** What the server refuses. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error Nothing is found by it.
  await api.user.findMany({ where: { loud: 'ANN' } })
  // @ts-expect-error Nothing is found by it.
  await api.user.findMany({ where: { email: 'a', loud: 'ANN' } })
  // @ts-expect-error Nothing is found by it.
  await api.user.findMany({ where: { OR: [{ email: 'a' }, { name: 'a', loud: { contains: 'A' } }] } })
  // @ts-expect-error Nothing is found by it.
  await api.post.findMany({ where: { author: { email: 'a', loud: 'ANN' } } })
  // @ts-expect-error Nothing is found by it.
  await api.user.findUnique({ where: { id: 1, loud: 'ANN' } })
  // @ts-expect-error Nothing is found by it.
  await api.user.exists({ where: { loud: 'ANN' } })
  // @ts-expect-error Nothing is found by it.
  await api.user.findMany({ cursor: { id: 1, loud: 'ANN' } })
  // @ts-expect-error Nothing is found by it.
  await api.user.update({ where: { id: 1, loud: 'ANN' }, data: { name: 'b' } })
  // @ts-expect-error Nothing is found by it.
  await api.user.findMany({ select: { posts: { where: { title: 'a', excerpt: 'O' } } } })
  // @ts-expect-error Nothing is ordered by it.
  await api.user.findMany({ orderBy: { loud: 'asc' } })
  // @ts-expect-error Nothing is ordered by it.
  await api.post.findMany({ orderBy: [{ title: 'asc' }, { author: { email: 'asc', loud: 'asc' } }] })
  // @ts-expect-error Rows do not differ by it.
  await api.user.findMany({ distinct: ['email', 'loud'] })
  // @ts-expect-error Nothing is grouped by it.
  await api.user.groupBy({ by: ['loud'] })
  // @ts-expect-error Nothing is grouped by it.
  await api.user.groupBy({ by: ['role', 'loud'] })
  // @ts-expect-error No group is found by it.
  await api.user.groupBy({ by: ['role'], having: { role: 'READER', loud: 'ANN' } })
  // @ts-expect-error It is not counted.
  await api.user.groupBy({ by: ['role'], _count: { email: true, loud: true } })
  // @ts-expect-error It is not counted.
  await api.user.aggregate({ _max: { email: true, loud: true } })
  // @ts-expect-error It is not counted.
  await api.user.count({ select: { _all: true, loud: true } })
  // @ts-expect-error It is not written.
  await api.user.create({ data: { email: 'a', password: 'b', loud: 'A' } })
  // @ts-expect-error It is not written.
  await api.user.update({ where: { id: 1 }, data: { name: 'a', loud: 'A' } })
  // @ts-expect-error It is not written.
  await api.user.updateMany({ where: {}, data: { loud: 'A' } })
  // @ts-expect-error It is not written.
  await api.user.createMany({ data: [{ email: 'a', password: 'b', loud: 'A' }] })
  // @ts-expect-error It is not written.
  await api.post.update({ where: { id: 1 }, data: { author: { update: { name: 'a', loud: 'A' } } } })
  // @ts-expect-error It is no relation.
  await api.user.findMany({ include: { loud: true } })
  // @ts-expect-error It is no relation.
  await api.user.findMany({ include: { posts: true, loud: true } })
  // @ts-expect-error It is not on the wire.
  await api.user.findMany({ select: { hint: true } })
  // @ts-expect-error It is not on the wire.
  await api.user.findMany({ select: { email: true, hint: true } })
  // @ts-expect-error It is not on the wire.
  await api.user.findMany({ omit: { hint: true } })
  // @ts-expect-error It is of another model.
  await api.post.findMany({ select: { title: true, loud: true } })
  // @ts-expect-error It is selected or not.
  await api.user.findMany({ select: { loud: { select: { length: true } } } })
  // @ts-expect-error It is not in the row.
  void (await api.user.findFirstOrThrow({ select: { email: true } })).loud
  // @ts-expect-error It is not on the wire.
  void (await api.user.findFirstOrThrow()).hint
  // @ts-expect-error Nobody told the client of it.
  await plain.user.findMany({ select: { loud: true } })
  // @ts-expect-error Nobody told the client of it.
  await plain.user.findMany({ select: { email: true, loud: true } })
  // @ts-expect-error Names that were not taken from a client have no types.
  createRpcClient<Api<{ User: ['loud'] }>>({ url: '/api' })
  const call = api.user.findMany.call
  // @ts-expect-error Nothing is found by it.
  call({ where: { email: 'a', loud: 'ANN' } })
  // @ts-expect-error It is not written.
  api.user.update.call({ where: { id: 1 }, data: { name: 'a', loud: 'A' } })
}
