import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Writes of profiles have the same result types as with a Prisma client that omits the password. */
export async function profileWrites(): Promise<void> {
  expectTypeOf(
    await api.profile.create({ data: { userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } } }),
  ).toEqualTypeOf(
    await prisma.profile.create({ data: { userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } } }),
  )
  expectTypeOf(
    await api.profile.create({
      data: { user: { create: { email: 'a', password: 'b' } } },
      select: { bio: true, avatar: true, settings: true },
    }),
  ).toEqualTypeOf(
    await prisma.profile.create({
      data: { user: { create: { email: 'a', password: 'b' } } },
      select: { bio: true, avatar: true, settings: true },
    }),
  )
  expectTypeOf(
    await api.profile.create({
      data: { user: { create: { email: 'a', password: 'b' } } },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.profile.create({
      data: { user: { create: { email: 'a', password: 'b' } } },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  )
  expectTypeOf(
    await api.profile.createMany({ data: [{ userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } }] }),
  ).toEqualTypeOf(
    await prisma.profile.createMany({ data: [{ userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } }] }),
  )
  expectTypeOf(
    await api.profile.createManyAndReturn({
      data: [{ userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } }],
    }),
  ).toEqualTypeOf(
    await prisma.profile.createManyAndReturn({
      data: [{ userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } }],
    }),
  )
  expectTypeOf(
    await api.profile.createManyAndReturn({
      data: { userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } },
      select: { bio: true, avatar: true, settings: true },
    }),
  ).toEqualTypeOf(
    await prisma.profile.createManyAndReturn({
      data: { userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } },
      select: { bio: true, avatar: true, settings: true },
    }),
  )
  expectTypeOf(await api.profile.update({ where: { id: 1 }, data: { avatar: null, bio: 'a' } })).toEqualTypeOf(
    await prisma.profile.update({ where: { id: 1 }, data: { avatar: null, bio: 'a' } }),
  )
  expectTypeOf(
    await api.profile.update({
      where: { userId: 1 },
      data: { avatar: null, bio: 'a' },
      select: { bio: true, avatar: true, settings: true },
    }),
  ).toEqualTypeOf(
    await prisma.profile.update({
      where: { userId: 1 },
      data: { avatar: null, bio: 'a' },
      select: { bio: true, avatar: true, settings: true },
    }),
  )
  expectTypeOf(
    await api.profile.updateMany({ where: { bio: null, settings: { path: '$.a', equals: 1 } }, data: { bio: null } }),
  ).toEqualTypeOf(
    await prisma.profile.updateMany({
      where: { bio: null, settings: { path: '$.a', equals: 1 } },
      data: { bio: null },
    }),
  )
  expectTypeOf(
    await api.profile.updateManyAndReturn({
      where: {},
      data: { bio: null },
      select: { bio: true, avatar: true, settings: true },
    }),
  ).toEqualTypeOf(
    await prisma.profile.updateManyAndReturn({
      where: {},
      data: { bio: null },
      select: { bio: true, avatar: true, settings: true },
    }),
  )
  expectTypeOf(
    await api.profile.upsert({
      where: { id: 1 },
      create: { userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } },
      update: { avatar: null, bio: 'a' },
    }),
  ).toEqualTypeOf(
    await prisma.profile.upsert({
      where: { id: 1 },
      create: { userId: 1, avatar: new Uint8Array([1]), settings: { a: [1, null] } },
      update: { avatar: null, bio: 'a' },
    }),
  )
  expectTypeOf(
    await api.profile.upsert({
      where: { userId: 1 },
      create: { user: { create: { email: 'a', password: 'b' } } },
      update: {},
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.profile.upsert({
      where: { userId: 1 },
      create: { user: { create: { email: 'a', password: 'b' } } },
      update: {},
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  )
  expectTypeOf(await api.profile.delete({ where: { id: 1 } })).toEqualTypeOf(
    await prisma.profile.delete({ where: { id: 1 } }),
  )
  expectTypeOf(
    await api.profile.delete({
      where: { userId: 1 },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  ).toEqualTypeOf(
    await prisma.profile.delete({
      where: { userId: 1 },
      include: { user: { include: { posts: { select: { category: { select: { adPrice: true } } } } } } },
    }),
  )
  expectTypeOf(
    await api.profile.deleteMany({ where: { bio: null, settings: { path: '$.a', equals: 1 } } }),
  ).toEqualTypeOf(await prisma.profile.deleteMany({ where: { bio: null, settings: { path: '$.a', equals: 1 } } }))
}
