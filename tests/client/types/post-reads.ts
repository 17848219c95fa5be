import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Reads of posts have the same result types as with a Prisma client that omits the password. */
export async function postReads(): Promise<void> {
  expectTypeOf(await api.post.findMany()).toEqualTypeOf(await prisma.post.findMany())
  expectTypeOf(await api.post.findMany({})).toEqualTypeOf(await prisma.post.findMany({}))
  expectTypeOf(
    await api.post.findMany({ where: { status: 'PUBLISHED', publishedAt: { not: null } }, take: 10, skip: 1 }),
  ).toEqualTypeOf(
    await prisma.post.findMany({ where: { status: 'PUBLISHED', publishedAt: { not: null } }, take: 10, skip: 1 }),
  )
  expectTypeOf(
    await api.post.findMany({
      where: { author: { email: 'a' }, comments: { every: { body: 'a' } } },
      select: { title: true, status: true, publishedAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.post.findMany({
      where: { author: { email: 'a' }, comments: { every: { body: 'a' } } },
      select: { title: true, status: true, publishedAt: true },
    }),
  )
  expectTypeOf(await api.post.findMany({ select: { title: true, _count: true } })).toEqualTypeOf(
    await prisma.post.findMany({ select: { title: true, _count: true } }),
  )
  expectTypeOf(await api.post.findMany({ omit: { status: true }, orderBy: { title: 'asc' } })).toEqualTypeOf(
    await prisma.post.findMany({ omit: { status: true }, orderBy: { title: 'asc' } }),
  )
  expectTypeOf(await api.post.findMany({ include: { author: true } })).toEqualTypeOf(
    await prisma.post.findMany({ include: { author: true } }),
  )
  expectTypeOf(
    await api.post.findFirst({ select: { title: true, author: { select: { email: true, _count: true } } } }),
  ).toEqualTypeOf(
    await prisma.post.findFirst({ select: { title: true, author: { select: { email: true, _count: true } } } }),
  )
  expectTypeOf(
    await api.post.findUnique({ where: { id: 1 }, include: { author: { select: { email: true, _count: true } } } }),
  ).toEqualTypeOf(
    await prisma.post.findUnique({ where: { id: 1 }, include: { author: { select: { email: true, _count: true } } } }),
  )
  expectTypeOf(
    await api.post.findMany({ include: { comments: true, _count: { select: { comments: true } } } }),
  ).toEqualTypeOf(await prisma.post.findMany({ include: { comments: true, _count: { select: { comments: true } } } }))
  expectTypeOf(
    await api.post.findFirst({
      select: { title: false, comments: { take: 3, orderBy: { seq: 'desc' }, select: { body: true, author: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.findFirst({
      select: { title: false, comments: { take: 3, orderBy: { seq: 'desc' }, select: { body: true, author: true } } },
    }),
  )
  expectTypeOf(
    await api.post.findUniqueOrThrow({
      where: { slug: 'a' },
      include: { comments: { take: 3, orderBy: { seq: 'desc' }, select: { body: true, author: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.findUniqueOrThrow({
      where: { slug: 'a' },
      include: { comments: { take: 3, orderBy: { seq: 'desc' }, select: { body: true, author: true } } },
    }),
  )
  expectTypeOf(
    await api.post.findMany({
      where: { status: 'PUBLISHED', publishedAt: { not: null } },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.findMany({
      where: { status: 'PUBLISHED', publishedAt: { not: null } },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  )
  expectTypeOf(await api.post.findMany({ distinct: ['title'], cursor: { id: 1 } })).toEqualTypeOf(
    await prisma.post.findMany({ distinct: ['title'], cursor: { id: 1 } }),
  )
  expectTypeOf(await api.post.findFirst()).toEqualTypeOf(await prisma.post.findFirst())
  expectTypeOf(await api.post.findFirst({ where: { status: 'PUBLISHED', publishedAt: { not: null } } })).toEqualTypeOf(
    await prisma.post.findFirst({ where: { status: 'PUBLISHED', publishedAt: { not: null } } }),
  )
  expectTypeOf(
    await api.post.findFirstOrThrow({
      select: { title: true, status: true, publishedAt: true },
      orderBy: [{ title: 'desc' }],
    }),
  ).toEqualTypeOf(
    await prisma.post.findFirstOrThrow({
      select: { title: true, status: true, publishedAt: true },
      orderBy: [{ title: 'desc' }],
    }),
  )
  expectTypeOf(await api.post.findUnique({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.post.findUnique({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.post.findUnique({ where: { slug: 'a' }, select: { title: true, status: true, publishedAt: true } }),
  ).toEqualTypeOf(
    await prisma.post.findUnique({ where: { slug: 'a' }, select: { title: true, status: true, publishedAt: true } }),
  )
  expectTypeOf(
    await api.post.findUniqueOrThrow({
      where: { id: 1 },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.findUniqueOrThrow({
      where: { id: 1 },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  )
  expectTypeOf(await api.post.count()).toEqualTypeOf(await prisma.post.count())
  expectTypeOf(
    await api.post.count({ where: { author: { email: 'a' }, comments: { every: { body: 'a' } } } }),
  ).toEqualTypeOf(await prisma.post.count({ where: { author: { email: 'a' }, comments: { every: { body: 'a' } } } }))
  expectTypeOf(await api.post.count({ select: { _all: true, title: true } })).toEqualTypeOf(
    await prisma.post.count({ select: { _all: true, title: true } }),
  )
  expectTypeOf(await api.post.count({ select: true })).toEqualTypeOf(await prisma.post.count({ select: true }))
  expectTypeOf(
    await api.post.aggregate({ _count: true, _sum: { viewCount: true }, _avg: { viewCount: true } }),
  ).toEqualTypeOf(await prisma.post.aggregate({ _count: true, _sum: { viewCount: true }, _avg: { viewCount: true } }))
  expectTypeOf(
    await api.post.aggregate({
      where: { status: 'PUBLISHED', publishedAt: { not: null } },
      _count: { _all: true, title: true },
      _min: { authorId: true, title: true },
      _max: { viewCount: true },
    }),
  ).toEqualTypeOf(
    await prisma.post.aggregate({
      where: { status: 'PUBLISHED', publishedAt: { not: null } },
      _count: { _all: true, title: true },
      _min: { authorId: true, title: true },
      _max: { viewCount: true },
    }),
  )
  expectTypeOf(
    await api.post.groupBy({
      by: ['title'],
      _sum: { viewCount: true },
      _avg: { authorId: true },
      orderBy: { title: 'asc' },
    }),
  ).toEqualTypeOf(
    await prisma.post.groupBy({
      by: ['title'],
      _sum: { viewCount: true },
      _avg: { authorId: true },
      orderBy: { title: 'asc' },
    }),
  )
  expectTypeOf(await api.post.aggregate({ _max: { title: true }, _count: { title: true } })).toEqualTypeOf(
    await prisma.post.aggregate({ _max: { title: true }, _count: { title: true } }),
  )
  expectTypeOf(await api.post.groupBy({ by: 'title', _count: true })).toEqualTypeOf(
    await prisma.post.groupBy({ by: 'title', _count: true }),
  )
  expectTypeOf(
    await api.post.groupBy({
      by: ['title', 'status'],
      _count: { _all: true },
      having: { title: { not: '' } },
      orderBy: { _count: { title: 'desc' } },
      take: 2,
    }),
  ).toEqualTypeOf(
    await prisma.post.groupBy({
      by: ['title', 'status'],
      _count: { _all: true },
      having: { title: { not: '' } },
      orderBy: { _count: { title: 'desc' } },
      take: 2,
    }),
  )
}
