import { availableParallelism } from 'node:os'

import type { Cluster } from '../cluster.js'
import { documents, send, type RequestSpec, runConcurrently, formatStatuses } from '../load.js'
import type { Finding } from '../report.js'

/** Number of requests per process and round. */
const REQUESTS = 500
const CALLERS = 8
const ROUNDS = 3
const PROCESS_COUNTS = [1, 2, 4]
const WARM_UP = 700

function createRequest(n: number, prefix: string): RequestSpec {
  if (n % 20 === 0) return { path: '/api/rest/post?include=author,tags&page[limit]=10' }
  if (n % 20 < 3) return { method: 'POST', path: '/api/rest/tag', body: documents.tag(`${prefix}-${n}`) }
  return { path: `/api/rest/post/${(n % 40) + 1}` }
}

/** Measures the CPU time per request, with 1, 2 and 4 processes. */
export async function scaling({ apps }: Cluster): Promise<Finding> {
  const failures: string[] = []
  // Warms up, so that optimized code is measured.
  await runConcurrently(WARM_UP * apps.length, 16, (n) =>
    send(apps[n % apps.length] ?? { port: 0 }, createRequest(n, 'warm')),
  )
  const samples = new Map<number, { readonly each: number; readonly rate: number }[]>(
    PROCESS_COUNTS.map((count) => [count, []]),
  )
  for (let round = 0; round < ROUNDS; round++) {
    for (const [count, taken] of samples) {
      const active = apps.slice(0, count)
      const usage = async () => sum(await Promise.all(active.map((app) => app.usage())))
      const before = await usage()
      const startedAt = performance.now()
      const responses = await runConcurrently(REQUESTS * count, CALLERS * count, (n) => {
        return send(active[n % count] ?? { port: 0 }, createRequest(n, `grow-${round}-${count}`))
      })
      const seconds = (performance.now() - startedAt) / 1000
      taken.push({ each: ((await usage()) - before) / (REQUESTS * count), rate: (REQUESTS * count) / seconds })
      const failed = responses.filter(({ status }) => status >= 300)
      if (failed.length > 0) failures.push(`answers ${formatStatuses(failed)}`)
    }
  }
  const singleProcess = median((samples.get(1) ?? []).map(({ each }) => each))
  const rows = [...samples].map(([count, taken]): [string, string] => {
    const each = median(taken.map(({ each }) => each))
    const rate = Math.round(median(taken.map(({ rate }) => rate)))
    return [
      count === 1 ? '1 process' : `${count} processes`,
      `${each.toFixed(2)} ms per request (× ${(each / singleProcess).toFixed(2)}), ${rate} requests per second`,
    ]
  })
  return {
    title: 'CPU time per request',
    description:
      `${REQUESTS} requests per process by ${CALLERS} callers: of 20 requests, 17 get a post, 2 create a tag and 1 lists posts with author and tags. The values are the median of ${ROUNDS} rounds. The CPU time only includes ` +
      `the app’s processes. The requests per second are only indicative, because callers and databases share the ${availableParallelism()} cores.`,
    rows,
    failures,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
