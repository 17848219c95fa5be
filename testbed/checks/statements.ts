import { type Cluster, waitForReplica, recordStatements } from '../cluster.js'
import { documents, send, type RequestSpec, formatStatuses } from '../load.js'
import type { Finding } from '../report.js'

const q = (args: object) => `?q=${encodeURIComponent(JSON.stringify(args))}`

const READS: readonly RequestSpec[] = [
  { path: '/api/rest/post?include=author,tags&page[limit]=5' },
  { path: '/api/rest/post/1?include=comments.author' },
  { path: '/api/rest/post/1/tags' },
  { path: '/api/rest/post/1/relationships/author' },
  { path: `/api/rpc/post/findMany${q({ take: 3, include: { tags: true, author: true } })}` },
  { path: '/api/rpc/post/count' },
  { method: 'POST', path: '/api/rpc/post/findFirst', body: { include: { comments: true }, orderBy: { id: 'asc' } } },
]

const WRITES: readonly RequestSpec[] = [
  { method: 'POST', path: '/api/rest/tag', body: documents.tag('placed') },
  { method: 'POST', path: '/api/rest/post?include=tags,author', body: documents.post('placed', ['placed']) },
  { method: 'POST', path: '/api/rest/post', body: documents.upsert('placed', 'Again') },
  {
    method: 'PATCH',
    path: '/api/rest/post/1?include=tags',
    body: {
      data: { type: 'post', id: '1', attributes: { title: 'X' }, relationships: { tags: documents.tags(['placed']) } },
    },
  },
  { method: 'PATCH', path: '/api/rest/post/1/relationships/tags', body: documents.tags(['placed', 'tools']) },
  { method: 'POST', path: '/api/rest/post/1/relationships/tags', body: documents.tags(['bread']) },
  { method: 'DELETE', path: '/api/rest/post/1/relationships/tags', body: documents.tags(['bread']) },
  { method: 'PATCH', path: '/api/rest/post/1/relationships/author', body: { data: { type: 'user', id: '2' } } },
  {
    method: 'POST',
    path: '/api/rpc/post/create',
    body: { data: { slug: 'placed-too', title: 'x', tags: { connect: { name: 'placed' } } }, include: { tags: true } },
  },
  {
    method: 'PATCH',
    path: '/api/rpc/post/update',
    body: {
      where: { slug: 'placed-too' },
      data: { title: 'y', tags: { set: [] } },
      include: { tags: true },
    },
  },
  {
    method: 'POST',
    path: '/api/rpc/tag/upsert',
    body: { where: { name: 'placed-3' }, create: { name: 'placed-3' }, update: {} },
  },
  { method: 'DELETE', path: `/api/rpc/post/delete${q({ where: { slug: 'placed-too' }, include: { tags: true } })}` },
]

/** Checks that reads run on the replica, and all statements of a write on the primary. */
export async function statements({ primary, synchronous, delayed, apps }: Cluster): Promise<Finding> {
  const servers = [primary, synchronous, delayed]
  const failures: string[] = []
  const rows: (readonly [string, string])[] = []
  for (const [name, requests, serverIndex] of [
    ['reads', READS, 2],
    ['writes', WRITES, 0],
  ] as const) {
    const responses: { status: number }[] = []
    const executed = await recordStatements(servers, async () => {
      for (const [n, request] of requests.entries()) {
        const app = apps[n % apps.length]
        if (app) responses.push(await send(app, request))
      }
    })
    const counts = ['primary', 'synchronous replica', 'delayed replica'].map((server, at) => {
      return `${executed[at]?.length ?? 0} on the ${server}`
    })
    rows.push([`${requests.length} ${name}`, `${counts.join(', ')}; statuses ${formatStatuses(responses)}`])
    if (responses.some(({ status }) => status >= 300)) failures.push(`${name} answered ${formatStatuses(responses)}`)
    if ((executed[serverIndex]?.length ?? 0) < requests.length)
      failures.push(`of ${name}, statements are missing in the log`)
    for (const [at, statements] of executed.entries()) {
      if (at !== serverIndex) failures.push(...statements.map((sql) => `of ${name}, elsewhere: ${sql}`))
    }
  }
  await waitForReplica(primary, delayed)
  const description =
    'Requests of every kind in both styles, and the statements that each cluster logged for them. Reads run on the delayed replica. ' +
    'Writes run on the primary, including the reads that they need and their responses.'
  return { title: 'Routing of statements', description, rows, failures }
}
