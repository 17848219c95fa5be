/**
 * Two ways to let callers read their own writes if reads go to replicas with a lag. Both store their state in a cookie, so that any process
 * can handle the next request.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

import type { ReplicatedClient } from './client.js'

/** By time: after a write, the caller reads from the primary for as long as replicas may lag. */
export function trackByTime(prisma: ReplicatedClient) {
  // In seconds. Must be at least the replication lag at which your monitoring raises an alarm.
  const LAG = 10
  const trackWrites: MiddlewareHandler = async (c, next) => {
    await next()
    if (c.req.method !== 'GET') setCookie(c, 'wrote', '1', { maxAge: LAG, httpOnly: true, sameSite: 'Lax' })
  }
  const getOrm = (c: Context) => (getCookie(c, 'wrote') ? prisma.$primary() : prisma)
  return { trackWrites, getOrm }
}

/**
 * By position: after a write, the caller reads from the primary until the replica has replayed that write. Costs one short query per
 * request.
 */
export function trackByPosition(prisma: ReplicatedClient) {
  const trackWrites: MiddlewareHandler = async (c, next) => {
    await next()
    if (c.req.method === 'GET') return
    const [row] = await prisma.$primary().$queryRaw<{ lsn: string }[]>`SELECT pg_current_wal_lsn()::text AS lsn`
    if (row) setCookie(c, 'lsn', row.lsn, { maxAge: 60, httpOnly: true, sameSite: 'Lax' })
  }
  const getOrm = async (c: Context) => {
    const lsn = getCookie(c, 'lsn') ?? ''
    // The cookie is untrusted input.
    if (c.req.method !== 'GET' || !/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/.test(lsn)) return prisma
    const replica = prisma.$replica()
    const [row] = await replica.$queryRaw<{ caughtUp: boolean | null }[]>`
      SELECT pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn AS "caughtUp"`
    return row?.caughtUp ? replica : prisma.$primary()
  }
  return { trackWrites, getOrm }
}
