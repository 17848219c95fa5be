import { type Cluster, numberOf, urlOf } from '../cluster.js'
import { type TestResponse, documents, send, type Sent, runConcurrently, statusesOf } from '../load.js'
import type { AppProcess } from '../processes.js'
import type { Finding } from '../report.js'

/** The result of concurrent writes through several processes, compared with the rows in the database. */
export interface Counted {
  readonly rows: Finding['rows']
  readonly failures: readonly string[]
}

/**
 * Creates, upserts, increments and replaces concurrently through several processes.
 * @param mark prefix of the rows' names
 * @param size number of requests of each kind
 */
export async function counted(
  apps: readonly AppProcess[],
  primary: string,
  mark: string,
  size: number,
): Promise<Counted> {
  const rows: (readonly [string, string])[] = []
  const failures: string[] = []
  const ok = (responses: readonly TestResponse[], status: number) =>
    responses.filter((response) => response.status === status).length
  const expect = (what: string, found: number, wanted: number) => {
    if (found !== wanted) failures.push(`${what}: ${found} instead of ${wanted}`)
  }
  // A busy machine may respond to some requests with 503 or 504. Each of these may or may not have been executed.
  const expectDone = (what: string, found: number, sure: number, responses: readonly TestResponse[]) => {
    const unsure = ok(responses, 503) + ok(responses, 504)
    if (found < sure || found > sure + unsure) failures.push(`${what}: ${found}, and ${sure} were confirmed`)
  }
  const expectOnly = (what: string, responses: readonly TestResponse[], ...statuses: readonly number[]) => {
    const others = responses.filter(({ status }) => ![...statuses, 503, 504].includes(status))
    if (others.length > 0) failures.push(`${what} were answered ${statusesOf(others)}`)
  }
  const many = (works: number, request: (n: number) => Sent): Promise<TestResponse[]> =>
    runConcurrently(works, apps.length * 4, async (n) => {
      const app = apps[n % apps.length]
      if (!app) throw new Error('There are no processes.')
      return send(app, request(n))
    })
  const post = (path: string, body: object): Sent => ({ method: 'POST', path, body })

  const created = await many(size, (n) => post('/api/rest/tag', documents.tag(`${mark}-${n}`)))
  const stored = await numberOf(primary, `SELECT count(*) FROM "Tag" WHERE name ~ '^${mark}-[0-9]+$'`)
  rows.push([`${size} creates`, `${statusesOf(created)}; ${stored} rows`])
  expectOnly('creates', created, 201)
  expectDone('rows created', stored, ok(created, 201), created)

  const contended = await many(size, (n) => post('/api/rest/tag', documents.tag(`${mark}-x${n % 10}`)))
  rows.push([`${size} creates of 10 names`, statusesOf(contended)])
  expectOnly('creates of 10 names', contended, 201, 409)
  expectDone('names created', 10, ok(contended, 201), contended)

  const upserts = await many(size, (n) => post('/api/rest/post', documents.upsert(`${mark}-u${n % 10}`, `Title ${n}`)))
  const upserted = await numberOf(primary, `SELECT count(*) FROM "Post" WHERE slug ~ '^${mark}-u[0-9]+$'`)
  rows.push([`${size} upserts of 10 posts`, `${statusesOf(upserts)}; ${upserted} rows`])
  expectOnly('upserts', upserts, 200, 201)
  expectDone('posts that upserts created', 10, ok(upserts, 201), upserts)
  expect('rows upserted', upserted, 10)

  const before = await numberOf(primary, 'SELECT readers FROM "Category" WHERE id = 1')
  const increment = { where: { id: 1 }, data: { readers: { increment: 1 } } }
  const increments = await many(size, () => ({ method: 'PATCH', path: '/api/rpc/category/update', body: increment }))
  const grown = (await numberOf(primary, 'SELECT readers FROM "Category" WHERE id = 1')) - before
  rows.push([`${size} increments of one number`, `${statusesOf(increments)}; increased by ${grown}`])
  expectOnly('increments', increments, 200)
  expectDone('growth', grown, ok(increments, 200), increments)

  const sets = Array.from({ length: size }, (_, n) => [`${mark}-${n % 10}`, `${mark}-${10 + (n % 7)}`].toSorted())
  const replaced = await many(size, (n) => ({
    method: 'PATCH',
    path: '/api/rest/post/2/relationships/tags',
    body: documents.tags(sets[n] ?? []),
  }))
  const mixed = replaced.filter(({ status, body }, n) => status === 200 && idsOf(body) !== sets[n]?.join()).length
  const members = `SELECT count(*) FROM "_PostToTag" WHERE "A" = 2`
  const left = await numberOf(primary, members)
  rows.push([
    `${size} replacements of one post’s tags`,
    `${statusesOf(replaced)}; ${mixed} mixed results; ${left} tags at the end`,
  ])
  expect('answers with a mixture', mixed, 0)
  expect('tags at the end', left, 2)
  expectOnly('replacements', replaced, 200)
  return { rows, failures }
}

function idsOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return ''
  return body.data
    .map(({ id }: { readonly id: string }) => id)
    .toSorted()
    .join()
}

/** Checks the exact counts after concurrent writes through all processes. */
export async function counts({ apps, primary }: Cluster): Promise<Finding> {
  const { rows, failures } = await counted(apps, urlOf(primary), 'count', 400)
  const what =
    'Sixteen callers, four per process, concurrently write the same rows. The rows are then compared with the responses.'
  return { title: 'Concurrent writes', what, rows, failures }
}
