import { type Cluster, BLOG, type Cleanup, toUrl } from '../cluster.js'
import { send, runConcurrently, formatStatuses } from '../load.js'
import { startApp } from '../processes.js'
import type { Finding } from '../report.js'
import { countConcurrentWrites } from './lost-updates.js'

/** Checks PgBouncer in transaction mode, with unnamed and named statements. */
export async function pooler({ pooler, primary }: Cluster, cleanup: Cleanup): Promise<Finding> {
  const title = 'PgBouncer in transaction mode'
  if (!pooler) return { title, description: 'Skipped: PgBouncer is not installed.', rows: [], failures: [] }
  const start = async (name: string, statementNames: boolean) => {
    const app = await startApp({ name, primary: pooler.url(BLOG), statementNames, pool: 20 })
    cleanup.push(() => app.stop())
    return app
  }
  const [plain, second, withNames] = await Promise.all([
    start('pooled-1', false),
    start('pooled-2', false),
    start('named', true),
  ])
  const { rows, failures } = await countConcurrentWrites([plain, second], toUrl(primary), 'pooled', 200)
  const responses = await runConcurrently(200, 20, (n) =>
    send(withNames, { path: `/api/rest/post/${(n % 5) + 1}?include=author` }),
  )
  await Promise.all([plain, second, withNames].map((app) => app.stop()))
  return {
    title,
    description:
      'Two processes with 20 connections each repeat the concurrent writes through PgBouncer. Another process then reads with statement names.',
    rows: [...rows, ['200 reads with `statementNameGenerator`', formatStatuses(responses)]],
    failures,
  }
}
