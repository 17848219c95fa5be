/**
 * Measures response times for arbitrary input: `npm run bench:fuzz`. Sends valid, almost valid and invalid arguments, metadata, queries and
 * documents to both styles of the blog on SQLite. Fails if a response is a 5xx or takes more than 50 times the median. More than half of
 * the requests are valid, because otherwise the median would be that of rejections, which are fast. Slow requests are repeated, to rule out
 * other load on the machine.
 *
 *     npm run bench:fuzz -- --runs 20000 --seed 7
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import fc from 'fast-check'

import { Prisma, PrismaClient } from '../fixtures/blog/client/client.js'
import { RestApiHandler, RPCApiHandler } from '../fixtures/blog/expected/index.js'
import { seed as fill } from '../fixtures/blog/seed.js'
import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { document, garbledQuery, validQuery } from '../tests/rest/support/arbitrary-requests.js'
import { Arguments, BLOG, poolOf } from '../tests/rpc/arbitrary.js'
import { args, leaf, meta, OPERATIONS, replaceOne } from '../tests/rpc/arbitrary-requests.js'
import { methodOf, superjsonOf } from '../tests/rpc/client.js'
import { spread } from './measure.js'

/** A request that can be repeated. */
interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
}

interface TimedRequest extends SentRequest {
  readonly ms: number
  readonly status: number
}

const MAX_RATIO = 50
const MAX_REPEATS = 5

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '4000' }, seed: { type: 'string', default: '20261121' } },
})
const sampling = { numRuns: Number(values.runs), seed: Number(values.seed) }

const send = (method: string, path: string, body?: unknown): SentRequest => ({
  method,
  path,
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

function call(model: string, operation: string, args: unknown, meta: unknown): SentRequest {
  const method = methodOf(operation)
  const path = `/${model}/${operation}`
  const plain = typeof args === 'object' && args !== null && !Array.isArray(args)
  if (method !== 'GET' && method !== 'DELETE') return send(method, path, plain && meta ? { ...args, meta } : args)
  const query = `q=${encodeURIComponent(JSON.stringify(args))}`
  return send(
    method,
    `${path}?${meta === undefined ? query : `${query}&meta=${encodeURIComponent(JSON.stringify(meta))}`}`,
  )
}

async function rpcRequests(orm: PrismaClient): Promise<fc.Arbitrary<SentRequest>> {
  const valid = new Arguments(await poolOf({ orm } as never), 'sqlite')
  const superjson = superjsonOf(Prisma as never)
  const delegates = [...BLOG.values()].map(({ delegate }) => delegate)
  const any = fc
    .tuple(fc.constantFrom(...delegates), fc.constantFrom(...OPERATIONS), args, meta)
    .map(([model, operation, args, meta]) => call(model, operation, args, meta))
  const reads = fc
    .tuple(fc.constantFrom(...BLOG.values()), fc.constantFrom('findMany', 'findFirst', 'count', 'aggregate', 'groupBy'))
    .chain(([model, operation]) =>
      fc
        .tuple(
          valid.read(model, operation),
          fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.tuple(fc.nat(), leaf)),
        )
        .map(([args, isSpoilt]) => {
          const { json, meta } = superjson.serialize(args)
          const path = `/${model.delegate}/${operation}`
          if (isSpoilt) return send('POST', path, replaceOne(json, ...isSpoilt))
          return send('POST', path, {
            ...Object(json),
            ...(meta && { meta: { serialization: { values: meta.values } } }),
          })
        }),
    )
  return fc.oneof(any, { weight: 4, arbitrary: reads })
}

const restRequests: fc.Arbitrary<SentRequest> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(validQuery, fc.constantFrom('/post', '/user/2/posts', '/category/1/posts', '/tag/bread/posts'))
      .map(([query, path]) => send('GET', `${path}?${new URLSearchParams(query)}`)),
  },
  garbledQuery.map(({ query }) => send('GET', `/post?${new URLSearchParams(query)}`)),
  fc
    .tuple(
      fc.constantFrom('POST', 'PATCH'),
      fc.constantFrom('/post', '/post/1', '/post/1/relationships/tags', '/post/1/relationships/author'),
      document,
    )
    .map(([method, path, body]) => send(method, path, body)),
)

type FetchHandler = (request: Request) => Promise<Response>

async function measureRequest(handle: FetchHandler, sent: SentRequest): Promise<TimedRequest> {
  const { method, path, body } = sent
  const json = body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }
  const request = new Request(`http://localhost${path}`, { method, ...json })
  const start = performance.now()
  const response = await handle(request)
  const text = await response.text()
  const ms = performance.now() - start
  if (response.status >= 500) throw new Error(`${response.status} for ${method} ${path} ${body ?? ''}\n${text}`)
  return { ...sent, ms, status: response.status }
}

/** Restores all rows, because some requests delete them. */
async function refillBlog(orm: PrismaClient): Promise<void> {
  await orm.category.updateMany({ data: { parentId: null } })
  for (const table of ['Comment', '_PostToTag', 'Post', 'Tag', 'Category', 'Profile', 'User', 'sqlite_sequence']) {
    await orm.$executeRawUnsafe(`DELETE FROM "${table}"`)
  }
  await fill(orm)
}

/**
 * Runs the requests of a style.
 * @returns whether all responses took at most {@link MAX_RATIO} times the median
 */
async function runRequests(
  style: string,
  requests: fc.Arbitrary<SentRequest>,
  handle: FetchHandler,
  refill: () => Promise<void>,
): Promise<boolean> {
  const all: TimedRequest[] = []
  for (const [index, sent] of fc.sample(requests, sampling).entries()) {
    if (index % 200 === 0) await refill()
    all.push(await measureRequest(handle, sent))
  }
  const warm = all.slice(Math.floor(all.length / 10))
  const { median } = spread(warm.map(({ ms }) => ms))
  const sortByTime = (list: readonly TimedRequest[]) => [...list].sort((a, b) => b.ms - a.ms)
  const worst: TimedRequest[] = []
  for (const first of sortByTime(warm).slice(0, 50)) {
    let best = first
    await refill()
    for (let time = 0; time < MAX_REPEATS; time++) {
      const repeated = await measureRequest(handle, first)
      if (repeated.ms < best.ms) best = repeated
    }
    worst.push(best)
  }
  const slowest = sortByTime(worst)
  const ok = warm.filter(({ status }) => status < 300)
  const ratio = (slowest[0]?.ms ?? NaN) / median
  console.log(
    `${style}: ${all.length} requests, ${ok.length} of the last ${warm.length} answered with success. Median ` +
      `${median.toFixed(3)} ms (success: ${spread(ok.map(({ ms }) => ms)).median.toFixed(3)} ms). The worst: × ${ratio.toFixed(1)}`,
  )
  for (const { ms, status, method, path, body } of slowest.slice(0, 5)) {
    const text = `${method} ${decodeURIComponent(path)} ${body ?? ''}`
    console.log(`  × ${(ms / median).toFixed(1)}  ${ms.toFixed(2)} ms  ${status}  ${text.slice(0, 300)}`)
  }
  return ratio <= MAX_RATIO
}

const folder = await mkdtemp(join(tmpdir(), 'routewright-fuzz-'))
const adapter = new PrismaLibSql({ url: `file:${join(folder, 'fuzz.db')}`, intMode: 'bigint' })
const connection = await adapter.connect()
await connection.executeScript(await readFile(preparedFixture('blog', 'sqlite').tables, 'utf8'))
const orm = new PrismaClient({ adapter })
try {
  const refill = () => refillBlog(orm)
  await refill()
  const context = { getOrm: () => orm, log: () => {} }
  const rpc = RPCApiHandler()
  const rest = RestApiHandler({ endpoint: 'http://localhost' })
  const isPassing = [
    await runRequests('REST', restRequests, (request) => rest.fetch(request, context), refill),
    await runRequests('RPC', await rpcRequests(orm), (request) => rpc.fetch(request, context), refill),
  ]
  if (isPassing.includes(false)) {
    console.log(`An answer took more than ${MAX_RATIO} times as long as the median.`)
    process.exitCode = 1
  }
} finally {
  await orm.$disconnect()
  await connection.dispose()
  await rm(folder, { recursive: true, force: true })
}
