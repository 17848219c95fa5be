import { type Cluster, BLOG, type Cleanup, urlOf } from '../cluster.js'
import { send, runConcurrently, statusesOf } from '../load.js'
import { startApp } from '../processes.js'
import type { Finding } from '../report.js'
import { counted } from './lost-updates.js'

/** Checks PgBouncer in transaction mode, with unnamed and named statements. */
export async function pooler({ pooler, primary }: Cluster, cleanup: Cleanup): Promise<Finding> {
  const title = 'PgBouncer in transaction mode'
  if (!pooler) return { title, what: 'Skipped: PgBouncer is not installed.', rows: [], failures: [] }
  const start = async (name: string, statementNames: boolean) => {
    const app = await startApp({ name, primary: pooler.url(BLOG), statementNames, pool: 20 })
    cleanup.push(() => app.stop())
    return app
  }
  const [plain, other, named] = await Promise.all([
    start('pooled-1', false),
    start('pooled-2', false),
    start('named', true),
  ])
  const { rows, failures } = await counted([plain, other], urlOf(primary), 'pooled', 200)
  const responses = await runConcurrently(200, 20, (n) =>
    send(named, { path: `/api/rest/post/${(n % 5) + 1}?include=author` }),
  )
  await Promise.all([plain, other, named].map((app) => app.stop()))
  return {
    title,
    what: 'Two processes with 20 connections each repeat the concurrent writes through PgBouncer. Another process then reads with statement names.',
    rows: [...rows, ['200 reads with `statementNameGenerator`', statusesOf(responses)]],
    failures,
  }
}
