import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Writes of posts have the same result types as with a Prisma client that omits the password. */
export async function postWrites(): Promise<void> {
  expectTypeOf(await api.post.create({ data: { slug: 'a', title: 'b' } })).toEqualTypeOf(
    await prisma.post.create({ data: { slug: 'a', title: 'b' } }),
  )
  expectTypeOf(
    await api.post.create({
      data: { slug: 'a', title: 'b', tags: { connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } } },
      select: { title: true, status: true, publishedAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.post.create({
      data: { slug: 'a', title: 'b', tags: { connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } } },
      select: { title: true, status: true, publishedAt: true },
    }),
  )
  expectTypeOf(
    await api.post.create({
      data: { slug: 'a', title: 'b', tags: { connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } } },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.create({
      data: { slug: 'a', title: 'b', tags: { connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } } },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  )
  expectTypeOf(await api.post.createMany({ data: [{ slug: 'a', title: 'b' }] })).toEqualTypeOf(
    await prisma.post.createMany({ data: [{ slug: 'a', title: 'b' }] }),
  )
  expectTypeOf(await api.post.createManyAndReturn({ data: [{ slug: 'a', title: 'b' }] })).toEqualTypeOf(
    await prisma.post.createManyAndReturn({ data: [{ slug: 'a', title: 'b' }] }),
  )
  expectTypeOf(
    await api.post.createManyAndReturn({
      data: { slug: 'a', title: 'b' },
      select: { title: true, status: true, publishedAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.post.createManyAndReturn({
      data: { slug: 'a', title: 'b' },
      select: { title: true, status: true, publishedAt: true },
    }),
  )
  expectTypeOf(
    await api.post.update({ where: { id: 1 }, data: { viewCount: { increment: 1 }, author: { disconnect: true } } }),
  ).toEqualTypeOf(
    await prisma.post.update({ where: { id: 1 }, data: { viewCount: { increment: 1 }, author: { disconnect: true } } }),
  )
  expectTypeOf(
    await api.post.update({
      where: { slug: 'a' },
      data: { viewCount: { increment: 1 }, author: { disconnect: true } },
      select: { title: true, status: true, publishedAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.post.update({
      where: { slug: 'a' },
      data: { viewCount: { increment: 1 }, author: { disconnect: true } },
      select: { title: true, status: true, publishedAt: true },
    }),
  )
  expectTypeOf(
    await api.post.updateMany({
      where: { status: 'PUBLISHED', publishedAt: { not: null } },
      data: { status: 'DRAFT' },
    }),
  ).toEqualTypeOf(
    await prisma.post.updateMany({
      where: { status: 'PUBLISHED', publishedAt: { not: null } },
      data: { status: 'DRAFT' },
    }),
  )
  expectTypeOf(
    await api.post.updateManyAndReturn({
      where: {},
      data: { status: 'DRAFT' },
      select: { title: true, status: true, publishedAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.post.updateManyAndReturn({
      where: {},
      data: { status: 'DRAFT' },
      select: { title: true, status: true, publishedAt: true },
    }),
  )
  expectTypeOf(
    await api.post.upsert({
      where: { id: 1 },
      create: { slug: 'a', title: 'b' },
      update: { viewCount: { increment: 1 }, author: { disconnect: true } },
    }),
  ).toEqualTypeOf(
    await prisma.post.upsert({
      where: { id: 1 },
      create: { slug: 'a', title: 'b' },
      update: { viewCount: { increment: 1 }, author: { disconnect: true } },
    }),
  )
  expectTypeOf(
    await api.post.upsert({
      where: { slug: 'a' },
      create: { slug: 'a', title: 'b', tags: { connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } } },
      update: {},
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.upsert({
      where: { slug: 'a' },
      create: { slug: 'a', title: 'b', tags: { connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } } },
      update: {},
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  )
  expectTypeOf(await api.post.delete({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.post.delete({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.post.delete({
      where: { slug: 'a' },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.post.delete({
      where: { slug: 'a' },
      include: { author: { include: { posts: { include: { category: true } } } }, tags: { include: { posts: true } } },
    }),
  )
  expectTypeOf(await api.post.deleteMany({ where: { status: 'PUBLISHED', publishedAt: { not: null } } })).toEqualTypeOf(
    await prisma.post.deleteMany({ where: { status: 'PUBLISHED', publishedAt: { not: null } } }),
  )
}
