import { changedPost, findManyArgs, newPost, newPosts, pick, upsertedUser } from '../operations.js'
import type { Calls, Orm } from './contender.js'

/** Implements the operations as bare Prisma calls, without parsing and JSON. */
export function prismaCalls(orm: Orm): Calls {
  const list = (where: object, args: object, n: number, limit: number) => {
    const page = { skip: (pick('Post', n) % 50) * limit, take: limit }
    return Promise.all([orm.post.findMany({ where, ...args, ...page }), orm.post.count({ where })])
  }
  const id = (n: number) => ({ id: pick('Post', n) })
  const create = (n: number, unique: string) =>
    orm.post.create({ data: { ...newPost(unique), authorId: pick('User', n) } })
  const createAll = (n: number, unique: string) =>
    orm.$transaction(newPosts(n, unique).map((data) => orm.post.create({ data })))
  return {
    list: (n) => list({}, { orderBy: { id: 'asc' } }, n, 20),
    'list-include': (n) => list({}, { orderBy: { id: 'asc' }, include: { author: true, comments: true } }, n, 100),
    'filter-selective': (n) =>
      orm.post.findMany({ where: { authorId: pick('User', n) }, orderBy: { createdAt: 'desc' }, take: 100 }),
    'filter-broad': (n) => list({ status: 'PUBLISHED' }, { orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] }, n, 20),
    get: (n) => orm.post.findUnique({ where: id(n) }),
    'all-types': (n) =>
      Promise.all([
        orm.reading.findMany({ orderBy: { id: 'asc' }, skip: (pick('Reading', n) % 49) * 20, take: 20 }),
        orm.reading.count(),
      ]),
    'related-many': (n) => orm.comment.findMany({ where: { postId: pick('Post', n) }, take: 100 }),
    'relationship-many': (n) =>
      orm.comment.findMany({ where: { postId: pick('Post', n) }, select: { id: true }, take: 100 }),
    'related-one': (n) => orm.post.findUnique({ where: id(n), select: { author: true } }),
    'relationship-one': (n) => orm.post.findUnique({ where: id(n), select: { authorId: true } }),
    create,
    update: (n) => orm.post.update({ where: id(n), data: changedPost(n) }),
    upsert: (n, unique) => {
      const { email, name } = upsertedUser(n, unique)
      return orm.user.upsert({ where: { email }, create: { email, name }, update: { name } })
    },
    'rpc-find-many': (n) => orm.post.findMany(findManyArgs(n)),
    'rpc-find-unique': (n) => orm.post.findUnique({ where: id(n) }),
    'rpc-create': create,
    'get-with-features': (n) => orm.post.findUnique({ where: id(n) }),
    'cursor-page': (n) =>
      orm.post.findMany({ where: { id: { gt: pick('Post', n) } }, orderBy: { id: 'asc' }, take: 21 }),
    'included-list': (n) =>
      orm.post.findMany({
        orderBy: { id: 'asc' },
        skip: (pick('Post', n) % 50) * 20,
        take: 21,
        include: { comments: { orderBy: { id: 'asc' }, take: 3 } },
      }),
    atomic: createAll,
    'conditional-update': async (n) => {
      const stock = await orm.stock.findUniqueOrThrow({ where: { id: pick('Stock', n) } })
      const where = { id: stock.id, version: stock.version }
      return orm.stock.update({ where, data: { quantity: n % 100, version: { increment: 1 } } })
    },
    'idempotent-create': create,
    'rpc-transaction': createAll,
    'custom-route': (n) => orm.post.findUnique({ where: id(n), select: { title: true, views: true } }),
  }
}
