import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { seed } from '../../fixtures/blog/seed.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { Arguments, BLOG, poolOf } from './arbitrary.js'
import { Data } from './arbitrary-data.js'
import { type Answer, rpcClient, superjsonOf } from './client.js'
import { copyOf, undone } from './undone.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

// On a server each of them is many round trips.
const RUNS = { embedded: 60, server: 40 }

const COUNTED = ['User', 'Profile', 'Post', 'Category']

// Databases do not count the same after a rollback; what they count from 500 on is compared as new.
const COUNT_FROM_500 = {
  sqlite: 'UPDATE sqlite_sequence SET seq = 499',
  postgresql: COUNTED.map((table) => `ALTER SEQUENCE "${table}_id_seq" RESTART WITH 500`).join(';'),
  mysql: COUNTED.map((table) => `ALTER TABLE \`${table}\` AUTO_INCREMENT = 500`).join(';'),
}

describeDatabases('RPC: writes the same as the Prisma client', (db) => {
  let data: Data
  beforeAll(async () => {
    await db.reset()
    await seed(db.orm)
    await db.execute(COUNT_FROM_500[db.provider])
    data = new Data(new Arguments(await poolOf(db), db.provider))
  })

  for (const operation of WRITES) {
    it(`${operation}: the client's result and the client's rows, or a 4xx where the client refuses`, async () => {
      const superjson = superjsonOf(db.client.Prisma)
      const models = [...BLOG.values()]
      const cases = fc
        .constantFrom(...models)
        .chain((model) => fc.tuple(fc.constant(model.delegate), data.write(model, operation)))
      await fc.assert(
        fc.asyncProperty(cases, async ([model, args]) => {
          const theirs = await undone(transactionOf(db), everything, (orm) => {
            const delegate = Reflect.get(orm, model) as Record<string, (args: unknown) => PromiseLike<unknown>>
            return delegate[operation]?.(copyOf(args))
          })
          let answer: Answer | undefined
          const ours = await undone(transactionOf(db), everything, async (orm) => {
            answer = await rpcClient(db, {}, orm).call(model, operation, args)
            if (answer.status >= 400) throw new Error(answer.body.message)
            return superjson.parse(JSON.stringify({ json: answer.body.data, meta: answer.body.meta?.serialization }))
          })
          const said = `${answer?.status} ${answer?.body.message} ${String(theirs instanceof Error ? theirs.message : '').slice(-300)}`
          // Our own rule, which the client does not have: all rows are meant by `{}` alone (design, section 5).
          const isOpen = answer?.body.message?.includes('{} stands for all rows')
          if (isOpen) {
            expect(answer?.status, said).toBe(400)
          } else if (theirs instanceof Error) {
            expect(answer?.status, said).toBeGreaterThanOrEqual(400)
            expect(answer?.status, said).toBeLessThan(500)
          } else {
            expect(answer?.status, said).toBe(operation.startsWith('create') ? 201 : 200)
            expect(ours).toEqual(theirs)
          }
        }),
        { numRuns: db.concurrent ? RUNS.server : RUNS.embedded, endOnFailure: true },
      )
    }, 90_000)
  }
})

/** A transaction that is rolled back by what its work throws. */
function transactionOf(db: Database) {
  return (work: (orm: Transaction) => Promise<never>) => db.orm.$transaction(work, { timeout: 20_000, maxWait: 20_000 })
}

type Transaction = Parameters<Parameters<Database['orm']['$transaction']>[0]>[0]

function everything(orm: Pick<Transaction, 'user' | 'profile' | 'post' | 'comment' | 'category' | 'tag'>) {
  return Promise.all([
    orm.user.findMany({ orderBy: { id: 'asc' } }),
    orm.profile.findMany({ orderBy: { id: 'asc' } }),
    orm.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { name: 'asc' } } } }),
    orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] }),
    orm.category.findMany({ orderBy: { id: 'asc' } }),
    orm.tag.findMany({ orderBy: { name: 'asc' } }),
  ])
}
