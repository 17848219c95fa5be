import { setTimeout as wait } from 'node:timers/promises'

import { runSql, type Cluster, urlOf } from '../cluster.js'
import { type TestResponse, documents, send, statusesOf } from '../load.js'
import type { Finding } from '../report.js'
import { WHILE_OUT } from './network-partition.js'

/** Checks that no confirmed write is lost if the primary crashes and the synchronous replica takes over. */
export async function failover({ apps, primary, synchronous, proxy }: Cluster): Promise<Finding> {
  const failures: string[] = []
  const responses: { readonly name: string; readonly status: number; readonly at: number }[] = []
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
      responses.push({ name, status, at: performance.now() })
      // Real clients do not retry immediately.
      if (status >= 500) await wait(50)
    }
  }
  const reads: TestResponse[] = []
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
  const confirmed = responses.filter(({ status }) => status === 201)
  const lost = confirmed.filter(({ name }) => !stored.has(name))
  const unconfirmed = responses.filter(({ name, status }) => status !== 201 && stored.has(name))
  const wrong = responses.filter(({ status }) => !WHILE_OUT.includes(status))
  const conflicting = unconfirmed.filter(({ status }) => status === 409)
  const first = confirmed.find(({ at }) => at > swapped)
  if (lost.length > 0) failures.push(`${lost.length} that were confirmed are lost`)
  if (wrong.length > 0) failures.push(`answers ${statusesOf(wrong)}`)
  if (rows.length !== stored.size) failures.push('rows are there twice')
  if (conflicting.length > 0) failures.push(`${conflicting.length} were answered 409 and are there`)
  if (reads.some(({ status }) => status !== 200)) failures.push(`reads were answered ${statusesOf(reads)}`)
  if (!first) failures.push('nothing was written afterwards')
  return {
    title: 'Failover',
    what:
      'Sixteen callers create tags, each request with another process. The primary is killed with SIGKILL. After 0.5 s, the synchronous ' +
      'replica is promoted, and the proxy connects to it.',
    rows: [
      ['responses', statusesOf(responses)],
      ['responses to reads from the delayed replica', statusesOf(reads)],
      ['confirmed, but lost', `${lost.length} of ${confirmed.length}`],
      ['not confirmed, but stored', `${unconfirmed.length}, responses: ${statusesOf(unconfirmed) || 'none'}`],
      ['time from the kill to the new primary', `${((swapped - killed) / 1000).toFixed(1)} s`],
      ['time from there to the first 201', first ? `${((first.at - swapped) / 1000).toFixed(2)} s` : 'never'],
    ],
    failures,
  }
}
