import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Writes of users have the same result types as with a Prisma client that omits the password. */
export async function userWrites(): Promise<void> {
  expectTypeOf(await api.user.create({ data: { email: 'a', password: 'b' } })).toEqualTypeOf(
    await prisma.user.create({ data: { email: 'a', password: 'b' } }),
  )
  expectTypeOf(
    await api.user.create({
      data: { email: 'a', password: 'b', posts: { createMany: { data: [{ slug: 'a', title: 'b' }] } } },
      select: { email: true, role: true, createdAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.user.create({
      data: { email: 'a', password: 'b', posts: { createMany: { data: [{ slug: 'a', title: 'b' }] } } },
      select: { email: true, role: true, createdAt: true },
    }),
  )
  expectTypeOf(
    await api.user.create({
      data: { email: 'a', password: 'b', posts: { createMany: { data: [{ slug: 'a', title: 'b' }] } } },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.create({
      data: { email: 'a', password: 'b', posts: { createMany: { data: [{ slug: 'a', title: 'b' }] } } },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  )
  expectTypeOf(await api.user.createMany({ data: [{ email: 'a', password: 'b' }] })).toEqualTypeOf(
    await prisma.user.createMany({ data: [{ email: 'a', password: 'b' }] }),
  )
  expectTypeOf(await api.user.createManyAndReturn({ data: [{ email: 'a', password: 'b' }] })).toEqualTypeOf(
    await prisma.user.createManyAndReturn({ data: [{ email: 'a', password: 'b' }] }),
  )
  expectTypeOf(
    await api.user.createManyAndReturn({
      data: { email: 'a', password: 'b' },
      select: { email: true, role: true, createdAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.user.createManyAndReturn({
      data: { email: 'a', password: 'b' },
      select: { email: true, role: true, createdAt: true },
    }),
  )
  expectTypeOf(await api.user.update({ where: { id: 1 }, data: { password: 'c', name: null } })).toEqualTypeOf(
    await prisma.user.update({ where: { id: 1 }, data: { password: 'c', name: null } }),
  )
  expectTypeOf(
    await api.user.update({
      where: { email: 'a' },
      data: { password: 'c', name: null },
      select: { email: true, role: true, createdAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.user.update({
      where: { email: 'a' },
      data: { password: 'c', name: null },
      select: { email: true, role: true, createdAt: true },
    }),
  )
  expectTypeOf(
    await api.user.updateMany({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      data: { name: 'b' },
    }),
  ).toEqualTypeOf(
    await prisma.user.updateMany({
      where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] },
      data: { name: 'b' },
    }),
  )
  expectTypeOf(
    await api.user.updateManyAndReturn({
      where: {},
      data: { name: 'b' },
      select: { email: true, role: true, createdAt: true },
    }),
  ).toEqualTypeOf(
    await prisma.user.updateManyAndReturn({
      where: {},
      data: { name: 'b' },
      select: { email: true, role: true, createdAt: true },
    }),
  )
  expectTypeOf(
    await api.user.upsert({
      where: { id: 1 },
      create: { email: 'a', password: 'b' },
      update: { password: 'c', name: null },
    }),
  ).toEqualTypeOf(
    await prisma.user.upsert({
      where: { id: 1 },
      create: { email: 'a', password: 'b' },
      update: { password: 'c', name: null },
    }),
  )
  expectTypeOf(
    await api.user.upsert({
      where: { email: 'a' },
      create: { email: 'a', password: 'b', posts: { createMany: { data: [{ slug: 'a', title: 'b' }] } } },
      update: {},
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.upsert({
      where: { email: 'a' },
      create: { email: 'a', password: 'b', posts: { createMany: { data: [{ slug: 'a', title: 'b' }] } } },
      update: {},
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  )
  expectTypeOf(await api.user.delete({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.user.delete({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.user.delete({
      where: { email: 'a' },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.user.delete({
      where: { email: 'a' },
      include: { profile: true, posts: { select: { comments: { include: { author: true } } } } },
    }),
  )
  expectTypeOf(
    await api.user.deleteMany({ where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] } }),
  ).toEqualTypeOf(
    await prisma.user.deleteMany({ where: { role: { in: ['AUTHOR'] }, OR: [{ name: 'a' }, { NOT: { email: 'b' } }] } }),
  )
}
