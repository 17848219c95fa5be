import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Writes of tags have the same result types as with a Prisma client that omits the password. */
export async function tagWrites(): Promise<void> {
  expectTypeOf(await api.tag.create({ data: { name: 'a' } })).toEqualTypeOf(
    await prisma.tag.create({ data: { name: 'a' } }),
  )
  expectTypeOf(
    await api.tag.create({
      data: { name: 'a', posts: { connect: [{ id: 1 }, { slug: 'a' }] } },
      select: { name: true },
    }),
  ).toEqualTypeOf(
    await prisma.tag.create({
      data: { name: 'a', posts: { connect: [{ id: 1 }, { slug: 'a' }] } },
      select: { name: true },
    }),
  )
  expectTypeOf(
    await api.tag.create({
      data: { name: 'a', posts: { connect: [{ id: 1 }, { slug: 'a' }] } },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.tag.create({
      data: { name: 'a', posts: { connect: [{ id: 1 }, { slug: 'a' }] } },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  )
  expectTypeOf(await api.tag.createMany({ data: [{ name: 'a' }] })).toEqualTypeOf(
    await prisma.tag.createMany({ data: [{ name: 'a' }] }),
  )
  expectTypeOf(await api.tag.createManyAndReturn({ data: [{ name: 'a' }] })).toEqualTypeOf(
    await prisma.tag.createManyAndReturn({ data: [{ name: 'a' }] }),
  )
  expectTypeOf(await api.tag.createManyAndReturn({ data: { name: 'a' }, select: { name: true } })).toEqualTypeOf(
    await prisma.tag.createManyAndReturn({ data: { name: 'a' }, select: { name: true } }),
  )
  expectTypeOf(await api.tag.update({ where: { name: 'a' }, data: { posts: { set: [] } } })).toEqualTypeOf(
    await prisma.tag.update({ where: { name: 'a' }, data: { posts: { set: [] } } }),
  )
  expectTypeOf(
    await api.tag.update({
      where: { name: 'a', posts: { some: {} } },
      data: { posts: { set: [] } },
      select: { name: true },
    }),
  ).toEqualTypeOf(
    await prisma.tag.update({
      where: { name: 'a', posts: { some: {} } },
      data: { posts: { set: [] } },
      select: { name: true },
    }),
  )
  expectTypeOf(await api.tag.updateMany({ where: { name: { in: ['a', 'b'] } }, data: { name: 'b' } })).toEqualTypeOf(
    await prisma.tag.updateMany({ where: { name: { in: ['a', 'b'] } }, data: { name: 'b' } }),
  )
  expectTypeOf(
    await api.tag.updateManyAndReturn({ where: {}, data: { name: 'b' }, select: { name: true } }),
  ).toEqualTypeOf(await prisma.tag.updateManyAndReturn({ where: {}, data: { name: 'b' }, select: { name: true } }))
  expectTypeOf(
    await api.tag.upsert({ where: { name: 'a' }, create: { name: 'a' }, update: { posts: { set: [] } } }),
  ).toEqualTypeOf(
    await prisma.tag.upsert({ where: { name: 'a' }, create: { name: 'a' }, update: { posts: { set: [] } } }),
  )
  expectTypeOf(
    await api.tag.upsert({
      where: { name: 'a', posts: { some: {} } },
      create: { name: 'a', posts: { connect: [{ id: 1 }, { slug: 'a' }] } },
      update: {},
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.tag.upsert({
      where: { name: 'a', posts: { some: {} } },
      create: { name: 'a', posts: { connect: [{ id: 1 }, { slug: 'a' }] } },
      update: {},
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  )
  expectTypeOf(await api.tag.delete({ where: { name: 'a' } })).toEqualTypeOf(
    await prisma.tag.delete({ where: { name: 'a' } }),
  )
  expectTypeOf(
    await api.tag.delete({
      where: { name: 'a', posts: { some: {} } },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.tag.delete({
      where: { name: 'a', posts: { some: {} } },
      include: { posts: { include: { author: true, category: { include: { parent: true } } } } },
    }),
  )
  expectTypeOf(await api.tag.deleteMany({ where: { name: { in: ['a', 'b'] } } })).toEqualTypeOf(
    await prisma.tag.deleteMany({ where: { name: { in: ['a', 'b'] } } }),
  )
}
