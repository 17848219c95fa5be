import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Reads of profiles have the same result types as with a Prisma client that omits the password. */
export async function profileReads(): Promise<void> {
  expectTypeOf(await api.profile.findMany()).toEqualTypeOf(await prisma.profile.findMany())
  expectTypeOf(await api.profile.findMany({})).toEqualTypeOf(await prisma.profile.findMany({}))
  expectTypeOf(
    await api.profile.findMany({ where: { bio: null, settings: { path: '$.a', equals: 1 } }, take: 10, skip: 1 }),
  ).toEqualTypeOf(
    await prisma.profile.findMany({ where: { bio: null, settings: { path: '$.a', equals: 1 } }, take: 10, skip: 1 }),
  )
  expectTypeOf(
    await api.profile.findMany({
      where: { user: { isNot: { name: 'a' } } },
      select: { bio: true, avatar: true, settings: true },
    }),
  ).toEqualTypeOf(
    await prisma.profile.findMany({
      where: { user: { isNot: { name: 'a' } } },
      select: { bio: true, avatar: true, settings: true },
    }),
  )
  expectTypeOf(await api.profile.findMany({ omit: { avatar: true }, orderBy: { bio: 'asc' } })).toEqualTypeOf(
    await prisma.profile.findMany({ omit: { avatar: true }, orderBy: { bio: 'asc' } }),
  )
  expectTypeOf(await api.profile.findMany({ include: { user: true } })).toEqualTypeOf(
    await prisma.profile.findMany({ include: { user: true } }),
  )
  expectTypeOf(
    await api.profile.findFirst({ select: { bio: true, user: { select: { posts: { select: { title: true } } } } } }),
  ).toEqualTypeOf(
    await prisma.profile.findFirst({ select: { bio: true, user: { select: { posts: { select: { title: true } } } } } }),
  )
  expectTypeOf(
    await api.profile.findUnique({
      where: { id: 1 },
      include: { user: { select: { posts: { select: { title: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.profile.findUnique({
      where: { id: 1 },
      include: { user: { select: { posts: { select: { title: true } } } } },
    }),
  )
  expectTypeOf(
    await api.profile.findMany({
      where: { bio: null, settings: { path: '$.a', equals: 1 } },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.profile.findMany({
      where: { bio: null, settings: { path: '$.a', equals: 1 } },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  )
  expectTypeOf(await api.profile.findMany({ distinct: ['bio'], cursor: { id: 1 } })).toEqualTypeOf(
    await prisma.profile.findMany({ distinct: ['bio'], cursor: { id: 1 } }),
  )
  expectTypeOf(await api.profile.findFirst()).toEqualTypeOf(await prisma.profile.findFirst())
  expectTypeOf(
    await api.profile.findFirst({ where: { bio: null, settings: { path: '$.a', equals: 1 } } }),
  ).toEqualTypeOf(await prisma.profile.findFirst({ where: { bio: null, settings: { path: '$.a', equals: 1 } } }))
  expectTypeOf(
    await api.profile.findFirstOrThrow({
      select: { bio: true, avatar: true, settings: true },
      orderBy: [{ bio: 'desc' }],
    }),
  ).toEqualTypeOf(
    await prisma.profile.findFirstOrThrow({
      select: { bio: true, avatar: true, settings: true },
      orderBy: [{ bio: 'desc' }],
    }),
  )
  expectTypeOf(await api.profile.findUnique({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.profile.findUnique({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.profile.findUnique({ where: { userId: 1 }, select: { bio: true, avatar: true, settings: true } }),
  ).toEqualTypeOf(
    await prisma.profile.findUnique({ where: { userId: 1 }, select: { bio: true, avatar: true, settings: true } }),
  )
  expectTypeOf(
    await api.profile.findUniqueOrThrow({
      where: { id: 1 },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.profile.findUniqueOrThrow({
      where: { id: 1 },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  )
  expectTypeOf(await api.profile.count()).toEqualTypeOf(await prisma.profile.count())
  expectTypeOf(await api.profile.count({ where: { user: { isNot: { name: 'a' } } } })).toEqualTypeOf(
    await prisma.profile.count({ where: { user: { isNot: { name: 'a' } } } }),
  )
  expectTypeOf(await api.profile.count({ select: { _all: true, bio: true } })).toEqualTypeOf(
    await prisma.profile.count({ select: { _all: true, bio: true } }),
  )
  expectTypeOf(await api.profile.count({ select: true })).toEqualTypeOf(await prisma.profile.count({ select: true }))
  expectTypeOf(await api.profile.aggregate({ _count: true, _sum: { id: true }, _avg: { id: true } })).toEqualTypeOf(
    await prisma.profile.aggregate({ _count: true, _sum: { id: true }, _avg: { id: true } }),
  )
  expectTypeOf(
    await api.profile.aggregate({
      where: { bio: null, settings: { path: '$.a', equals: 1 } },
      _count: { _all: true, bio: true },
      _min: { userId: true, bio: true },
      _max: { id: true },
    }),
  ).toEqualTypeOf(
    await prisma.profile.aggregate({
      where: { bio: null, settings: { path: '$.a', equals: 1 } },
      _count: { _all: true, bio: true },
      _min: { userId: true, bio: true },
      _max: { id: true },
    }),
  )
  expectTypeOf(
    await api.profile.groupBy({ by: ['bio'], _sum: { id: true }, _avg: { userId: true }, orderBy: { bio: 'asc' } }),
  ).toEqualTypeOf(
    await prisma.profile.groupBy({ by: ['bio'], _sum: { id: true }, _avg: { userId: true }, orderBy: { bio: 'asc' } }),
  )
  expectTypeOf(await api.profile.aggregate({ _max: { bio: true }, _count: { bio: true } })).toEqualTypeOf(
    await prisma.profile.aggregate({ _max: { bio: true }, _count: { bio: true } }),
  )
  expectTypeOf(await api.profile.groupBy({ by: 'bio', _count: true })).toEqualTypeOf(
    await prisma.profile.groupBy({ by: 'bio', _count: true }),
  )
}
