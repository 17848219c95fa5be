import { type Cluster, numberOf, toUrl } from '../cluster.js'
import { type TestResponse, documents, send, type RequestSpec, runConcurrently, formatStatuses } from '../load.js'
import type { AppProcess } from '../processes.js'
import type { Finding } from '../report.js'

/** The result of concurrent writes through several processes, compared with the rows in the database. */
export interface WriteCounts {
  readonly rows: Finding['rows']
  readonly failures: readonly string[]
}

/**
 * Creates, upserts, increments and replaces concurrently through several processes.
 * @param prefix prefix of the rows' names
 * @param size number of requests of each kind
 */
export async function countConcurrentWrites(
  apps: readonly AppProcess[],
  primary: string,
  prefix: string,
  size: number,
): Promise<WriteCounts> {
  const rows: (readonly [string, string])[] = []
  const failures: string[] = []
  const ok = (responses: readonly TestResponse[], status: number) =>
    responses.filter((response) => response.status === status).length
  const expect = (label: string, actual: number, expected: number) => {
    if (actual !== expected) failures.push(`${label}: ${actual} instead of ${expected}`)
  }
  // A busy machine may respond to some requests with 503 or 504. Each of these may or may not have been executed.
  const expectDone = (label: string, actual: number, confirmed: number, responses: readonly TestResponse[]) => {
    const uncertain = ok(responses, 503) + ok(responses, 504)
    if (actual < confirmed || actual > confirmed + uncertain)
      failures.push(`${label}: ${actual}, and ${confirmed} were confirmed`)
  }
  const expectOnly = (label: string, responses: readonly TestResponse[], ...statuses: readonly number[]) => {
    const unexpected = responses.filter(({ status }) => ![...statuses, 503, 504].includes(status))
    if (unexpected.length > 0) failures.push(`${label} were answered ${formatStatuses(unexpected)}`)
  }
  const sendMany = (count: number, request: (n: number) => RequestSpec): Promise<TestResponse[]> =>
    runConcurrently(count, apps.length * 4, async (n) => {
      const app = apps[n % apps.length]
      if (!app) throw new Error('There are no processes.')
      return send(app, request(n))
    })
  const post = (path: string, body: object): RequestSpec => ({ method: 'POST', path, body })

  const created = await sendMany(size, (n) => post('/api/rest/tag', documents.tag(`${prefix}-${n}`)))
  const stored = await numberOf(primary, `SELECT count(*) FROM "Tag" WHERE name ~ '^${prefix}-[0-9]+$'`)
  rows.push([`${size} creates`, `${formatStatuses(created)}; ${stored} rows`])
  expectOnly('creates', created, 201)
  expectDone('rows created', stored, ok(created, 201), created)

  const conflicting = await sendMany(size, (n) => post('/api/rest/tag', documents.tag(`${prefix}-x${n % 10}`)))
  rows.push([`${size} creates of 10 names`, formatStatuses(conflicting)])
  expectOnly('creates of 10 names', conflicting, 201, 409)
  expectDone('names created', 10, ok(conflicting, 201), conflicting)

  const upserts = await sendMany(size, (n) =>
    post('/api/rest/post', documents.upsert(`${prefix}-u${n % 10}`, `Title ${n}`)),
  )
  const upserted = await numberOf(primary, `SELECT count(*) FROM "Post" WHERE slug ~ '^${prefix}-u[0-9]+$'`)
  rows.push([`${size} upserts of 10 posts`, `${formatStatuses(upserts)}; ${upserted} rows`])
  expectOnly('upserts', upserts, 200, 201)
  expectDone('posts that upserts created', 10, ok(upserts, 201), upserts)
  expect('rows upserted', upserted, 10)

  const before = await numberOf(primary, 'SELECT readers FROM "Category" WHERE id = 1')
  const increment = { where: { id: 1 }, data: { readers: { increment: 1 } } }
  const increments = await sendMany(size, () => ({
    method: 'PATCH',
    path: '/api/rpc/category/update',
    body: increment,
  }))
  const increase = (await numberOf(primary, 'SELECT readers FROM "Category" WHERE id = 1')) - before
  rows.push([`${size} increments of one number`, `${formatStatuses(increments)}; increased by ${increase}`])
  expectOnly('increments', increments, 200)
  expectDone('growth', increase, ok(increments, 200), increments)

  const tagSets = Array.from({ length: size }, (_, n) =>
    [`${prefix}-${n % 10}`, `${prefix}-${10 + (n % 7)}`].toSorted(),
  )
  const replaced = await sendMany(size, (n) => ({
    method: 'PATCH',
    path: '/api/rest/post/2/relationships/tags',
    body: documents.tags(tagSets[n] ?? []),
  }))
  const mixed = replaced.filter(({ status, body }, n) => status === 200 && joinIds(body) !== tagSets[n]?.join()).length
  const members = `SELECT count(*) FROM "_PostToTag" WHERE "A" = 2`
  const left = await numberOf(primary, members)
  rows.push([
    `${size} replacements of one post’s tags`,
    `${formatStatuses(replaced)}; ${mixed} mixed results; ${left} tags at the end`,
  ])
  expect('answers with a mixture', mixed, 0)
  expect('tags at the end', left, 2)
  expectOnly('replacements', replaced, 200)
  return { rows, failures }
}

function joinIds(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return ''
  return body.data
    .map(({ id }: { readonly id: string }) => id)
    .toSorted()
    .join()
}

/** Checks the exact counts after concurrent writes through all processes. */
export async function checkCounts({ apps, primary }: Cluster): Promise<Finding> {
  const { rows, failures } = await countConcurrentWrites(apps, toUrl(primary), 'count', 400)
  const description =
    'Sixteen callers, four per process, concurrently write the same rows. The rows are then compared with the responses.'
  return { title: 'Concurrent writes', description, rows, failures }
}
