import { setTimeout as wait } from 'node:timers/promises'

import type { Cluster } from '../cluster.js'
import { type TestResponse, documents, send, statusesOf } from '../load.js'
import type { Finding } from '../report.js'

/** Allowed response statuses while the database is unreachable. */
export const WHILE_OUT: readonly number[] = [200, 201, 409, 503, 504]

const STALL = 6000

/** Checks that no request outlasts its process's timeouts while the network drops all packets. */
export async function networkPartition({ apps, proxy }: Cluster): Promise<Finding> {
  const failures: string[] = []
  const over = new AbortController()
  const caller = async (hand: number) => {
    const responses: TestResponse[] = []
    for (let n = 0; !over.signal.aborted; n++) {
      const app = apps[hand % apps.length]
      if (app)
        responses.push(
          await send(app, { method: 'POST', path: '/api/rest/tag', body: documents.tag(`stall-${hand}-${n}`) }),
        )
    }
    return responses
  }
  const callers = Array.from({ length: 16 }, (_, hand) => caller(hand))
  await wait(500)
  proxy.stall()
  await wait(STALL)
  const passed = performance.now()
  proxy.pass()
  let back = 0
  while (back === 0 && performance.now() - passed < 20_000) {
    const responses = await Promise.all(
      apps.map((app, n) =>
        send(app, {
          method: 'POST',
          path: '/api/rest/tag',
          body: documents.tag(`back-${n}-${passed}-${performance.now()}`),
        }),
      ),
    )
    if (responses.every(({ status }) => status === 201)) back = performance.now() - passed
  }
  over.abort()
  const responses = (await Promise.all(callers)).flat()
  const longest = Math.max(...responses.map(({ took }) => took))
  const wrong = responses.filter(({ status }) => !WHILE_OUT.includes(status))
  if (wrong.length > 0) failures.push(`answers ${statusesOf(wrong)}`)
  if (longest > STALL) failures.push(`an answer took ${(longest / 1000).toFixed(1)} s`)
  if (back === 0) failures.push('the processes did not come back')
  return {
    title: 'Stalled network',
    what: `Sixteen callers create tags. For ${STALL / 1000} s, no data passes between the processes and the primary.`,
    rows: [
      ['responses', statusesOf(responses)],
      ['slowest request', `${(longest / 1000).toFixed(1)} s`],
      ['all four processes write again', `${(back / 1000).toFixed(1)} s after the network recovers`],
    ],
    failures,
  }
}
