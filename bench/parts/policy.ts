import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { openFilled } from '../data-set/open.js'
import { sqlite } from '../data-set/sqlite.js'
import type { Options } from '../options.js'
import { bundlePrograms } from '../prepare/bundle.js'
import type { PolicyRow } from '../report/results.js'
import { runForResult } from '../run/program.js'

/** Measures the overhead of access policies for lists, on SQLite. */
export async function measurePolicies({ rounds }: Options): Promise<readonly PolicyRow[]> {
  const programs = await bundlePrograms(['policy'], 'sqlite')
  const database = await openFilled(sqlite, preparedFixture('bench', 'sqlite'))
  try {
    return await runForResult(programs, 'policy', [database.url, String(rounds.inProcess)])
  } finally {
    await database.close()
  }
}
