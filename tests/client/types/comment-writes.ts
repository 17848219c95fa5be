import { expectTypeOf } from 'vitest'

import { api, prisma } from './clients.js'

/** Writes of comments have the same result types as with a Prisma client that omits the password. */
export async function commentWrites(): Promise<void> {
  expectTypeOf(await api.comment.create({ data: { postId: 1, seq: 1, body: 'a' } })).toEqualTypeOf(
    await prisma.comment.create({ data: { postId: 1, seq: 1, body: 'a' } }),
  )
  expectTypeOf(
    await api.comment.create({
      data: { seq: 1, body: 'a', post: { connect: { id: 1 } } },
      select: { body: true, createdAt: true, authorId: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.create({
      data: { seq: 1, body: 'a', post: { connect: { id: 1 } } },
      select: { body: true, createdAt: true, authorId: true },
    }),
  )
  expectTypeOf(
    await api.comment.create({
      data: { seq: 1, body: 'a', post: { connect: { id: 1 } } },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.create({
      data: { seq: 1, body: 'a', post: { connect: { id: 1 } } },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  )
  expectTypeOf(await api.comment.createMany({ data: [{ postId: 1, seq: 1, body: 'a' }] })).toEqualTypeOf(
    await prisma.comment.createMany({ data: [{ postId: 1, seq: 1, body: 'a' }] }),
  )
  expectTypeOf(await api.comment.createManyAndReturn({ data: [{ postId: 1, seq: 1, body: 'a' }] })).toEqualTypeOf(
    await prisma.comment.createManyAndReturn({ data: [{ postId: 1, seq: 1, body: 'a' }] }),
  )
  expectTypeOf(
    await api.comment.createManyAndReturn({
      data: { postId: 1, seq: 1, body: 'a' },
      select: { body: true, createdAt: true, authorId: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.createManyAndReturn({
      data: { postId: 1, seq: 1, body: 'a' },
      select: { body: true, createdAt: true, authorId: true },
    }),
  )
  expectTypeOf(
    await api.comment.update({ where: { postId_seq: { postId: 1, seq: 1 } }, data: { body: { set: 'b' } } }),
  ).toEqualTypeOf(
    await prisma.comment.update({ where: { postId_seq: { postId: 1, seq: 1 } }, data: { body: { set: 'b' } } }),
  )
  expectTypeOf(
    await api.comment.update({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      data: { body: { set: 'b' } },
      select: { body: true, createdAt: true, authorId: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.update({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      data: { body: { set: 'b' } },
      select: { body: true, createdAt: true, authorId: true },
    }),
  )
  expectTypeOf(
    await api.comment.updateMany({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      data: { body: 'b' },
    }),
  ).toEqualTypeOf(
    await prisma.comment.updateMany({
      where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } },
      data: { body: 'b' },
    }),
  )
  expectTypeOf(
    await api.comment.updateManyAndReturn({
      where: {},
      data: { body: 'b' },
      select: { body: true, createdAt: true, authorId: true },
    }),
  ).toEqualTypeOf(
    await prisma.comment.updateManyAndReturn({
      where: {},
      data: { body: 'b' },
      select: { body: true, createdAt: true, authorId: true },
    }),
  )
  expectTypeOf(
    await api.comment.upsert({
      where: { postId_seq: { postId: 1, seq: 1 } },
      create: { postId: 1, seq: 1, body: 'a' },
      update: { body: { set: 'b' } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.upsert({
      where: { postId_seq: { postId: 1, seq: 1 } },
      create: { postId: 1, seq: 1, body: 'a' },
      update: { body: { set: 'b' } },
    }),
  )
  expectTypeOf(
    await api.comment.upsert({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      create: { seq: 1, body: 'a', post: { connect: { id: 1 } } },
      update: {},
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.upsert({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      create: { seq: 1, body: 'a', post: { connect: { id: 1 } } },
      update: {},
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  )
  expectTypeOf(await api.comment.delete({ where: { postId_seq: { postId: 1, seq: 1 } } })).toEqualTypeOf(
    await prisma.comment.delete({ where: { postId_seq: { postId: 1, seq: 1 } } }),
  )
  expectTypeOf(
    await api.comment.delete({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  ).toEqualTypeOf(
    await prisma.comment.delete({
      where: { postId_seq: { postId: 2, seq: 1 }, body: 'a' },
      include: { post: { include: { author: { include: { profile: true } }, tags: true } } },
    }),
  )
  expectTypeOf(
    await api.comment.deleteMany({ where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } } }),
  ).toEqualTypeOf(
    await prisma.comment.deleteMany({ where: { body: { startsWith: 'a' }, createdAt: { lt: new Date() } } }),
  )
}
