import { setTimeout as wait } from 'node:timers/promises'

import type { Cluster } from '../cluster.js'
import { type TestResponse, documents, send, formatStatuses } from '../load.js'
import type { Finding } from '../report.js'

/** Allowed response statuses while the database is unreachable. */
export const OUTAGE_STATUSES: readonly number[] = [200, 201, 409, 503, 504]

const STALL_MS = 6000

/** Checks that no request outlasts its process's timeouts while the network drops all packets. */
export async function networkPartition({ apps, proxy }: Cluster): Promise<Finding> {
  const failures: string[] = []
  const ended = new AbortController()
  const caller = async (callerIndex: number) => {
    const responses: TestResponse[] = []
    for (let n = 0; !ended.signal.aborted; n++) {
      const app = apps[callerIndex % apps.length]
      if (app)
        responses.push(
          await send(app, { method: 'POST', path: '/api/rest/tag', body: documents.tag(`stall-${callerIndex}-${n}`) }),
        )
    }
    return responses
  }
  const callers = Array.from({ length: 16 }, (_, index) => caller(index))
  await wait(500)
  proxy.stall()
  await wait(STALL_MS)
  const restoredAt = performance.now()
  proxy.pass()
  let recoveryMs = 0
  while (recoveryMs === 0 && performance.now() - restoredAt < 20_000) {
    const responses = await Promise.all(
      apps.map((app, n) =>
        send(app, {
          method: 'POST',
          path: '/api/rest/tag',
          body: documents.tag(`back-${n}-${restoredAt}-${performance.now()}`),
        }),
      ),
    )
    if (responses.every(({ status }) => status === 201)) recoveryMs = performance.now() - restoredAt
  }
  ended.abort()
  const responses = (await Promise.all(callers)).flat()
  const longest = Math.max(...responses.map(({ durationMs: duration }) => duration))
  const unexpected = responses.filter(({ status }) => !OUTAGE_STATUSES.includes(status))
  if (unexpected.length > 0) failures.push(`answers ${formatStatuses(unexpected)}`)
  if (longest > STALL_MS) failures.push(`an answer took ${(longest / 1000).toFixed(1)} s`)
  if (recoveryMs === 0) failures.push('the processes did not come back')
  return {
    title: 'Stalled network',
    description: `Sixteen callers create tags. For ${STALL_MS / 1000} s, no data passes between the processes and the primary.`,
    rows: [
      ['responses', formatStatuses(responses)],
      ['slowest request', `${(longest / 1000).toFixed(1)} s`],
      ['all four processes write again', `${(recoveryMs / 1000).toFixed(1)} s after the network recovers`],
    ],
    failures,
  }
}
