import type { Workspace } from '../../hooks/support/workspace.js'

type Db = Pick<Workspace, 'orm' | 'provider'>
type Inside = Parameters<Parameters<Workspace['orm']['$transaction']>[0]>[0]

/** The transactions of this database that wait for a lock. */
const WAITING: Readonly<Record<string, string>> = {
  postgresql:
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  mysql: `SELECT count(*) AS n FROM information_schema.innodb_trx t
    JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
    WHERE t.trx_state = 'LOCK WAIT' AND p.db = database()`,
}

async function areWaiting({ orm, provider }: Db): Promise<boolean> {
  const [row] = await orm.$queryRawUnsafe<{ n: bigint }[]>(WAITING[provider] ?? '')
  return Number(row?.n) > 0
}

/** What came of a request that another transaction made wait. */
export interface Held<H, A> {
  /** What the other transaction returned. */
  readonly held: H
  readonly answer: A
  /** Whether the request waited for it. */
  readonly isWaiting: boolean
}

/**
 * Sends a request while another transaction has changed rows, and commits that transaction as soon as the request waits for it, or is
 * answered.
 */
export async function hold<H, A>(
  db: Db,
  change: (inside: Inside) => Promise<H>,
  send: () => Promise<A>,
): Promise<Held<H, A>> {
  let start = (): void => undefined
  let release = (): void => undefined
  const started = new Promise<void>((resolve) => (start = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const other = db.orm.$transaction(
    async (inside) => {
      const held = await change(inside)
      start()
      await released
      return held
    },
    { maxWait: 20_000, timeout: 30_000 },
  )
  await Promise.race([started, other])
  let isAnswered = false
  const sent = send().finally(() => (isAnswered = true))
  let isWaiting = false
  while (!isAnswered && !isWaiting) {
    isWaiting = await areWaiting(db)
    if (!isWaiting) await new Promise((later) => setTimeout(later, 3))
  }
  release()
  const held = await other
  return { held, answer: await sent, isWaiting }
}
