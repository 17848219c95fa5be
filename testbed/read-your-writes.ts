/**
 * Two ways for callers to read what they have written, where reads go to replicas that lag behind. Both keep what they need in a
 * cookie, so that any process can answer the next request.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

import type { Replicated } from './client.js'

/** By time: for as long as the replicas may lag behind, whoever has written reads from the primary. */
export function byTime(prisma: Replicated) {
  // In seconds; longer than the longest lag that you let pass without an alarm.
  const LAG = 10
  const noteWrites: MiddlewareHandler = async (c, next) => {
    await next()
    if (c.req.method !== 'GET') setCookie(c, 'wrote', '1', { maxAge: LAG, httpOnly: true, sameSite: 'Lax' })
  }
  const getOrm = (c: Context) => (getCookie(c, 'wrote') ? prisma.$primary() : prisma)
  return { noteWrites, getOrm }
}

/** By position: whoever has written reads from a replica as soon as it has replayed that write. One short query more for each. */
export function byPosition(prisma: Replicated) {
  const noteWrites: MiddlewareHandler = async (c, next) => {
    await next()
    if (c.req.method === 'GET') return
    const [row] = await prisma.$primary().$queryRaw<{ lsn: string }[]>`SELECT pg_current_wal_lsn()::text AS lsn`
    if (row) setCookie(c, 'lsn', row.lsn, { maxAge: 60, httpOnly: true, sameSite: 'Lax' })
  }
  const getOrm = async (c: Context) => {
    const lsn = getCookie(c, 'lsn') ?? ''
    // What a caller sends is anything.
    if (c.req.method !== 'GET' || !/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/.test(lsn)) return prisma
    const replica = prisma.$replica()
    const [row] = await replica.$queryRaw<{ isThere: boolean | null }[]>`
      SELECT pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn AS "isThere"`
    return row?.isThere ? replica : prisma.$primary()
  }
  return { noteWrites, getOrm }
}
