/**
 * Measures `routewright changes` and `routewright check` on a schema in which one model has a new field.
 *
 *     npm run bench:changes [-- --models 100 --runs 5]
 *
 * Reports the CPU time of the process and its git calls, as the minimum of all runs, because other load on the machine only adds to it.
 * `check` is measured with and without its hint about changes. Requires a build.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { largeSchema } from '../fixtures/large/schema.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = join(ROOT, 'generator/dist/main.js')

const { values } = parseArgs({ options: { models: { type: 'string' }, runs: { type: 'string' } } })
const models = Number(values.models ?? 100)
const runs = Number(values.runs ?? 5)

/** Label, command, and whether `check` prints its hint about changes. */
const COMMANDS = [
  ['check, without a word on changes', 'check', 'off'],
  ['check', 'check', 'on'],
  ['changes', 'changes', 'on'],
] as const

const folder = mkdtempSync(join(tmpdir(), 'routewright-bench-'))
try {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], { cwd: folder })
  const schema = largeSchema(models)
  mkdirSync(join(folder, 'prisma'))
  writeFileSync(join(folder, 'prisma/schema.prisma'), schema)
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'A schema')
  for (const state of ['the same schema', 'a field more']) {
    if (state !== 'the same schema') {
      writeFileSync(
        join(folder, 'prisma/schema.prisma'),
        schema.replace(/^model .*\n/m, (line) => `${line}  extra String?\n`),
      )
    }
    run('generate', 'off')
    for (const [name, command, changeReport] of COMMANDS) {
      const best = Math.min(...Array.from({ length: runs }, () => run(command, changeReport)))
      process.stdout.write(`${models} models, ${state}: ${name}: ${Math.round(best)} ms\n`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs a command and returns its CPU time in milliseconds. */
function run(command: string, changeReport: 'on' | 'off'): number {
  const script = `cd "$1" && "$2" "$3" "$4" >/dev/null 2>&1; times`
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', folder, process.execPath, MAIN, command], {
    encoding: 'utf8',
    env: { ...process.env, ROUTEWRIGHT_CHANGES: changeReport },
  })
  // The last line is the CPU time of child processes: `0m1.234s 0m0.123s`.
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
}
