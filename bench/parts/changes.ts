import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { largeSchema } from '../../fixtures/large/schema.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'
import type { Options } from '../options.js'
import type { CommandRow } from '../report/results.js'

const MAIN = join(ROOT, 'generator/dist/main.js')
const MODELS = [100]
const RUNS = 5

/** Label, command, and whether `check` prints its hint about changes. */
const COMMANDS = [
  ['check, without the summary of changes', 'check', 'off'],
  ['check', 'check', 'on'],
  ['changes', 'changes', 'on'],
] as const

/**
 * Measures `routewright changes` and `routewright check`, for an unchanged schema and one in which a model has a new field. Reports the CPU
 * time of the process and its git calls, as the minimum of all runs, because other load on the machine only adds to it.
 */
export async function measureChanges({ models = MODELS, runs = RUNS }: Options): Promise<readonly CommandRow[]> {
  return models.flatMap((count) => {
    const folder = mkdtempSync(join(tmpdir(), 'routewright-bench-'))
    try {
      return measure(folder, count, runs)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function measure(folder: string, models: number, runs: number): readonly CommandRow[] {
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
  const withField = schema.replace(/^model .*\n/m, (line) => `${line}  extra String?\n`)
  const rows: CommandRow[] = []
  for (const [state, text] of [
    ['unchanged', schema],
    ['with a new field', withField],
  ] as const) {
    writeFileSync(join(folder, 'prisma/schema.prisma'), text)
    run(folder, 'generate', 'off')
    for (const [label, command, changeReport] of COMMANDS) {
      const cpuMs = Math.min(...Array.from({ length: runs }, () => run(folder, command, changeReport)))
      rows.push({ models, schema: state, command: label, cpuMs })
    }
  }
  return rows
}

/** Runs a command and returns its CPU time in milliseconds. */
function run(folder: string, command: string, changeReport: 'on' | 'off'): number {
  const script = `cd "$1" && "$2" "$3" "$4" >/dev/null 2>&1; times`
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', folder, process.execPath, MAIN, command], {
    encoding: 'utf8',
    env: { ...process.env, ROUTEWRIGHT_CHANGES: changeReport },
  })
  // The last line is the CPU time of child processes: `0m1.234s 0m0.123s`.
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
}
