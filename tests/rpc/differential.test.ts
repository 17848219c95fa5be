import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { Arguments, BLOG, poolOf } from './arbitrary.js'
import { ANY_COST, rpcClient, superjsonOf } from './client.js'

const READS = [
  'findMany',
  'findFirst',
  'findFirstOrThrow',
  'findUnique',
  'findUniqueOrThrow',
  'count',
  'aggregate',
  'groupBy',
] as const

const RUNS = { embedded: 70, server: 30 }

describeDatabases('RPC: reads compared with the Prisma client', (db) => {
  let args: Arguments
  beforeAll(async () => {
    await db.fill(seedBlog)
    args = new Arguments(await poolOf(db), db.provider)
  })

  for (const operation of READS) {
    it(`${operation}: matches the client's result, or responds with 4xx if the client throws`, async () => {
      const api = rpcClient(db, ANY_COST)
      const superjson = superjsonOf(db.client.Prisma)
      const models = [...BLOG.values()]
      const cases = fc
        .constantFrom(...models)
        .chain((model) => fc.tuple(fc.constant(model.delegate), args.read(model, operation)))
      await fc.assert(
        fc.asyncProperty(cases, async ([model, input]) => {
          const prismaOutcome = await outcome(db, model, operation, input)
          const response = await api.call(model, operation, input)
          if (!prismaOutcome.ok) {
            expect(response.status, response.body.message).toBeGreaterThanOrEqual(400)
            expect(response.status, response.body.message).toBeLessThan(500)
            return
          }
          expect(response.status, response.body.message).toBe(200)
          const expected = withoutPassword(prismaOutcome.result)
          // Equal to the output of superjson byte for byte, so it also parses to the same value.
          const { json, meta } = superjson.serialize(expected)
          const serialization = meta?.values && { values: meta.values, v: 1 }
          const body = serialization ? { data: json, meta: { serialization } } : { data: json }
          expect(JSON.stringify(response.body)).toBe(JSON.stringify(body))
        }),
        { numRuns: runs(db.concurrent ? RUNS.server : RUNS.embedded), endOnFailure: true },
      )
    }, 90_000)
  }
})

type Outcome = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: unknown }

async function outcome(db: Database, delegate: string, operation: string, args: unknown): Promise<Outcome> {
  try {
    const model = Reflect.get(db.orm, delegate) as Record<string, (args: unknown) => PromiseLike<unknown>>
    return { ok: true, result: await model[operation]?.(structuredCloneOf(args)) }
  } catch (error) {
    return { ok: false, error }
  }
}

// Copies arguments, so that the client cannot change the generated case.
function structuredCloneOf(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(structuredCloneOf)
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, structuredCloneOf(value)]))
}

/** Removes the fields that the routes never read from the client's result. */
function withoutPassword(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(withoutPassword)
  if (typeof result !== 'object' || result === null || Object.getPrototypeOf(result) !== Object.prototype) return result
  const members = Object.entries(result).filter(([key]) => key !== 'password')
  return Object.fromEntries(members.map(([key, value]) => [key, withoutPassword(value)]))
}
