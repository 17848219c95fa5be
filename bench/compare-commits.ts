/**
 * Compares the performance of this working copy with another one, for example the commit before a change: `npm run bench:against -- <folder
 * or commit> [--rounds 101 --only list,get --sqlite-driver libsql]`. See bench/README.md.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { preparedFixture, prepareFixtures, ROOT } from '../scripts/prepare-fixtures.js'
import { openFilled } from './data-set/open.js'
import { sqlite } from './data-set/sqlite.js'
import { bundleVersions } from './prepare/bundle.js'
import { chooseDriver } from './prepare/sqlite-driver.js'
import { type CommitSamples, commitTable } from './report/compare-commits.js'
import { runProgram } from './run/program.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '101' },
    only: { type: 'string', default: '' },
    'sqlite-driver': { type: 'string', default: 'better-sqlite3' },
  },
})
const [before] = positionals
if (before === undefined) throw new Error('Against what? Name a folder, or a commit: npm run bench:against -- main')

await prepareFixtures(['bench'])
await chooseDriver(values['sqlite-driver'])
const tempFolder = mkdtempSync(join(tmpdir(), 'routewright-against-'))
const tree = existsSync(before) ? undefined : join(tempFolder, 'before')
try {
  if (tree) git('worktree', 'add', '--detach', tree, before)
  const programs = await bundleVersions({ before: tree ?? resolve(before), now: ROOT })
  const database = await openFilled(sqlite, preparedFixture('bench', 'sqlite'))
  try {
    const file = join(tempFolder, 'samples.json')
    await runProgram(programs, 'compare-commits', [database.url, values.rounds, values.only, file])
    process.stderr.write('\n')
    const samples: CommitSamples = JSON.parse(readFileSync(file, 'utf8'))
    console.log(commitTable(samples))
  } finally {
    await database.close()
  }
} finally {
  if (tree && existsSync(tree)) git('worktree', 'remove', '--force', tree)
  rmSync(tempFolder, { recursive: true, force: true })
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}
