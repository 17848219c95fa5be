/**
 * Runs the blog on PostgreSQL clusters in a production-like setup and checks its behavior: `npm run testbed`. Prints a report. With `--
 * --write`, also writes it to `bench/testbed-results.md`. Exits with 1 if a check fails.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { prepareFixtures, ROOT } from '../scripts/prepare-fixtures.js'
import { type Cleanup, startCluster } from './cluster.js'
import { checkCounts } from './checks/lost-updates.js'
import { failover } from './checks/failover.js'
import { scaling } from './checks/scaling.js'
import { readYourWrites } from './checks/read-your-writes.js'
import { pooler } from './checks/pooler.js'
import { shards } from './checks/shards.js'
import { networkPartition } from './checks/network-partition.js'
import { statements } from './checks/statements.js'
import { findPrograms, getVersion } from './programs.js'
import { type Finding, formatReport } from './report.js'

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
})

const programs = await findPrograms()
if (!programs) {
  console.log('PostgreSQL is not installed here: there is nothing to run the test bed on.')
  process.exit(0)
}
await prepareFixtures(['blog', 'shards'])
// Keeps the process alive while it waits for servers to stop.
const alive = setInterval(() => {}, 1000)
const cleanup: Cleanup = []
const findings: Finding[] = []
try {
  const cluster = await startCluster(programs, cleanup)
  // `failover` must be last, because it kills the primary.
  const checks: Readonly<Record<string, () => Promise<Finding>>> = {
    statements: () => statements(cluster),
    'own-writes': () => readYourWrites(cluster),
    counts: () => checkCounts(cluster),
    growth: () => scaling(cluster),
    pooler: () => pooler(cluster, cleanup),
    shards: () => shards(programs.postgres, cleanup),
    stall: () => networkPartition(cluster),
    failover: () => failover(cluster),
  }
  for (const [name, check] of Object.entries(checks)) {
    if (values.only && !values.only.includes(name)) continue
    const startedAt = performance.now()
    const finding = await check()
    findings.push(finding)
    console.log(`\n${finding.title} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`)
    for (const [name, value] of finding.rows) console.log(`  ${name}: ${value}`)
    for (const failure of finding.failures) console.log(`  FAILED: ${failure}`)
  }
  const postgres = await getVersion(join(programs.postgres, 'postgres'))
  const pgbouncer =
    programs.pgbouncer === undefined ? 'no PgBouncer' : `PgBouncer ${await getVersion(programs.pgbouncer)}`
  const report = formatReport(findings, { postgres, pgbouncer })
  if (values.write) await writeFile(join(ROOT, 'bench/testbed-results.md'), report)
} finally {
  for (const remove of cleanup.toReversed()) await remove()
  clearInterval(alive)
}
process.exit(findings.some(({ failures }) => failures.length > 0) ? 1 : 0)
