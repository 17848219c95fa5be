import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Reads of users have the same result types as with a Prisma client that omits the password. */
export async function userReads(): Promise<void> {
  expectTypeOf(await api.user.findMany()).toEqualTypeOf(await prisma.user.findMany())
  expectTypeOf(await api.user.findMany({})).toEqualTypeOf(await prisma.user.findMany({}))
  expectTypeOf(
    await api.user.findMany({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      take: 10,
      skip: 1,
    }),
  ).toEqualTypeOf(
    await prisma.user.findMany({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      take: 10,
      skip: 1,
    }),
  )
  expectTypeOf(
    await api.user.findMany({
      where: { profile: null, posts: { some: { tags: { some: { name: 'a' } } } } },
      select: { email: true, role: true, createdAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.user.findMany({
      where: { profile: null, posts: { some: { tags: { some: { name: 'a' } } } } },
      select: { email: true, role: true, createdAt: true },
    }),
  )
  expectTypeOf(await api.user.findMany({ select: { email: true, _count: true } })).toEqualTypeOf(
    await prisma.user.findMany({ select: { email: true, _count: true } }),
  )
  expectTypeOf(await api.user.findMany({ omit: { role: true }, orderBy: { email: 'asc' } })).toEqualTypeOf(
    await prisma.user.findMany({ omit: { role: true }, orderBy: { email: 'asc' } }),
  )
  expectTypeOf(await api.user.findMany({ include: { profile: true } })).toEqualTypeOf(
    await prisma.user.findMany({ include: { profile: true } }),
  )
  expectTypeOf(
    await api.user.findFirst({ select: { email: true, profile: { select: { avatar: true, settings: true } } } }),
  ).toEqualTypeOf(
    await prisma.user.findFirst({ select: { email: true, profile: { select: { avatar: true, settings: true } } } }),
  )
  expectTypeOf(
    await api.user.findUnique({ where: { id: 1 }, include: { profile: { select: { avatar: true, settings: true } } } }),
  ).toEqualTypeOf(
    await prisma.user.findUnique({
      where: { id: 1 },
      include: { profile: { select: { avatar: true, settings: true } } },
    }),
  )
  expectTypeOf(
    await api.user.findMany({ include: { posts: true, _count: { select: { posts: true } } } }),
  ).toEqualTypeOf(await prisma.user.findMany({ include: { posts: true, _count: { select: { posts: true } } } }))
  expectTypeOf(
    await api.user.findFirst({ select: { email: false, posts: { omit: { content: true }, include: { tags: true } } } }),
  ).toEqualTypeOf(
    await prisma.user.findFirst({
      select: { email: false, posts: { omit: { content: true }, include: { tags: true } } },
    }),
  )
  expectTypeOf(
    await api.user.findUniqueOrThrow({
      where: { email: 'a' },
      include: { posts: { omit: { content: true }, include: { tags: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.findUniqueOrThrow({
      where: { email: 'a' },
      include: { posts: { omit: { content: true }, include: { tags: true } } },
    }),
  )
  expectTypeOf(
    await api.user.findMany({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.findMany({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  )
  expectTypeOf(await api.user.findMany({ distinct: ['email'], cursor: { id: 1 } })).toEqualTypeOf(
    await prisma.user.findMany({ distinct: ['email'], cursor: { id: 1 } }),
  )
  expectTypeOf(await api.user.findFirst()).toEqualTypeOf(await prisma.user.findFirst())
  expectTypeOf(
    await api.user.findFirst({ where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] } }),
  ).toEqualTypeOf(
    await prisma.user.findFirst({ where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] } }),
  )
  expectTypeOf(
    await api.user.findFirstOrThrow({
      select: { email: true, role: true, createdAt: true },
      orderBy: [{ email: 'desc' }],
    }),
  ).toEqualTypeOf(
    await prisma.user.findFirstOrThrow({
      select: { email: true, role: true, createdAt: true },
      orderBy: [{ email: 'desc' }],
    }),
  )
  expectTypeOf(await api.user.findUnique({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.user.findUnique({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.user.findUnique({ where: { email: 'a' }, select: { email: true, role: true, createdAt: true } }),
  ).toEqualTypeOf(
    await prisma.user.findUnique({ where: { email: 'a' }, select: { email: true, role: true, createdAt: true } }),
  )
  expectTypeOf(
    await api.user.findUniqueOrThrow({
      where: { id: 1 },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.findUniqueOrThrow({
      where: { id: 1 },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  )
  expectTypeOf(await api.user.count()).toEqualTypeOf(await prisma.user.count())
  expectTypeOf(
    await api.user.count({ where: { profile: null, posts: { some: { tags: { some: { name: 'a' } } } } } }),
  ).toEqualTypeOf(
    await prisma.user.count({ where: { profile: null, posts: { some: { tags: { some: { name: 'a' } } } } } }),
  )
  expectTypeOf(await api.user.count({ select: { _all: true, email: true } })).toEqualTypeOf(
    await prisma.user.count({ select: { _all: true, email: true } }),
  )
  expectTypeOf(await api.user.count({ select: true })).toEqualTypeOf(await prisma.user.count({ select: true }))
  expectTypeOf(await api.user.aggregate({ _count: true, _sum: { id: true }, _avg: { id: true } })).toEqualTypeOf(
    await prisma.user.aggregate({ _count: true, _sum: { id: true }, _avg: { id: true } }),
  )
  expectTypeOf(
    await api.user.aggregate({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      _count: { _all: true, email: true },
      _min: { id: true, email: true },
      _max: { id: true },
    }),
  ).toEqualTypeOf(
    await prisma.user.aggregate({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      _count: { _all: true, email: true },
      _min: { id: true, email: true },
      _max: { id: true },
    }),
  )
  expectTypeOf(
    await api.user.groupBy({ by: ['email'], _sum: { id: true }, _avg: { id: true }, orderBy: { email: 'asc' } }),
  ).toEqualTypeOf(
    await prisma.user.groupBy({ by: ['email'], _sum: { id: true }, _avg: { id: true }, orderBy: { email: 'asc' } }),
  )
  expectTypeOf(await api.user.aggregate({ _max: { email: true }, _count: { email: true } })).toEqualTypeOf(
    await prisma.user.aggregate({ _max: { email: true }, _count: { email: true } }),
  )
  expectTypeOf(await api.user.groupBy({ by: 'email', _count: true })).toEqualTypeOf(
    await prisma.user.groupBy({ by: 'email', _count: true }),
  )
  expectTypeOf(
    await api.user.groupBy({
      by: ['email', 'role'],
      _count: { _all: true },
      having: { email: { not: '' } },
      orderBy: { _count: { email: 'desc' } },
      take: 2,
    }),
  ).toEqualTypeOf(
    await prisma.user.groupBy({
      by: ['email', 'role'],
      _count: { _all: true },
      having: { email: { not: '' } },
      orderBy: { _count: { email: 'desc' } },
      take: 2,
    }),
  )
}
