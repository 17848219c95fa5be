import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Reads of categories have the same result types as with a Prisma client that omits the password. */
export async function categoryReads(): Promise<void> {
  expectTypeOf(await api.category.findMany()).toEqualTypeOf(await prisma.category.findMany())
  expectTypeOf(await api.category.findMany({})).toEqualTypeOf(await prisma.category.findMany({}))
  expectTypeOf(
    await api.category.findMany({ where: { name: { contains: 'a' }, readers: { gt: 1n } }, take: 10, skip: 1 }),
  ).toEqualTypeOf(
    await prisma.category.findMany({ where: { name: { contains: 'a' }, readers: { gt: 1n } }, take: 10, skip: 1 }),
  )
  expectTypeOf(
    await api.category.findMany({
      where: { posts: { some: { title: 'a' } } },
      select: { name: true, adPrice: true, readers: true },
    }),
  ).toEqualTypeOf(
    await prisma.category.findMany({
      where: { posts: { some: { title: 'a' } } },
      select: { name: true, adPrice: true, readers: true },
    }),
  )
  expectTypeOf(await api.category.findMany({ select: { name: true, _count: true } })).toEqualTypeOf(
    await prisma.category.findMany({ select: { name: true, _count: true } }),
  )
  expectTypeOf(await api.category.findMany({ omit: { adPrice: true }, orderBy: { name: 'asc' } })).toEqualTypeOf(
    await prisma.category.findMany({ omit: { adPrice: true }, orderBy: { name: 'asc' } }),
  )
  expectTypeOf(await api.category.findMany({ include: { parent: true } })).toEqualTypeOf(
    await prisma.category.findMany({ include: { parent: true } }),
  )
  expectTypeOf(
    await api.category.findFirst({ select: { name: true, parent: { select: { name: true, adPrice: true } } } }),
  ).toEqualTypeOf(
    await prisma.category.findFirst({ select: { name: true, parent: { select: { name: true, adPrice: true } } } }),
  )
  expectTypeOf(
    await api.category.findUnique({ where: { id: 1 }, include: { parent: { select: { name: true, adPrice: true } } } }),
  ).toEqualTypeOf(
    await prisma.category.findUnique({
      where: { id: 1 },
      include: { parent: { select: { name: true, adPrice: true } } },
    }),
  )
  expectTypeOf(
    await api.category.findMany({ include: { posts: true, _count: { select: { posts: true } } } }),
  ).toEqualTypeOf(await prisma.category.findMany({ include: { posts: true, _count: { select: { posts: true } } } }))
  expectTypeOf(
    await api.category.findFirst({
      select: {
        name: false,
        posts: { where: { title: 'a' }, select: { slug: true, author: { select: { email: true } } } },
      },
    }),
  ).toEqualTypeOf(
    await prisma.category.findFirst({
      select: {
        name: false,
        posts: { where: { title: 'a' }, select: { slug: true, author: { select: { email: true } } } },
      },
    }),
  )
  expectTypeOf(
    await api.category.findUniqueOrThrow({
      where: { name: 'a' },
      include: { posts: { where: { title: 'a' }, select: { slug: true, author: { select: { email: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.category.findUniqueOrThrow({
      where: { name: 'a' },
      include: { posts: { where: { title: 'a' }, select: { slug: true, author: { select: { email: true } } } } },
    }),
  )
  expectTypeOf(
    await api.category.findMany({
      where: { name: { contains: 'a' }, readers: { gt: 1n } },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.category.findMany({
      where: { name: { contains: 'a' }, readers: { gt: 1n } },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  )
  expectTypeOf(await api.category.findMany({ distinct: ['name'], cursor: { id: 1 } })).toEqualTypeOf(
    await prisma.category.findMany({ distinct: ['name'], cursor: { id: 1 } }),
  )
  expectTypeOf(await api.category.findFirst()).toEqualTypeOf(await prisma.category.findFirst())
  expectTypeOf(await api.category.findFirst({ where: { name: { contains: 'a' }, readers: { gt: 1n } } })).toEqualTypeOf(
    await prisma.category.findFirst({ where: { name: { contains: 'a' }, readers: { gt: 1n } } }),
  )
  expectTypeOf(
    await api.category.findFirstOrThrow({
      select: { name: true, adPrice: true, readers: true },
      orderBy: [{ name: 'desc' }],
    }),
  ).toEqualTypeOf(
    await prisma.category.findFirstOrThrow({
      select: { name: true, adPrice: true, readers: true },
      orderBy: [{ name: 'desc' }],
    }),
  )
  expectTypeOf(await api.category.findUnique({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.category.findUnique({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.category.findUnique({ where: { name: 'a' }, select: { name: true, adPrice: true, readers: true } }),
  ).toEqualTypeOf(
    await prisma.category.findUnique({ where: { name: 'a' }, select: { name: true, adPrice: true, readers: true } }),
  )
  expectTypeOf(
    await api.category.findUniqueOrThrow({
      where: { id: 1 },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.category.findUniqueOrThrow({
      where: { id: 1 },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  )
  expectTypeOf(await api.category.count()).toEqualTypeOf(await prisma.category.count())
  expectTypeOf(await api.category.count({ where: { posts: { some: { title: 'a' } } } })).toEqualTypeOf(
    await prisma.category.count({ where: { posts: { some: { title: 'a' } } } }),
  )
  expectTypeOf(await api.category.count({ select: { _all: true, name: true } })).toEqualTypeOf(
    await prisma.category.count({ select: { _all: true, name: true } }),
  )
  expectTypeOf(await api.category.count({ select: true })).toEqualTypeOf(await prisma.category.count({ select: true }))
  expectTypeOf(
    await api.category.aggregate({ _count: true, _sum: { readers: true }, _avg: { readers: true } }),
  ).toEqualTypeOf(await prisma.category.aggregate({ _count: true, _sum: { readers: true }, _avg: { readers: true } }))
  expectTypeOf(
    await api.category.aggregate({
      where: { name: { contains: 'a' }, readers: { gt: 1n } },
      _count: { _all: true, name: true },
      _min: { adPrice: true, name: true },
      _max: { readers: true },
    }),
  ).toEqualTypeOf(
    await prisma.category.aggregate({
      where: { name: { contains: 'a' }, readers: { gt: 1n } },
      _count: { _all: true, name: true },
      _min: { adPrice: true, name: true },
      _max: { readers: true },
    }),
  )
  expectTypeOf(
    await api.category.groupBy({
      by: ['name'],
      _sum: { readers: true },
      _avg: { adPrice: true },
      orderBy: { name: 'asc' },
    }),
  ).toEqualTypeOf(
    await prisma.category.groupBy({
      by: ['name'],
      _sum: { readers: true },
      _avg: { adPrice: true },
      orderBy: { name: 'asc' },
    }),
  )
  expectTypeOf(await api.category.aggregate({ _max: { name: true }, _count: { name: true } })).toEqualTypeOf(
    await prisma.category.aggregate({ _max: { name: true }, _count: { name: true } }),
  )
  expectTypeOf(await api.category.groupBy({ by: 'name', _count: true })).toEqualTypeOf(
    await prisma.category.groupBy({ by: 'name', _count: true }),
  )
  expectTypeOf(
    await api.category.groupBy({
      by: ['name', 'adPrice'],
      _count: { _all: true },
      having: { name: { not: '' } },
      orderBy: { _count: { name: 'desc' } },
      take: 2,
    }),
  ).toEqualTypeOf(
    await prisma.category.groupBy({
      by: ['name', 'adPrice'],
      _count: { _all: true },
      having: { name: { not: '' } },
      orderBy: { _count: { name: 'desc' } },
      take: 2,
    }),
  )
}
