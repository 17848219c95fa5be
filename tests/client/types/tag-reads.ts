import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Reads of tags have the same result types as with a Prisma client that omits the password. */
export async function tagReads(): Promise<void> {
  expectTypeOf(await api.tag.findMany()).toEqualTypeOf(await prisma.tag.findMany())
  expectTypeOf(await api.tag.findMany({})).toEqualTypeOf(await prisma.tag.findMany({}))
  expectTypeOf(await api.tag.findMany({ where: { name: { in: ['a', 'b'] } }, take: 10, skip: 1 })).toEqualTypeOf(
    await prisma.tag.findMany({ where: { name: { in: ['a', 'b'] } }, take: 10, skip: 1 }),
  )
  expectTypeOf(
    await api.tag.findMany({ where: { posts: { none: { status: { in: ['DRAFT'] } } } }, select: { name: true } }),
  ).toEqualTypeOf(
    await prisma.tag.findMany({ where: { posts: { none: { status: { in: ['DRAFT'] } } } }, select: { name: true } }),
  )
  expectTypeOf(await api.tag.findMany({ select: { name: true, _count: true } })).toEqualTypeOf(
    await prisma.tag.findMany({ select: { name: true, _count: true } }),
  )
  expectTypeOf(await api.tag.findMany({ include: { posts: true, _count: { select: { posts: true } } } })).toEqualTypeOf(
    await prisma.tag.findMany({ include: { posts: true, _count: { select: { posts: true } } } }),
  )
  expectTypeOf(
    await api.tag.findFirst({
      select: {
        name: false,
        posts: { select: { title: true, viewCount: true, _count: { select: { comments: true } } } },
      },
    }),
  ).toEqualTypeOf(
    await prisma.tag.findFirst({
      select: {
        name: false,
        posts: { select: { title: true, viewCount: true, _count: { select: { comments: true } } } },
      },
    }),
  )
  expectTypeOf(
    await api.tag.findUniqueOrThrow({
      where: { name: 'a', posts: { some: {} } },
      include: { posts: { select: { title: true, viewCount: true, _count: { select: { comments: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.tag.findUniqueOrThrow({
      where: { name: 'a', posts: { some: {} } },
      include: { posts: { select: { title: true, viewCount: true, _count: { select: { comments: true } } } } },
    }),
  )
  expectTypeOf(
    await api.tag.findMany({
      where: { name: { in: ['a', 'b'] } },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.tag.findMany({
      where: { name: { in: ['a', 'b'] } },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  )
  expectTypeOf(await api.tag.findMany({ distinct: ['name'], cursor: { name: 'a' } })).toEqualTypeOf(
    await prisma.tag.findMany({ distinct: ['name'], cursor: { name: 'a' } }),
  )
  expectTypeOf(await api.tag.findFirst()).toEqualTypeOf(await prisma.tag.findFirst())
  expectTypeOf(await api.tag.findFirst({ where: { name: { in: ['a', 'b'] } } })).toEqualTypeOf(
    await prisma.tag.findFirst({ where: { name: { in: ['a', 'b'] } } }),
  )
  expectTypeOf(await api.tag.findFirstOrThrow({ select: { name: true }, orderBy: [{ name: 'desc' }] })).toEqualTypeOf(
    await prisma.tag.findFirstOrThrow({ select: { name: true }, orderBy: [{ name: 'desc' }] }),
  )
  expectTypeOf(await api.tag.findUnique({ where: { name: 'a' } })).toEqualTypeOf(
    await prisma.tag.findUnique({ where: { name: 'a' } }),
  )
  expectTypeOf(
    await api.tag.findUnique({ where: { name: 'a', posts: { some: {} } }, select: { name: true } }),
  ).toEqualTypeOf(await prisma.tag.findUnique({ where: { name: 'a', posts: { some: {} } }, select: { name: true } }))
  expectTypeOf(
    await api.tag.findUniqueOrThrow({
      where: { name: 'a' },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.tag.findUniqueOrThrow({
      where: { name: 'a' },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  )
  expectTypeOf(await api.tag.count()).toEqualTypeOf(await prisma.tag.count())
  expectTypeOf(await api.tag.count({ where: { posts: { none: { status: { in: ['DRAFT'] } } } } })).toEqualTypeOf(
    await prisma.tag.count({ where: { posts: { none: { status: { in: ['DRAFT'] } } } } }),
  )
  expectTypeOf(await api.tag.count({ select: { _all: true, name: true } })).toEqualTypeOf(
    await prisma.tag.count({ select: { _all: true, name: true } }),
  )
  expectTypeOf(await api.tag.count({ select: true })).toEqualTypeOf(await prisma.tag.count({ select: true }))
  expectTypeOf(await api.tag.aggregate({ _max: { name: true }, _count: { name: true } })).toEqualTypeOf(
    await prisma.tag.aggregate({ _max: { name: true }, _count: { name: true } }),
  )
  expectTypeOf(await api.tag.groupBy({ by: 'name', _count: true })).toEqualTypeOf(
    await prisma.tag.groupBy({ by: 'name', _count: true }),
  )
}
