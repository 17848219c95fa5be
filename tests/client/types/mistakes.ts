import { api } from './clients.js'

/** Calls that do not compile, one per line. Prisma's types allow some of them, which the server would reject with a 4xx. */
export async function mistakes(): Promise<void> {
  // Unknown names, at any depth.
  // @ts-expect-error Unknown name.
  await api.article.findMany()
  // @ts-expect-error Unknown name.
  await api.post.findAll()
  // @ts-expect-error Unknown name.
  await api.post.findMany({ were: {} })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ where: { titel: 'a' } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ where: { title: 'a', titel: 'a' } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ where: { author: { email: 'a', mail: 'b' } } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ where: { comments: { some: { body: 'a', author: { is: { nam: 'a' } } } } } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ where: { title: { contains: 'a', containz: 'b' } } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ where: { OR: [{ title: 'a' }, { title: 'b', nope: 1 }] } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ select: { title: true, nope: true } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ include: { author: { select: { email: true, nope: true } } } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ include: { comments: { take: 1, nope: 1 } } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ include: { _count: { select: { comments: true, nope: true } } } })
  // @ts-expect-error It is not a relation.
  await api.post.findMany({ include: { author: true, title: true } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ orderBy: { nope: 'asc' } })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ orderBy: [{ author: { name: 'asc', nope: 'asc' } }] })
  // @ts-expect-error Unknown name.
  await api.post.findMany({ distinct: ['nope'] })
  // @ts-expect-error Unknown name.
  await api.post.create({ data: { slug: 'a', title: 'b', nope: 1 } })
  // @ts-expect-error Unknown name.
  await api.post.create({ data: { slug: 'a', title: 'b', author: { create: { email: 'a', password: 'b', nope: 1 } } } })
  // @ts-expect-error Unknown name.
  await api.post.update({ where: { id: 1 }, data: { comments: { deleteMany: { body: 'a', nope: 1 } } } })
  // @ts-expect-error Unknown name.
  await api.post.groupBy({ by: ['status'], _count: { nope: true } })
  // @ts-expect-error Unknown name.
  await api.post.aggregate({ _avg: { title: true } })

  // Wrong types.
  // @ts-expect-error Wrong type or missing argument.
  await api.post.findMany({ where: { status: 'PUBLISHT' } })
  // @ts-expect-error Wrong type or missing argument.
  await api.post.findMany({ take: '10' })
  // @ts-expect-error Wrong type or missing argument.
  await api.post.findUnique({ where: { title: 'a' } })
  // @ts-expect-error Wrong type or missing argument.
  await api.post.findUnique({})
  // @ts-expect-error Wrong type or missing argument.
  await api.post.create({ data: { slug: 'a' } })
  // @ts-expect-error Wrong type or missing argument.
  await api.category.create({ data: { name: 'a', readers: 'many' } })

  // Two arguments that exclude each other.
  // @ts-expect-error Conflicting or missing argument.
  await api.post.findMany({ select: { id: true }, include: { author: true } })
  // @ts-expect-error Conflicting or missing argument.
  await api.post.groupBy({ by: ['status'], take: 1 })

  // Reads of write-only fields, at any depth.
  // @ts-expect-error The password is write-only.
  await api.user.findMany({ where: { password: 'a' } })
  // @ts-expect-error The password is write-only.
  await api.user.findMany({ where: { NOT: { email: 'b', password: 'a' } } })
  // @ts-expect-error The password is write-only.
  await api.user.findMany({ select: { password: true } })
  // @ts-expect-error The password is write-only.
  await api.user.findMany({ omit: { password: true } })
  // @ts-expect-error The password is write-only.
  await api.user.findMany({ orderBy: { password: 'asc' } })
  // @ts-expect-error The password is write-only.
  await api.user.groupBy({ by: ['password'] })
  // @ts-expect-error The password is write-only.
  await api.user.groupBy({ by: ['email'], _max: { password: true } })
  // @ts-expect-error The password is write-only.
  await api.post.findMany({ where: { author: { password: 'a' } } })
  // @ts-expect-error The password is write-only.
  await api.post.findMany({ include: { author: { select: { password: true } } } })
  // @ts-expect-error The password is write-only.
  await api.post.findMany({ orderBy: { author: { password: 'asc' } } })
  // @ts-expect-error The password is write-only.
  await api.post.update({ where: { id: 1, author: { password: 'a' } }, data: {} })
  // @ts-expect-error The password is write-only.
  void (await api.user.findFirstOrThrow()).password
  // @ts-expect-error The password is write-only.
  void (await api.post.findFirstOrThrow({ include: { author: true } })).author?.password

  // Writes of read-only fields, and of ids that the database generates.
  // @ts-expect-error It cannot be written.
  await api.user.create({ data: { email: 'a', password: 'b', role: 'EDITOR' } })
  // @ts-expect-error It cannot be written.
  await api.user.create({ data: { email: 'a', password: 'b', createdAt: new Date() } })
  // @ts-expect-error It cannot be written.
  await api.user.create({ data: { email: 'a', password: 'b', id: 1 } })
  // @ts-expect-error It cannot be written.
  await api.user.update({ where: { id: 1 }, data: { role: { set: 'EDITOR' } } })
  // @ts-expect-error It cannot be written.
  await api.user.createMany({ data: [{ email: 'a', password: 'b', role: 'EDITOR' }] })
  // @ts-expect-error It cannot be written.
  await api.user.upsert({ where: { id: 1 }, create: { email: 'a', password: 'b' }, update: { id: 2 } })
  // @ts-expect-error It cannot be written.
  await api.post.update({ where: { id: 1 }, data: { author: { update: { role: 'EDITOR' } } } })
  // @ts-expect-error It cannot be written.
  await api.post.update({ where: { id: 1 }, data: { author: { update: { data: { role: 'EDITOR' } } } } })
  // @ts-expect-error It cannot be written.
  await api.tag.update({ where: { name: 'a' }, data: { posts: { create: { id: 1, slug: 'a', title: 'b' } } } })

  // Bulk writes without a `where`.
  // @ts-expect-error `where` is required.
  await api.post.deleteMany()
  // @ts-expect-error `where` is required.
  await api.post.deleteMany({})
  // @ts-expect-error `where` is required.
  await api.post.updateMany({ data: { title: 'a' } })

  // Arguments that `check` does not accept.
  // @ts-expect-error Unknown to `check`.
  await api.post.check({ operation: 'list' })
  // @ts-expect-error Unknown to `check`.
  await api.user.check({ operation: 'read', where: { password: 'a' } })
}
