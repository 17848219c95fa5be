/**
 * Runs the tests of the areas with uncommitted changes: `npm run test:changed`. With a commit or branch as its argument, all changes since
 * it count. A change that many areas depend on, such as one in `runtime/schema`, runs a selection; `npm test` runs everything.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Tests that reach most of the runtime. */
const BROAD = ['tests/contract', 'tests/policy/both-styles.test.ts']

/** The start of a path → the tests of its area. The first match counts. */
const AREAS: readonly (readonly [prefix: string, tests: readonly string[]])[] = [
  ['client/', ['tests/client']],
  ['docs/', ['tests/docs']],
  ['fixtures/', ['tests/generator/golden.test.ts', ...BROAD]],
  ['generator/changes/', ['tests/changes']],
  ['generator/init/', ['tests/init']],
  ['generator/output/', ['tests/output']],
  ['generator/', ['tests/generator', 'tests/output']],
  ['runtime/features/', ['tests/features', 'tests/contract', 'tests/rest']],
  ['runtime/hooks/', ['tests/hooks']],
  ['runtime/idempotency/', ['tests/idempotency']],
  ['runtime/openapi/', ['tests/openapi']],
  ['runtime/policy/', ['tests/policy']],
  ['runtime/rest/', ['tests/contract', 'tests/rest']],
  ['runtime/rpc/', ['tests/contract', 'tests/rpc']],
  ['runtime/errors/', ['tests/errors', ...BROAD]],
  ['runtime/serialization/', ['tests/serialization', ...BROAD]],
  ['runtime/values/', ['tests/values', ...BROAD]],
  ['runtime/', ['tests/security', ...BROAD]],
]

const since = process.argv[2] ?? 'HEAD'
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const changedTests = changed.filter((file) => file.endsWith('.test.ts') && existsSync(file))
const areas = new Set(changed.flatMap(testsOf))

if (changedTests.length === 0 && areas.size === 0) console.log(`No changes since ${since} have tests.`)
// Changed test files run in any project, and the tests of an area only if they are fast.
if (changedTests.length > 0) run(changedTests)
if (areas.size > 0) run(['--project=unit', '--project=http', ...areas], styleOf(changed))

/** @param style the only style that contract tables test. Default: both */
function run(args: readonly string[], style?: 'REST' | 'RPC'): void {
  console.log(`vitest run ${args.join(' ')}`)
  const env = { ...process.env, ...(style && { TEST_STYLE: style }) }
  const { status } = spawnSync('npx', ['vitest', 'run', '--passWithNoTests', ...args], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = 1
}

/** Returns the style that all changed files belong to. */
function styleOf(files: readonly string[]): 'REST' | 'RPC' | undefined {
  const isIn = (folder: string) => files.every((file) => file.startsWith(folder) || testsOf(file).length === 0)
  return isIn('runtime/rest/') ? 'REST' : isIn('runtime/rpc/') ? 'RPC' : undefined
}

/** Returns the tests of the area of a changed file. */
function testsOf(file: string): readonly string[] {
  if (file.endsWith('.test.ts')) return []
  // Helpers: the tests of the same area.
  if (file.startsWith('tests/')) return [file.split('/').slice(0, 2).join('/')]
  if (path.extname(file) === '.md' && !file.includes('/')) return ['tests/docs']
  return AREAS.find(([prefix]) => file.startsWith(prefix))?.[1] ?? []
}
