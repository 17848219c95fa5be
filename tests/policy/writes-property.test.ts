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
import { createPolicies, PolicyError } from '../../runtime/policy/index.js'
import { BLOG } from '../rpc/arbitrary.js'
import type { Data } from '../rpc/arbitrary-data.js'
import { callOf, everything, fillBlog, type Transaction, transactionOf } from '../rpc/blog-writes.js'
import { copyOf, runAndRollBack } from '../rpc/rolled-back-call.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

/** The database rejects most rows that are generated for `createMany`. */
const RUNS = { createMany: isLong ? 80 : 60, others: 20 }

/** Rules that every row matches, but that only the database can evaluate. */
const EVERY_ROW = {
  User: { id: { gt: 0 } },
  Profile: { id: { gt: 0 } },
  Post: { id: { gt: 0 } },
  Category: { id: { gt: 0 } },
  Comment: { seq: { gt: -1_000_000 } },
  Tag: { name: { not: '\u0001' } },
}

const enforce = createPolicies([
  categoryResource,
  commentResource,
  postResource,
  profileResource,
  tagResource,
  userResource,
])

describeDatabases(
  'policy: writes that every rule allows',
  (db) => {
    let data: Data
    beforeAll(async () => {
      data = await fillBlog(db)
    })

    for (const operation of WRITES) {
      it(`${operation}: matches the result and rows of the client without rules`, async () => {
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
            const run = (orm: Database['orm']) => {
              const call = (open: Transaction) => callOf(open, model, operation, copyOf(args))
              return runAndRollBack(transactionOf(orm), everything, call, ['createdAt', 'updatedAt'])
            }
            const expected = await run(db.orm)
            const actual = await run(policed as Database['orm'])
            const what = `${model}.${operation}(${JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1)})`
            // Prisma's types do not allow writing a row from its own child. A series of flat writes does.
            if (expected instanceof Error && expected.name === 'PrismaClientValidationError') return
            if (expected instanceof Error) {
              expect(actual, `${what}: ${expected.message.slice(-300)}`).toBeInstanceOf(Error)
              return
            }
            // Denied regardless of the rows.
            if (actual instanceof PolicyError && /Change them one by one|cannot be ordered by/.test(actual.message))
              return
            expect(actual, what).toEqual(expected)
            same++
          }),
          { numRuns: operation === 'createMany' ? RUNS.createMany : RUNS.others, endOnFailure: true },
        )
        expect(same).toBeGreaterThan(isLong || operation !== 'createMany' ? 5 : 2)
      }, 120_000)
    }
  },
  { only: ['SQLite', 'PGlite'] },
)
