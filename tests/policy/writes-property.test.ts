import { createPrismaAbility, type PrismaQueryOf } from '@casl/prisma/runtime'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { categoryResource } from '../../fixtures/blog/expected/category/resource.js'
import { commentResource } from '../../fixtures/blog/expected/comment/resource.js'
import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { profileResource } from '../../fixtures/blog/expected/profile/resource.js'
import { tagResource } from '../../fixtures/blog/expected/tag/resource.js'
import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import type { Prisma } from '../../fixtures/blog/client/client.js'
import { seed } from '../../fixtures/blog/seed.js'
import { policies, PolicyError } from '../../runtime/policy/index.js'
import { Arguments, BLOG, poolOf } from '../rpc/arbitrary.js'
import { Data } from '../rpc/arbitrary-data.js'
import { type Database, describeDatabases } from '../support/databases.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

/** Most of the rows that `createMany` makes up are refused by the database. */
const RUNS = { createMany: 160, others: 20 }

const COUNTED = ['User', 'Profile', 'Post', 'Category']

const COUNT_FROM_500 = {
  sqlite: 'UPDATE sqlite_sequence SET seq = 499',
  postgresql: COUNTED.map((table) => `ALTER SEQUENCE "${table}_id_seq" RESTART WITH 500`).join(';'),
  mysql: COUNTED.map((table) => `ALTER TABLE \`${table}\` AUTO_INCREMENT = 500`).join(';'),
}

/** Rules that every row meets, though nothing but the database can tell. */
const EVERY_ROW = {
  User: { id: { gt: 0 } },
  Profile: { id: { gt: 0 } },
  Post: { id: { gt: 0 } },
  Category: { id: { gt: 0 } },
  Comment: { seq: { gt: -1_000_000 } },
  Tag: { name: { not: '\u0001' } },
}

const enforce = policies([categoryResource, commentResource, postResource, profileResource, tagResource, userResource])

describeDatabases(
  'policy: writing what every rule allows is writing without rules',
  (db) => {
    let data: Data
    beforeAll(async () => {
      await db.reset()
      await seed(db.orm)
      await db.execute(COUNT_FROM_500[db.provider])
      data = new Data(new Arguments(await poolOf(db), db.provider))
    })

    for (const operation of WRITES) {
      it(`${operation}: the client's result and the client's rows`, async () => {
        const rules = Object.entries(EVERY_ROW).map(([subject, conditions]) => ({
          action: 'manage',
          subject,
          conditions,
        }))
        const policed: unknown = db.orm.$extends(
          enforce(createPrismaAbility<[string, string], PrismaQueryOf<Prisma.TypeMap>>(rules)),
        )
        const cases = fc
          .constantFrom(...BLOG.values())
          .chain((model) => fc.tuple(fc.constant(model.delegate), data.write(model, operation)))
        let same = 0
        await fc.assert(
          fc.asyncProperty(cases, async ([model, args]) => {
            const theirs = await undone(db.orm, model, operation, copyOf(args))
            const ours = await undone(policed as Database['orm'], model, operation, copyOf(args))
            const what = `${model}.${operation}(${JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1)})`
            // Types do not let a row be written from its own child; a series of flat writes does not mind.
            if (theirs instanceof Error && theirs.name === 'PrismaClientValidationError') return
            if (theirs instanceof Error) {
              expect(ours, `${what}: ${theirs.message.slice(-300)}`).toBeInstanceOf(Error)
              return
            }
            // What is denied whatever the rows are.
            if (ours instanceof PolicyError && /change them one by one|cannot be ordered by/.test(ours.message)) return
            expect(ours, what).toEqual(theirs)
            same++
          }),
          { numRuns: operation === 'createMany' ? RUNS.createMany : RUNS.others, endOnFailure: true },
        )
        expect(same).toBeGreaterThan(5)
      }, 120_000)
    }
  },
  { only: ['SQLite', 'PGlite'] },
)

interface Outcome {
  readonly result: unknown
  readonly state: unknown
}

/** Runs a call inside a transaction that is rolled back. */
async function undone(
  client: Database['orm'],
  model: string,
  operation: string,
  args: unknown,
): Promise<Outcome | Error> {
  let outcome: Outcome | Error | undefined
  const rollback = new Error('rollback')
  const work = async (orm: Transaction) => {
    try {
      const delegate = Reflect.get(orm, model) as Record<string, (args: unknown) => PromiseLike<unknown>>
      const result = await delegate[operation]?.(args)
      outcome = { result: comparable(result), state: comparable(await everything(orm)) }
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error))
    }
    throw rollback
  }
  await client.$transaction(work, { timeout: 20_000, maxWait: 20_000 }).catch((error: unknown) => {
    if (error !== rollback) throw error
  })
  if (!outcome) throw new Error('There was no outcome.')
  return outcome
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

/** Without moments and ids that are made anew each time. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).filter(([key]) => !['createdAt', 'updatedAt'].includes(key))
  return Object.fromEntries(
    members.map(([key, member]) => [key, /id$/i.test(key) && Number(member) >= 500 ? 'new' : comparable(member)]),
  )
}

// The client keeps what it is given; a copy keeps the case as it was.
function copyOf(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(copyOf)
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)]))
}
