import { setTimeout as wait } from 'node:timers/promises'

import { runSql, type Cluster, urlOf } from '../cluster.js'
import { type Answer, documents, send, statusesOf } from '../load.js'
import type { Finding } from '../report.js'
import { WHILE_OUT } from './network-partition.js'

/** The primary dies, the synchronous replica takes over: what was confirmed is there. */
export async function failover({ apps, primary, synchronous, proxy }: Cluster): Promise<Finding> {
  const faults: string[] = []
  const answers: { readonly name: string; readonly status: number; readonly at: number }[] = []
  const over = new AbortController()
  const caller = async (hand: number) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const app = apps[(hand + n) % apps.length]
      const name = `failover-${hand}-${n}`
      const { status } = await send(app ?? { port: 0 }, {
        method: 'POST',
        path: '/api/rest/tag',
        body: documents.tag(name),
      })
      answers.push({ name, status, at: performance.now() })
      // Nobody asks again at once.
      if (status >= 500) await wait(50)
    }
  }
  const reads: Answer[] = []
  const reader = async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      reads.push(await send(apps[n % apps.length] ?? { port: 0 }, { path: '/api/rest/post/1?include=tags' }))
    }
  }
  const callers = Array.from({ length: 16 }, (_, hand) => caller(hand))
  const reading = reader()
  await wait(2000)
  await primary.kill()
  const killed = performance.now()
  await wait(500)
  await synchronous.promote()
  proxy.aim(synchronous.port)
  proxy.cut()
  const swapped = performance.now()
  await wait(5000)
  over.abort()
  await Promise.all([...callers, reading])
  const rows = await runSql(urlOf(synchronous), `SELECT name FROM "Tag" WHERE name LIKE 'failover-%'`)
  const stored = new Set(rows.map(({ name }) => name))
  const confirmed = answers.filter(({ status }) => status === 201)
  const lost = confirmed.filter(({ name }) => !stored.has(name))
  const unconfirmed = answers.filter(({ name, status }) => status !== 201 && stored.has(name))
  const wrong = answers.filter(({ status }) => !WHILE_OUT.includes(status))
  const refused = unconfirmed.filter(({ status }) => status === 409)
  const first = confirmed.find(({ at }) => at > swapped)
  if (lost.length > 0) faults.push(`${lost.length} that were confirmed are lost`)
  if (wrong.length > 0) faults.push(`answers ${statusesOf(wrong)}`)
  if (rows.length !== stored.size) faults.push('rows are there twice')
  if (refused.length > 0) faults.push(`${refused.length} were answered 409 and are there`)
  if (reads.some(({ status }) => status !== 200)) faults.push(`reads were answered ${statusesOf(reads)}`)
  if (!first) faults.push('nothing was written afterwards')
  return {
    title: 'Failover',
    what:
      'Sixteen callers create tags, each with another process every time. The primary is killed with signal 9, the synchronous replica is ' +
      'promoted half a second later, and the proxy lays connections to it.',
    rows: [
      ['answers', statusesOf(answers)],
      ['answers to reads, from the delayed replica', statusesOf(reads)],
      ['confirmed and lost', `${lost.length} of ${confirmed.length}`],
      ['not confirmed, but there', `${unconfirmed.length}, answered ${statusesOf(unconfirmed) || 'nothing'}`],
      ['from the kill to the new primary', `${((swapped - killed) / 1000).toFixed(1)} s`],
      ['from there to the first 201', first ? `${((first.at - swapped) / 1000).toFixed(2)} s` : 'never'],
    ],
    faults,
  }
}
