import { setTimeout as wait } from 'node:timers/promises'

import type { Cluster } from '../cluster.js'
import { type Answer, documents, send, statusesOf } from '../load.js'
import type { Finding } from '../report.js'

/** What a request may be answered with while its database cannot be reached. */
export const WHILE_OUT: readonly number[] = [200, 201, 409, 503, 504]

const STALL = 6000

/** A network that loses everything for a while: no request waits for longer than its process lets it. */
export async function networkPartition({ apps, proxy }: Cluster): Promise<Finding> {
  const faults: string[] = []
  const over = new AbortController()
  const caller = async (hand: number) => {
    const answers: Answer[] = []
    for (let n = 0; !over.signal.aborted; n++) {
      const app = apps[hand % apps.length]
      if (app)
        answers.push(
          await send(app, { method: 'POST', path: '/api/rest/tag', body: documents.tag(`stall-${hand}-${n}`) }),
        )
    }
    return answers
  }
  const callers = Array.from({ length: 16 }, (_, hand) => caller(hand))
  await wait(500)
  proxy.stall()
  await wait(STALL)
  const passed = performance.now()
  proxy.pass()
  let back = 0
  while (back === 0 && performance.now() - passed < 20_000) {
    const answers = await Promise.all(
      apps.map((app, n) =>
        send(app, {
          method: 'POST',
          path: '/api/rest/tag',
          body: documents.tag(`back-${n}-${passed}-${performance.now()}`),
        }),
      ),
    )
    if (answers.every(({ status }) => status === 201)) back = performance.now() - passed
  }
  over.abort()
  const answers = (await Promise.all(callers)).flat()
  const longest = Math.max(...answers.map(({ took }) => took))
  const wrong = answers.filter(({ status }) => !WHILE_OUT.includes(status))
  if (wrong.length > 0) faults.push(`answers ${statusesOf(wrong)}`)
  if (longest > STALL) faults.push(`an answer took ${(longest / 1000).toFixed(1)} s`)
  if (back === 0) faults.push('the processes did not come back')
  return {
    title: 'A network that stalls',
    what: `Sixteen callers create tags. For ${STALL / 1000} s nothing passes between the processes and the primary; then all does again.`,
    rows: [
      ['answers', statusesOf(answers)],
      ['the longest took', `${(longest / 1000).toFixed(1)} s`],
      ['all four processes write again', `${(back / 1000).toFixed(1)} s after the network is back`],
    ],
    faults,
  }
}
