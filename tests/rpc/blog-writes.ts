import type { Database } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { Arguments, poolOf } from './arbitrary.js'
import { Data } from './arbitrary-data.js'

export type Transaction = Parameters<Parameters<Database['orm']['$transaction']>[0]>[0]

const COUNTED = ['User', 'Profile', 'Post', 'Category']

// Databases differ in counters after a rollback. Ids from 500 on are compared as new.
const COUNT_FROM_500 = {
  sqlite: 'UPDATE sqlite_sequence SET seq = 499',
  postgresql: COUNTED.map((table) => `ALTER SEQUENCE "${table}_id_seq" RESTART WITH 500`).join(';'),
  mysql: COUNTED.map((table) => `ALTER TABLE \`${table}\` AUTO_INCREMENT = 500`).join(';'),
}

/** Fills the blog and returns random writes for it. */
export async function fillBlog(db: Database): Promise<Data> {
  await db.fill(seedBlog)
  await db.execute(COUNT_FROM_500[db.provider])
  return new Data(new Arguments(await poolOf(db), db.provider))
}

/** Reads every row of the blog. */
export function everything(orm: Pick<Transaction, 'user' | 'profile' | 'post' | 'comment' | 'category' | 'tag'>) {
  return Promise.all([
    orm.user.findMany({ orderBy: { id: 'asc' } }),
    orm.profile.findMany({ orderBy: { id: 'asc' } }),
    orm.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { name: 'asc' } } } }),
    orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] }),
    orm.category.findMany({ orderBy: { id: 'asc' } }),
    orm.tag.findMany({ orderBy: { name: 'asc' } }),
  ])
}

/** Runs work in a transaction that is rolled back when the work throws. */
export function transactionOf(orm: Pick<Database['orm'], '$transaction'>) {
  return (work: (orm: Transaction) => Promise<never>) => orm.$transaction(work, { timeout: 20_000, maxWait: 20_000 })
}

/** Calls an operation by its name. */
export function callOf(orm: object, model: string, operation: string, args: unknown): PromiseLike<unknown> | undefined {
  const delegate = Reflect.get(orm, model) as Record<string, (args: unknown) => PromiseLike<unknown>>
  return delegate[operation]?.(args)
}
