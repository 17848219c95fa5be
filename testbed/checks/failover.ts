import { setTimeout as wait } from 'node:timers/promises'

import { runSql, type Cluster, toUrl } from '../cluster.js'
import { type TestResponse, documents, send, formatStatuses } from '../load.js'
import type { Finding } from '../report.js'
import { OUTAGE_STATUSES } from './network-partition.js'

/** Checks that no confirmed write is lost if the primary crashes and the synchronous replica takes over. */
export async function failover({ apps, primary, synchronous, proxy }: Cluster): Promise<Finding> {
  const failures: string[] = []
  const responses: { readonly name: string; readonly status: number; readonly at: number }[] = []
  const ended = new AbortController()
  const caller = async (callerIndex: number) => {
    for (let n = 0; !ended.signal.aborted; n++) {
      const app = apps[(callerIndex + n) % apps.length]
      const name = `failover-${callerIndex}-${n}`
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
    for (let n = 0; !ended.signal.aborted; n++) {
      reads.push(await send(apps[n % apps.length] ?? { port: 0 }, { path: '/api/rest/post/1?include=tags' }))
    }
  }
  const callers = Array.from({ length: 16 }, (_, index) => caller(index))
  const reading = reader()
  await wait(2000)
  await primary.kill()
  const killed = performance.now()
  await wait(500)
  await synchronous.promote()
  proxy.aim(synchronous.port)
  proxy.cut()
  const swappedAt = performance.now()
  await wait(5000)
  ended.abort()
  await Promise.all([...callers, reading])
  const rows = await runSql(toUrl(synchronous), `SELECT name FROM "Tag" WHERE name LIKE 'failover-%'`)
  const stored = new Set(rows.map(({ name }) => name))
  const confirmed = responses.filter(({ status }) => status === 201)
  const lost = confirmed.filter(({ name }) => !stored.has(name))
  const unconfirmed = responses.filter(({ name, status }) => status !== 201 && stored.has(name))
  const unexpected = responses.filter(({ status }) => !OUTAGE_STATUSES.includes(status))
  const conflicting = unconfirmed.filter(({ status }) => status === 409)
  const first = confirmed.find(({ at }) => at > swappedAt)
  if (lost.length > 0) failures.push(`${lost.length} confirmed rows are lost`)
  if (unexpected.length > 0) failures.push(`responses ${formatStatuses(unexpected)}`)
  if (rows.length !== stored.size) failures.push('rows are stored twice')
  if (conflicting.length > 0) failures.push(`${conflicting.length} were rejected with 409 but are stored`)
  if (reads.some(({ status }) => status !== 200)) failures.push(`reads were answered with ${formatStatuses(reads)}`)
  if (!first) failures.push('nothing was written afterwards')
  return {
    title: 'Failover',
    description:
      'Sixteen callers create tags, each request with another process. The primary is killed with SIGKILL. After 0.5 s, the synchronous ' +
      'replica is promoted, and the proxy connects to it.',
    rows: [
      ['responses', formatStatuses(responses)],
      ['responses to reads from the delayed replica', formatStatuses(reads)],
      ['confirmed, but lost', `${lost.length} of ${confirmed.length}`],
      ['not confirmed, but stored', `${unconfirmed.length}, responses: ${formatStatuses(unconfirmed) || 'none'}`],
      ['time from the kill to the new primary', `${((swappedAt - killed) / 1000).toFixed(1)} s`],
      ['time from there to the first 201', first ? `${((first.at - swappedAt) / 1000).toFixed(2)} s` : 'never'],
    ],
    failures,
  }
}
