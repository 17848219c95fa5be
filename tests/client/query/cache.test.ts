import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { createRpcClient, RpcError } from '../../../client/index.js'
import { createRpcQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { Arguments, BLOG, poolOf } from '../../rpc/arbitrary.js'
import type { Data } from '../../rpc/arbitrary-data.js'
import { fillBlog, transactionOf } from '../../rpc/blog-writes.js'
import { ANY_COST } from '../../rpc/client.js'
import { runAndRollBack } from '../../rpc/rolled-back-call.js'
import { describeDatabases } from '../../support/databases.js'
import { isLong } from '../../support/form.js'
import { everydayReads, everydayWrites } from './everyday.js'

const READS = ['findMany', 'findFirst', 'findUnique', 'count', 'aggregate', 'groupBy'] as const
const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

/** A call: the model's delegate, the operation and its arguments. */
type Call = readonly [delegate: string, operation: string, args: unknown]

interface Tally {
  refetched: number
  changed: number
}

const WRITES_EACH = 10
const numRuns = isLong ? 50 : 4

describeDatabases(
  'RPC queries after random mutations',
  (db) => {
    let args: Arguments
    let data: Data
    let current: unknown
    let call: (...call: Call) => Promise<unknown>
    let queries: object
    beforeAll(async () => {
      data = await fillBlog(db)
      // Databases return unordered rows in any order, which a write may change.
      args = new Arguments(await poolOf(db), db.provider, true)
      current = db.orm
      const app = db.hono.createHonoHandler({
        getOrm: () => current as typeof db.orm,
        handler: db.routes.RPCApiHandler(ANY_COST),
        prefix: '/api',
      })
      const api = createRpcClient<Api>({ url: '/api', fetch: (request) => app.fetch(request) })
      call = (delegate, operation, args) => Reflect.get(Reflect.get(api, delegate), operation)(args)
      queries = createRpcQueries(api, { graph })
    })

    /** Runs a mutation with many mounted queries, and compares their data with the database. */
    async function check(base: readonly (readonly [Call, unknown])[], write: Call, tally: Tally): Promise<void> {
      let failure: unknown
      const outcome = await runAndRollBack(
        transactionOf(db.orm),
        async () => null,
        async (orm) => {
          current = orm
          try {
            const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
            const fetched = new Set<Call>()
            const observers = base.map(([read, initialData]) => {
              const [delegate, operation, args] = read
              const options = Reflect.get(Reflect.get(queries, delegate), operation).queryOptions(args)
              const queryFn = (context: unknown) => {
                fetched.add(read)
                return options.queryFn(context)
              }
              const observer = new QueryObserver(client, { ...options, queryFn, initialData })
              return { observer, leave: observer.subscribe(() => undefined) }
            })
            const [delegate, operation, input] = write
            const options = Reflect.get(Reflect.get(queries, delegate), operation).mutationOptions()
            const error = await new MutationObserver<unknown, Error, unknown>(client, options).mutate(input).then(
              () => undefined,
              (error: unknown) => error,
            )
            if (error instanceof RpcError && error.status < 500) {
              // A rejected write has no effect. It cannot be rolled back by itself here. These errors suggest that the cache is outdated.
              if (![404, 409, 412].includes(error.status)) expect(fetched.size, error.message).toBe(0)
              return null
            }
            for (const [index, [read, before]] of base.entries()) {
              const there = await call(...read).catch(() => undefined)
              const { data } = observers[index]?.observer.getCurrentResult() ?? {}
              if (there !== undefined)
                expect(data, `${JSON.stringify(write, big)}\n${JSON.stringify(read, big)}`).toEqual(there)
              if (!sameData(before, there)) tally.changed++
            }
            tally.refetched += fetched.size
            for (const { leave } of observers) leave()
            client.clear()
          } catch (error) {
            failure = error
          }
          return null
        },
      )
      current = db.orm
      if (failure) throw failure
      if (outcome instanceof Error) throw outcome
    }

    async function readSuccessfully(reads: readonly Call[]): Promise<(readonly [Call, unknown])[]> {
      const all = await Promise.all(
        reads.map(async (read) => [read, await call(...read).catch(() => undefined)] as const),
      )
      return all.filter(([, data]) => data !== undefined)
    }

    it('match the server after any read and write', async () => {
      const models = fc.constantFrom(...BLOG.values())
      const reads = fc
        .tuple(models, fc.constantFrom(...READS))
        .chain(([model, operation]) =>
          args.read(model, operation).map((input): Call => [model.delegate, operation, input]),
        )
      const writes = fc
        .tuple(models, fc.constantFrom(...WRITES))
        .chain(([model, operation]) =>
          data.write(model, operation).map((input): Call => [model.delegate, operation, input]),
        )
      const tally = { refetched: 0, changed: 0 }
      await fc.assert(
        fc.asyncProperty(
          fc.array(reads, { minLength: 8, maxLength: 16 }),
          fc.array(writes, { minLength: WRITES_EACH, maxLength: WRITES_EACH }),
          async (reads, writes) => {
            const base = await readSuccessfully(reads)
            for (const write of writes) await check(base, write, tally)
          },
        ),
        { numRuns, endOnFailure: true },
      )
    }, 900_000)

    it('refetch at most 1.5 times per changed query in a typical app', async () => {
      const tally = { refetched: 0, changed: 0 }
      const base = await readSuccessfully(everydayReads)
      expect(base).toHaveLength(everydayReads.length)
      await fc.assert(
        fc.asyncProperty(everydayWrites, (write) => check(base, write, tally)),
        { numRuns: numRuns * WRITES_EACH, endOnFailure: true },
      )
      expect(tally.refetched / tally.changed).toBeLessThanOrEqual(1.5)
    }, 900_000)
  },
  { only: ['sqlite'] },
)

function sameData(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, big) === JSON.stringify(b, big)
}

function big(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
