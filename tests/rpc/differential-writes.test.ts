import fc from 'fast-check'
import { beforeAll, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { BLOG } from './arbitrary.js'
import type { Data } from './arbitrary-data.js'
import { callOf, everything, fillBlog, transactionOf } from './blog-writes.js'
import { ANY_COST, type TestResponse, rpcClient, superjsonOf } from './client.js'
import { copyOf, expectSame, runAndRollBack } from './rolled-back-call.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

// On a server, each run is many round trips.
const RUNS = { embedded: 20, server: 10 }

describeDatabases('RPC: writes compared with the Prisma client', (db) => {
  let data: Data
  beforeAll(async () => {
    data = await fillBlog(db)
  })

  for (const operation of WRITES) {
    it(`${operation}: matches the client's result and rows, or responds with 4xx if the client throws`, async () => {
      const superjson = superjsonOf(db.client.Prisma)
      const models = [...BLOG.values()]
      const cases = fc
        .constantFrom(...models)
        .chain((model) => fc.tuple(fc.constant(model.delegate), data.write(model, operation)))
      await fc.assert(
        fc.asyncProperty(cases, async ([model, args]) => {
          const transaction = transactionOf(db.orm)
          const prismaOutcome = await runAndRollBack(transaction, everything, (orm) =>
            callOf(orm, model, operation, copyOf(args)),
          )
          let response: TestResponse | undefined
          const rpcOutcome = await runAndRollBack(transaction, everything, async (orm) => {
            response = await rpcClient(db, ANY_COST, orm).call(model, operation, args)
            if (response.status >= 400) throw new Error(response.body.message)
            return superjson.parse(
              JSON.stringify({ json: response.body.data, meta: response.body.meta?.serialization }),
            )
          })
          expectSame(operation, prismaOutcome, rpcOutcome, response)
        }),
        { numRuns: runs(db.concurrent ? RUNS.server : RUNS.embedded), endOnFailure: true },
      )
    }, 90_000)
  }
})
