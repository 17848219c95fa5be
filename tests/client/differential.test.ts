import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { RpcError } from '../../client/index.js'
import { Arguments, BLOG, poolOf } from '../rpc/arbitrary.js'
import type { Data } from '../rpc/arbitrary-data.js'
import { callOf, everything, fillBlog, type Transaction, transactionOf } from '../rpc/blog-writes.js'
import { copyOf, undone } from '../rpc/undone.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { blogClient, callBy } from './support.js'

const READS = ['findMany', 'findFirst', 'findFirstOrThrow', 'findUnique', 'findUniqueOrThrow'] as const
const NUMBERS = ['count', 'aggregate', 'groupBy'] as const
const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

const RUNS = { embedded: 80, server: 30 }
const numRuns = (db: Database) => runs(db.concurrent ? RUNS.server : RUNS.embedded)

describeDatabases('client: the same as the Prisma client', (db) => {
  let args: Arguments
  let data: Data
  beforeAll(async () => {
    await db.fill(seedBlog)
    args = new Arguments(await poolOf(db), db.provider)
    data = await fillBlog(db)
  })

  const reads = fc
    .tuple(fc.constantFrom(...BLOG.values()), fc.constantFrom(...READS, ...NUMBERS))
    .chain(([model, operation]) =>
      fc.tuple(fc.constant(model.delegate), fc.constant(operation), args.read(model, operation)),
    )

  it('reads', async () => {
    const { api } = blogClient(db)
    await fc.assert(
      fc.asyncProperty(reads, async ([model, operation, given]) => {
        const theirs = await outcomeOf(() => callOf(db.orm, model, operation, copyOf(given)))
        expectSame(theirs, await outcomeOf(() => callBy(api, model, operation, given)))
      }),
      { numRuns: numRuns(db), endOnFailure: true },
    )
  }, 90_000)

  it('reads with undefined anywhere in the arguments', async () => {
    const { api } = blogClient(db)
    await fc.assert(
      fc.asyncProperty(reads, fc.nat(), async ([model, operation, given], at) => {
        const sparse = hollow(given, at)
        const theirs = await outcomeOf(() => callOf(db.orm, model, operation, copyOf(sparse)))
        const ours = await outcomeOf(() => callBy(api, model, operation, sparse))
        // Prisma trips over some of them, as over `_min: undefined`, which is not a thing to have in common.
        if (!(theirs instanceof Error)) expect(ours).toEqual(theirs)
        else if (ours instanceof RpcError) expect(ours.status, ours.message).toBeLessThan(500)
      }),
      { numRuns: numRuns(db), endOnFailure: true },
    )
  }, 90_000)

  it('writes', async () => {
    const writes = fc
      .tuple(fc.constantFrom(...BLOG.values()), fc.constantFrom(...WRITES))
      .chain(([model, operation]) =>
        fc.tuple(fc.constant(model.delegate), fc.constant(operation), data.write(model, operation)),
      )
    await fc.assert(
      fc.asyncProperty(writes, async ([model, operation, given]) => {
        const run = (call: (orm: Transaction) => PromiseLike<unknown> | undefined) =>
          undone(transactionOf(db.orm), everything, call)
        const theirs = await run((orm) => callOf(orm, model, operation, copyOf(given)))
        const ours = await run((orm) => callBy(blogClient(db, {}, orm).api, model, operation, given))
        if (ours instanceof Error && ours.message.includes('{} stands for all rows')) return
        expectSame(theirs, ours)
      }),
      { numRuns: numRuns(db), endOnFailure: true },
    )
  }, 90_000)
})

async function outcomeOf(call: () => PromiseLike<unknown> | undefined): Promise<unknown> {
  try {
    return withoutPassword(await call())
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The same value, or a refusal of the server's where Prisma refuses. */
function expectSame(theirs: unknown, ours: unknown): void {
  if (!(theirs instanceof Error)) return expect(ours).toEqual(theirs)
  expect(ours).toBeInstanceOf(RpcError)
  if (!(ours instanceof RpcError)) return
  expect(ours.status, ours.message).toBeGreaterThanOrEqual(400)
  expect(ours.status, ours.message).toBeLessThan(500)
}

/** With one member undefined. Elements of lists are left alone: neither client takes undefined there. */
function hollow(given: unknown, at: number): unknown {
  const membersOf = (value: unknown): number =>
    Array.isArray(value) || isPlain(value)
      ? Object.values(value).reduce<number>(
          (sum, part) => sum + membersOf(part),
          isPlain(value) ? Object.keys(value).length : 0,
        )
      : 0
  let left = at % Math.max(1, membersOf(given))
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, left-- === 0 ? undefined : copy(part)]))
  }
  return copy(given)
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** What Prisma gives, without what the routes never read. */
function withoutPassword(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(withoutPassword)
  if (!isPlain(result)) return result
  const members = Object.entries(result).filter(([key]) => key !== 'password')
  return Object.fromEntries(members.map(([key, value]) => [key, withoutPassword(value)]))
}
