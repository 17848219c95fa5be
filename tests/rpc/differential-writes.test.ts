import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { BLOG } from './arbitrary.js'
import type { Data } from './arbitrary-data.js'
import { callOf, everything, fillBlog, transactionOf } from './blog-writes.js'
import { type Answer, rpcClient, superjsonOf } from './client.js'
import { copyOf, undone } from './undone.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

// On a server each of them is many round trips.
const RUNS = { embedded: 30, server: 15 }

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
