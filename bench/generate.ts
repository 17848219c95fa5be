/**
 * Measures `prisma generate` with and without routes, on schemas of 10, 100 and 500 models.
 *
 *     npm run bench:generate [-- --models 10,100,500 --runs 3]
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
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { largeSchema } from '../fixtures/large/schema.js'
import { type Baseline, measureBaseline } from './generate-baseline.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = join(ROOT, 'generator/dist/main.js')
const HELPER = join(ROOT, 'node_modules/@prisma/generator-helper')
const PRISMA = join(ROOT, 'node_modules/prisma/build/index.js')

/** Maximum overhead of a run without changes: a share of the client generator's time, plus the time to start a process. */
const TARGET = { share: 0.5, startMs: 500 }

interface Usage {
  readonly wallMs: number
  /** CPU time of all processes. */
  readonly cpuMs: number
  readonly prismaMb: number
  readonly routesMb: number
  /** The client generator's time as printed by Prisma. */
  readonly clientMs: number
}

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
    clientMs: toMilliseconds(/Generated Prisma Client .* in ([\d.]+)(ms|s)/.exec(stdout)),
  }
}

function toMilliseconds(match: RegExpExecArray | null): number {
  return Number(match?.[1] ?? 0) * (match?.[2] === 's' ? 1000 : 1)
}

const KINDS = {
  client: { label: 'client only', run: (project: Project) => generate(project, ['--generator=client']) },
  nothing: {
    label: 'client + an empty generator',
    run: (project: Project) => generate(project, [], { BENCH_NOTHING: HELPER }),
  },
  cold: {
    label: 'client + routes, cold',
    run: (project: Project) => {
      rmSync(join(project.folder, 'routes'), { recursive: true, force: true })
      rmSync(join(project.folder, 'node_modules/.cache'), { recursive: true, force: true })
      return generate(project, [])
    },
  },
  unchanged: { label: 'client + routes, unchanged', run: (project: Project) => generate(project, []) },
  routes: { label: 'routes only, unchanged', run: (project: Project) => generate(project, ['--generator=routes']) },
}

type Measured = { readonly models: number; readonly baseline?: Baseline } & Readonly<Record<keyof typeof KINDS, Usage>>

function measure(models: number, runs: number): Measured {
  const project = createProject(models)
  const round = (before: Measured | undefined): Measured => ({
    models,
    client: least(KINDS.client.run(project), before?.client),
    nothing: least(KINDS.nothing.run(project), before?.nothing),
    cold: least(KINDS.cold.run(project), before?.cold),
    unchanged: least(KINDS.unchanged.run(project), before?.unchanged),
    routes: least(KINDS.routes.run(project), before?.routes),
  })
  try {
    let best = round(undefined)
    for (let run = 1; run < runs; run++) best = round(best)
    return { ...best, baseline: measureBaseline(project.folder, runs) }
  } finally {
    rmSync(project.folder, { recursive: true, force: true })
  }
}

function least(a: Usage, b: Usage = a): Usage {
  return {
    wallMs: Math.min(a.wallMs, b.wallMs),
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
    prismaMb: Math.min(a.prismaMb, b.prismaMb),
    routesMb: Math.min(a.routesMb, b.routesMb),
    clientMs: Math.min(a.clientMs, b.clientMs),
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const megabytes = (mb: number) => (mb === 0 ? '' : `${Math.round(mb)} MB`)

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

function times(all: readonly Measured[]): string {
  const kinds = ['client', 'nothing', 'cold', 'unchanged', 'routes'] as const
  return [
    row(['models', 'run', 'wall', 'processor', "Prisma's peak memory", "generator's peak memory"]),
    row(['--:', ':--', '--:', '--:', '--:', '--:']),
    ...all.flatMap((measured) =>
      kinds.map((kind) => {
        const { wallMs, cpuMs, prismaMb, routesMb } = measured[kind]
        const cells = [seconds(wallMs), seconds(cpuMs), megabytes(prismaMb), megabytes(routesMb)]
        return row([measured.models, KINDS[kind].label, ...cells])
      }),
    ),
  ].join('\n')
}

function formatTargets(all: readonly Measured[]): string {
  const formatAdded = (from: Usage, to: Usage) =>
    `${seconds(to.wallMs - from.wallMs)} (${seconds(to.cpuMs - from.cpuMs)})`
  return [
    'Time added to that of the client, wall time (processor time):',
    '',
    row(['models', 'cold', 'cold, a model', 'unchanged', 'an empty generator', 'goal for unchanged', '']),
    row(['--:', '--:', '--:', '--:', '--:', '--:', ':--']),
    ...all.map(({ models, client, nothing, cold, unchanged }) => {
      const wall = (cold.wallMs - client.wallMs) / models
      const cpu = (cold.cpuMs - client.cpuMs) / models
      const addedMs = unchanged.wallMs - client.wallMs
      const targetMs = TARGET.share * client.clientMs + TARGET.startMs
      return row([
        models,
        formatAdded(client, cold),
        `${wall.toFixed(0)} ms (${cpu.toFixed(0)} ms)`,
        formatAdded(client, unchanged),
        formatAdded(client, nothing),
        seconds(targetMs),
        addedMs <= targetMs ? 'reached' : `missed by ${seconds(addedMs - targetMs)}`,
      ])
    }),
  ].join('\n')
}

/** Formats the baselines, in wall time. */
function baselineTable(all: readonly Measured[]): string {
  return [
    row([
      'models',
      'tsc, client read',
      'tsc, client checked',
      'tsc, client read, routes checked',
      'check of routes / of client',
      '`prisma generate`, cold',
      '`zen generate`',
    ]),
    row(['--:', '--:', '--:', '--:', '--:', '--:', '--:']),
    ...all.flatMap(({ models, cold, baseline }) => {
      if (!baseline) return []
      const { clientReadMs, clientCheckMs, routesCheckMs, zenstackMs } = baseline
      const ratio = ((routesCheckMs - clientReadMs) / (clientCheckMs - clientReadMs)).toFixed(2)
      const zenstackTime = zenstackMs === undefined ? 'not installed' : seconds(zenstackMs)
      const checks = [clientReadMs, clientCheckMs, routesCheckMs].map(seconds)
      return [row([models, ...checks, ratio, seconds(cold.wallMs), zenstackTime])]
    }),
  ].join('\n')
}

const { values } = parseArgs({
  options: { models: { type: 'string', default: '10,100,500' }, runs: { type: 'string', default: '3' } },
})
const measured = values.models.split(',').map((models) => measure(Number(models), Number(values.runs)))
console.log(
  `${times(measured)}\n\n${formatTargets(measured)}\n\nType-checking what was written, and ZenStack:\n\n${baselineTable(measured)}`,
)
