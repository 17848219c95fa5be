import fc from 'fast-check'
import { beforeAll, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { BLOG } from './arbitrary.js'
import type { Data } from './arbitrary-data.js'
import { callOf, everything, fillBlog, transactionOf } from './blog-writes.js'
import { ANY_COST, type Answer, rpcClient, superjsonOf } from './client.js'
import { copyOf, expectSame, undone } from './undone.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

// On a server each of them is many round trips.
const RUNS = { embedded: 20, server: 10 }

describeDatabases('RPC: writes the same as the Prisma client', (db) => {
  let data: Data
  beforeAll(async () => {
    data = await fillBlog(db)
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
          const transaction = transactionOf(db.orm)
          const theirs = await undone(transaction, everything, (orm) => callOf(orm, model, operation, copyOf(args)))
          let answer: Answer | undefined
          const ours = await undone(transaction, everything, async (orm) => {
            answer = await rpcClient(db, ANY_COST, orm).call(model, operation, args)
            if (answer.status >= 400) throw new Error(answer.body.message)
            return superjson.parse(JSON.stringify({ json: answer.body.data, meta: answer.body.meta?.serialization }))
          })
          expectSame(operation, theirs, ours, answer)
        }),
        { numRuns: runs(db.concurrent ? RUNS.server : RUNS.embedded), endOnFailure: true },
      )
    }, 90_000)
  }
})
