import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Reads of comments have the same result types as with a Prisma client that omits the password. */
export async function commentReads(): Promise<void> {
  expectTypeOf(await api.comment.findMany()).toEqualTypeOf(await prisma.comment.findMany())
  expectTypeOf(await api.comment.findMany({})).toEqualTypeOf(await prisma.comment.findMany({}))
  expectTypeOf(
    await api.comment.findMany({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      take: 10,
      skip: 1,
    }),
  ).toEqualTypeOf(
    await prisma.comment.findMany({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      take: 10,
      skip: 1,
    }),
  )
  expectTypeOf(
    await api.comment.findMany({
      where: { post: { is: { title: 'a' } } },
      select: { body: true, createdAt: true, authorId: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.findMany({
      where: { post: { is: { title: 'a' } } },
      select: { body: true, createdAt: true, authorId: true },
    }),
  )
  expectTypeOf(await api.comment.findMany({ omit: { createdAt: true }, orderBy: { body: 'asc' } })).toEqualTypeOf(
    await prisma.comment.findMany({ omit: { createdAt: true }, orderBy: { body: 'asc' } }),
  )
  expectTypeOf(await api.comment.findMany({ include: { author: true } })).toEqualTypeOf(
    await prisma.comment.findMany({ include: { author: true } }),
  )
  expectTypeOf(
    await api.comment.findFirst({ select: { body: true, author: { select: { name: true, role: true } } } }),
  ).toEqualTypeOf(
    await prisma.comment.findFirst({ select: { body: true, author: { select: { name: true, role: true } } } }),
  )
  expectTypeOf(
    await api.comment.findUnique({
      where: { postId_seq: { postId: 1, seq: 1 } },
      include: { author: { select: { name: true, role: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.findUnique({
      where: { postId_seq: { postId: 1, seq: 1 } },
      include: { author: { select: { name: true, role: true } } },
    }),
  )
  expectTypeOf(
    await api.comment.findMany({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.findMany({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  )
  expectTypeOf(
    await api.comment.findMany({ distinct: ['body'], cursor: { postId_seq: { postId: 1, seq: 1 } } }),
  ).toEqualTypeOf(await prisma.comment.findMany({ distinct: ['body'], cursor: { postId_seq: { postId: 1, seq: 1 } } }))
  expectTypeOf(await api.comment.findFirst()).toEqualTypeOf(await prisma.comment.findFirst())
  expectTypeOf(
    await api.comment.findFirst({ where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } } }),
  ).toEqualTypeOf(
    await prisma.comment.findFirst({ where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } } }),
  )
  expectTypeOf(
    await api.comment.findFirstOrThrow({
      select: { body: true, createdAt: true, authorId: true },
      orderBy: [{ body: 'desc' }],
    }),
  ).toEqualTypeOf(
    await prisma.comment.findFirstOrThrow({
      select: { body: true, createdAt: true, authorId: true },
      orderBy: [{ body: 'desc' }],
    }),
  )
  expectTypeOf(await api.comment.findUnique({ where: { postId_seq: { postId: 1, seq: 1 } } })).toEqualTypeOf(
    await prisma.comment.findUnique({ where: { postId_seq: { postId: 1, seq: 1 } } }),
  )
  expectTypeOf(
    await api.comment.findUnique({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      select: { body: true, createdAt: true, authorId: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.findUnique({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      select: { body: true, createdAt: true, authorId: true },
    }),
  )
  expectTypeOf(
    await api.comment.findUniqueOrThrow({
      where: { postId_seq: { postId: 1, seq: 1 } },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.findUniqueOrThrow({
      where: { postId_seq: { postId: 1, seq: 1 } },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  )
  expectTypeOf(await api.comment.count()).toEqualTypeOf(await prisma.comment.count())
  expectTypeOf(await api.comment.count({ where: { post: { is: { title: 'a' } } } })).toEqualTypeOf(
    await prisma.comment.count({ where: { post: { is: { title: 'a' } } } }),
  )
  expectTypeOf(await api.comment.count({ select: { _all: true, body: true } })).toEqualTypeOf(
    await prisma.comment.count({ select: { _all: true, body: true } }),
  )
  expectTypeOf(await api.comment.count({ select: true })).toEqualTypeOf(await prisma.comment.count({ select: true }))
  expectTypeOf(await api.comment.aggregate({ _count: true, _sum: { seq: true }, _avg: { seq: true } })).toEqualTypeOf(
    await prisma.comment.aggregate({ _count: true, _sum: { seq: true }, _avg: { seq: true } }),
  )
  expectTypeOf(
    await api.comment.aggregate({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      _count: { _all: true, body: true },
      _min: { postId: true, body: true },
      _max: { seq: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.aggregate({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      _count: { _all: true, body: true },
      _min: { postId: true, body: true },
      _max: { seq: true },
    }),
  )
  expectTypeOf(
    await api.comment.groupBy({ by: ['body'], _sum: { seq: true }, _avg: { postId: true }, orderBy: { body: 'asc' } }),
  ).toEqualTypeOf(
    await prisma.comment.groupBy({
      by: ['body'],
      _sum: { seq: true },
      _avg: { postId: true },
      orderBy: { body: 'asc' },
    }),
  )
  expectTypeOf(await api.comment.aggregate({ _max: { body: true }, _count: { body: true } })).toEqualTypeOf(
    await prisma.comment.aggregate({ _max: { body: true }, _count: { body: true } }),
  )
  expectTypeOf(await api.comment.groupBy({ by: 'body', _count: true })).toEqualTypeOf(
    await prisma.comment.groupBy({ by: 'body', _count: true }),
  )
  expectTypeOf(
    await api.comment.groupBy({
      by: ['body', 'createdAt'],
      _count: { _all: true },
      having: { body: { not: '' } },
      orderBy: { _count: { body: 'desc' } },
      take: 2,
    }),
  ).toEqualTypeOf(
    await prisma.comment.groupBy({
      by: ['body', 'createdAt'],
      _count: { _all: true },
      having: { body: { not: '' } },
      orderBy: { _count: { body: 'desc' } },
      take: 2,
    }),
  )
}
