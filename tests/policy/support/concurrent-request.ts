import type { Workspace } from '../../hooks/support/workspace.js'

type Db = Pick<Workspace, 'orm' | 'provider'>
type Inside = Parameters<Parameters<Workspace['orm']['$transaction']>[0]>[0]

/** Whether a transaction of this database waits for a lock. */
async function isAnyWaiting({ orm, provider }: Db): Promise<boolean> {
  const rows = (sql: string) => orm.$queryRawUnsafe<Record<string, unknown>[]>(sql)
  const isCounted = async (sql: string) => Number((await rows(`SELECT count(*) AS n ${sql}`))[0]?.['n']) > 0
  if (provider === 'postgresql') {
    return isCounted("FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
  }
  const [server] = await rows('SELECT database() AS name, version() AS version')
  if (!String(server?.['version']).includes('MariaDB')) {
    return isCounted("FROM performance_schema.data_locks WHERE object_schema = database() AND lock_status = 'WAITING'")
  }
  // Not `innodb_trx`, because that is a cache, and reads every 100 ms prevent its refresh.
  const [status] = await rows('SHOW ENGINE INNODB STATUS')
  return new RegExp(`of table \`${String(server?.['name'])}\`.* waiting`).test(String(status?.['Status']))
}

/** The outcome of a request that waited for another transaction. */
export interface ConcurrentOutcome<H, A> {
  /** The result of the other transaction. */
  readonly transactionResult: H
  readonly response: A
  /** Whether the request waited for it. */
  readonly isWaiting: boolean
}

/**
 * Sends a request while another transaction has changed rows, and commits that transaction as soon as the request waits for it or
 * has a response.
 */
export async function runWhileLocked<H, A>(
  db: Db,
  change: (inside: Inside) => Promise<H>,
  send: () => Promise<A>,
): Promise<ConcurrentOutcome<H, A>> {
  let start = (): void => undefined
  let release = (): void => undefined
  const started = new Promise<void>((resolve) => (start = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const other = db.orm.$transaction(
    async (inside) => {
      const result = await change(inside)
      start()
      await released
      return result
    },
    { maxWait: 20_000, timeout: 30_000 },
  )
  await Promise.race([started, other])
  const state = { isSettled: false }
  const sent = send().finally(() => (state.isSettled = true))
  let isWaiting = false
  while (!state.isSettled && !isWaiting) {
    isWaiting = await isAnyWaiting(db)
    if (!isWaiting) await new Promise((later) => setTimeout(later, 3))
  }
  release()
  const transactionResult = await other
  return { transactionResult, response: await sent, isWaiting }
}
