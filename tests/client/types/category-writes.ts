import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Writes of categories have the same result types as with a Prisma client that omits the password. */
export async function categoryWrites(): Promise<void> {
  expectTypeOf(await api.category.create({ data: { name: 'a', adPrice: '1.5', readers: 1n } })).toEqualTypeOf(
    await prisma.category.create({ data: { name: 'a', adPrice: '1.5', readers: 1n } }),
  )
  expectTypeOf(
    await api.category.create({
      data: { name: 'a', posts: { create: { slug: 'a', title: 'b' } } },
      select: { name: true, adPrice: true, readers: true },
    }),
  ).toEqualTypeOf(
    await prisma.category.create({
      data: { name: 'a', posts: { create: { slug: 'a', title: 'b' } } },
      select: { name: true, adPrice: true, readers: true },
    }),
  )
  expectTypeOf(
    await api.category.create({
      data: { name: 'a', posts: { create: { slug: 'a', title: 'b' } } },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.category.create({
      data: { name: 'a', posts: { create: { slug: 'a', title: 'b' } } },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  )
  expectTypeOf(await api.category.createMany({ data: [{ name: 'a', adPrice: '1.5', readers: 1n }] })).toEqualTypeOf(
    await prisma.category.createMany({ data: [{ name: 'a', adPrice: '1.5', readers: 1n }] }),
  )
  expectTypeOf(
    await api.category.createManyAndReturn({ data: [{ name: 'a', adPrice: '1.5', readers: 1n }] }),
  ).toEqualTypeOf(await prisma.category.createManyAndReturn({ data: [{ name: 'a', adPrice: '1.5', readers: 1n }] }))
  expectTypeOf(
    await api.category.createManyAndReturn({
      data: { name: 'a', adPrice: '1.5', readers: 1n },
      select: { name: true, adPrice: true, readers: true },
    }),
  ).toEqualTypeOf(
    await prisma.category.createManyAndReturn({
      data: { name: 'a', adPrice: '1.5', readers: 1n },
      select: { name: true, adPrice: true, readers: true },
    }),
  )
  expectTypeOf(await api.category.update({ where: { id: 1 }, data: { readers: { increment: 1n } } })).toEqualTypeOf(
    await prisma.category.update({ where: { id: 1 }, data: { readers: { increment: 1n } } }),
  )
  expectTypeOf(
    await api.category.update({
      where: { name: 'a' },
      data: { readers: { increment: 1n } },
      select: { name: true, adPrice: true, readers: true },
    }),
  ).toEqualTypeOf(
    await prisma.category.update({
      where: { name: 'a' },
      data: { readers: { increment: 1n } },
      select: { name: true, adPrice: true, readers: true },
    }),
  )
  expectTypeOf(
    await api.category.updateMany({ where: { name: { contains: 'a' }, readers: { gt: 1n } }, data: { name: 'b' } }),
  ).toEqualTypeOf(
    await prisma.category.updateMany({ where: { name: { contains: 'a' }, readers: { gt: 1n } }, data: { name: 'b' } }),
  )
  expectTypeOf(
    await api.category.updateManyAndReturn({
      where: {},
      data: { name: 'b' },
      select: { name: true, adPrice: true, readers: true },
    }),
  ).toEqualTypeOf(
    await prisma.category.updateManyAndReturn({
      where: {},
      data: { name: 'b' },
      select: { name: true, adPrice: true, readers: true },
    }),
  )
  expectTypeOf(
    await api.category.upsert({
      where: { id: 1 },
      create: { name: 'a', adPrice: '1.5', readers: 1n },
      update: { readers: { increment: 1n } },
    }),
  ).toEqualTypeOf(
    await prisma.category.upsert({
      where: { id: 1 },
      create: { name: 'a', adPrice: '1.5', readers: 1n },
      update: { readers: { increment: 1n } },
    }),
  )
  expectTypeOf(
    await api.category.upsert({
      where: { name: 'a' },
      create: { name: 'a', posts: { create: { slug: 'a', title: 'b' } } },
      update: {},
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.category.upsert({
      where: { name: 'a' },
      create: { name: 'a', posts: { create: { slug: 'a', title: 'b' } } },
      update: {},
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  )
  expectTypeOf(await api.category.delete({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.category.delete({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.category.delete({
      where: { name: 'a' },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.category.delete({
      where: { name: 'a' },
      include: { children: { include: { posts: { include: { comments: true } } } } },
    }),
  )
  expectTypeOf(
    await api.category.deleteMany({ where: { name: { contains: 'a' }, readers: { gt: 1n } } }),
  ).toEqualTypeOf(await prisma.category.deleteMany({ where: { name: { contains: 'a' }, readers: { gt: 1n } } }))
}
