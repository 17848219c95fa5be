/**
 * Measures `prisma generate` with and without routes, on schemas of several sizes.
 *
 * Each number is the minimum of several interleaved runs, because other load on the machine only adds to it. On a busy machine, CPU time is
 * more reliable than wall time. Memory is the maximum resident set size, separately for Prisma and the routes generator. An empty generator
 * shows the cost of Prisma's protocol, which sends all types of its query language to every generator.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { largeSchema } from '../../fixtures/large/schema.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'
import type { Options } from '../options.js'
import type { GenerationRow, ResultsByPart, TypecheckRow } from '../report/results.js'
import { measureTypechecks } from './generate-baseline.js'

const MAIN = join(ROOT, 'generator/dist/main.js')
const HELPER = join(ROOT, 'node_modules/@prisma/generator-helper')
const PRISMA = join(ROOT, 'node_modules/prisma/build/index.js')

const MODELS = [10, 100, 500]
const RUNS = 3

type Usage = Omit<GenerationRow, 'models' | 'run'>

interface Project {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Preloaded into every measured process: writes its resource usage to a file. */
const METER = `
  import { writeFileSync } from 'node:fs'
  const note = () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    const routes = process.env.PRISMA_GENERATOR_INVOCATION === 'true'
    const usage = { routes, mb: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }
    writeFileSync(process.env.BENCH_USAGE + '/' + process.pid, JSON.stringify(usage))
  }
  process.on('exit', note)
  // Prisma ends a generator that has answered with this signal.
  process.on('SIGTERM', () => process.exit())
`

/** The provider in the schema: Routewright's generator or an empty one. */
const STARTER = `#!/usr/bin/env node
const { BENCH_NOTHING } = process.env
if (BENCH_NOTHING) require(BENCH_NOTHING).generatorHandler({ onManifest: () => ({}), onGenerate: async () => {} })
else import(${JSON.stringify(pathToFileURL(MAIN))})
`

function createProject(models: number): Project {
  const folder = mkdtempSync(join(tmpdir(), 'routewright-bench-'))
  for (const name of ['bin', 'usage', 'node_modules']) mkdirSync(join(folder, name))
  for (const name of ['prisma', '@prisma', 'hono', 'zod']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
  writeFileSync(join(folder, 'schema.prisma'), largeSchema(models))
  writeFileSync(join(folder, 'bin/routewright'), STARTER, { mode: 0o755 })
  return {
    folder,
    env: {
      PRISMA_SCHEMA_ENGINE_BINARY: existsSync('/bin/true') ? '/bin/true' : process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
      ...process.env,
      BENCH_USAGE: join(folder, 'usage'),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(METER)}`,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
    },
  }
}

function generate(
  { folder, env }: Project,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Usage {
  rmSync(join(folder, 'usage'), { recursive: true, force: true })
  mkdirSync(join(folder, 'usage'))
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [PRISMA, 'generate', ...args], {
    cwd: folder,
    env: { ...env, ...more },
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const wallMs = performance.now() - start
  if (status !== 0) throw new Error(`prisma generate failed.\n${stdout}\n${stderr}`)
  const processes: { routes: boolean; mb: number; cpuMs: number }[] = readdirSync(join(folder, 'usage')).map((name) =>
    JSON.parse(readFileSync(join(folder, 'usage', name), 'utf8')),
  )
  const peak = (routes: boolean) =>
    Math.max(0, ...processes.filter((each) => each.routes === routes).map(({ mb }) => mb))
  return {
    wallMs,
    cpuMs: processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    prismaMb: peak(false),
    routesMb: peak(true),
  }
}

/** Each kind of run. The first is the baseline for the others. */
const KINDS: Readonly<Record<GenerationRow['run'], (project: Project) => Usage>> = {
  client: (project) => generate(project, ['--generator=client']),
  nothing: (project) => generate(project, [], { BENCH_NOTHING: HELPER }),
  cold: (project) => {
    rmSync(join(project.folder, 'routes'), { recursive: true, force: true })
    rmSync(join(project.folder, 'node_modules/.cache'), { recursive: true, force: true })
    return generate(project, [])
  },
  unchanged: (project) => generate(project, []),
  routes: (project) => generate(project, ['--generator=routes']),
}

/** Measures generation and type checks for schemas of several sizes. */
export async function measureGeneration({ models = MODELS, runs = RUNS }: Options): Promise<ResultsByPart['generate']> {
  const rows: GenerationRow[] = []
  const typechecks: TypecheckRow[] = []
  for (const count of models) {
    const project = createProject(count)
    const best = new Map<GenerationRow['run'], Usage>()
    try {
      for (let round = 0; round < runs; round++) {
        for (const run of KIND_NAMES) best.set(run, least(KINDS[run](project), best.get(run)))
      }
      typechecks.push({ models: count, ...measureTypechecks(project.folder, runs) })
    } finally {
      rmSync(project.folder, { recursive: true, force: true })
    }
    for (const [run, usage] of best) rows.push({ models: count, run, ...usage })
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  return { runs: rows, typechecks }
}

const KIND_NAMES = ['client', 'nothing', 'cold', 'unchanged', 'routes'] as const

function least(a: Usage, b: Usage = a): Usage {
  return {
    wallMs: Math.min(a.wallMs, b.wallMs),
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
    prismaMb: Math.min(a.prismaMb, b.prismaMb),
    routesMb: Math.min(a.routesMb, b.routesMb),
  }
}
