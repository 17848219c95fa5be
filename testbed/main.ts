/**
 * Runs the blog as production would, on clusters of its own, and looks at what it does: `npm run testbed`. Prints a report; with
 * `-- --write` it writes it into `docs/testbed.md` as well. Ends with 1 where something was not as it should be.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { prepareFixtures, ROOT } from '../scripts/prepare-fixtures.js'
import { type Cleanup, startCluster } from './cluster.js'
import { counts } from './checks/lost-updates.js'
import { failover } from './checks/failover.js'
import { scaling } from './checks/scaling.js'
import { readYourWrites } from './checks/read-your-writes.js'
import { pooler } from './checks/pooler.js'
import { shards } from './checks/shards.js'
import { networkPartition } from './checks/network-partition.js'
import { statements } from './checks/statements.js'
import { findPrograms, versionOf } from './programs.js'
import { type Finding, reportOf } from './report.js'

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
})

const programs = await findPrograms()
if (!programs) {
  console.log('PostgreSQL is not installed here: there is nothing to run the test bed on.')
  process.exit(0)
}
await prepareFixtures(['blog', 'shards'])
// What waits for servers to end keeps no process alive.
const alive = setInterval(() => {}, 1000)
const cleanup: Cleanup = []
const findings: Finding[] = []
try {
  const bed = await startCluster(programs, cleanup)
  // The last one leaves no primary.
  const checks: Readonly<Record<string, () => Promise<Finding>>> = {
    statements: () => statements(bed),
    'own-writes': () => readYourWrites(bed),
    counts: () => counts(bed),
    growth: () => scaling(bed),
    pooler: () => pooler(bed, cleanup),
    shards: () => shards(programs.postgres, cleanup),
    stall: () => networkPartition(bed),
    failover: () => failover(bed),
  }
  for (const [name, check] of Object.entries(checks)) {
    if (values.only && !values.only.includes(name)) continue
    const begun = performance.now()
    const finding = await check()
    findings.push(finding)
    console.log(`\n${finding.title} (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
    for (const [name, value] of finding.rows) console.log(`  ${name}: ${value}`)
    for (const fault of finding.faults) console.log(`  NOT AS IT SHOULD BE: ${fault}`)
  }
  const postgres = await versionOf(join(programs.postgres, 'postgres'))
  const pgbouncer =
    programs.pgbouncer === undefined ? 'no PgBouncer' : `PgBouncer ${await versionOf(programs.pgbouncer)}`
  const report = reportOf(findings, { postgres, pgbouncer })
  if (values.write) await writeFile(join(ROOT, 'docs/testbed.md'), report)
} finally {
  for (const remove of cleanup.toReversed()) await remove()
  clearInterval(alive)
}
process.exit(findings.some(({ faults }) => faults.length > 0) ? 1 : 0)
