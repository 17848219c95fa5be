/**
 * Measures `prisma generate` with and without routes, on schemas of 10, 100 and 500 models.
 *
 *   npm run bench:generate [-- --models 10,100,500 --runs 3]
 *
 * Wall time is the best of the runs, since other work on the machine only ever adds to it. Memory is the largest resident
 * set of the process, Prisma's own and the routes generator's apart.
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

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = join(ROOT, 'dist/generator/main.js')
const PRISMA = join(ROOT, 'node_modules/prisma/build/index.js')

/** An unchanged run may add this share of the client generator's own time, and this for starting a process. */
const GOAL = { share: 0.5, startMs: 500 }

interface Usage {
  readonly wallMs: number
  /** Processor time of all processes. */
  readonly cpuMs: number
  readonly prismaMb: number
  readonly routesMb: number
  /** What Prisma says that the client generator took. */
  readonly clientMs: number
}

interface Project {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Loaded into every process that is measured: notes what it used, in a file of its own. */
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

function createProject(models: number): Project {
  const folder = mkdtempSync(join(tmpdir(), 'routewright-bench-'))
  for (const name of ['bin', 'usage', 'node_modules']) mkdirSync(join(folder, name))
  for (const name of ['prisma', '@prisma', 'hono', 'zod']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
  writeFileSync(join(folder, 'schema.prisma'), largeSchema(models))
  writeFileSync(
    join(folder, 'bin/routewright'),
    `#!/usr/bin/env node\nimport(${JSON.stringify(pathToFileURL(MAIN))})\n`,
    {
      mode: 0o755,
    },
  )
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

function generate({ folder, env }: Project, args: readonly string[]): Usage {
  rmSync(join(folder, 'usage'), { recursive: true, force: true })
  mkdirSync(join(folder, 'usage'))
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [PRISMA, 'generate', ...args], {
    cwd: folder,
    env,
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
    clientMs: durationOf(/Generated Prisma Client .* in ([\d.]+)(ms|s)/.exec(stdout)),
  }
}

function durationOf(match: RegExpExecArray | null): number {
  return Number(match?.[1] ?? 0) * (match?.[2] === 's' ? 1000 : 1)
}

/** The least of several runs, number by number. */
function best(runs: number, run: () => Usage): Usage {
  return Array.from({ length: runs }, run).reduce((a, b) => ({
    wallMs: Math.min(a.wallMs, b.wallMs),
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
    prismaMb: Math.min(a.prismaMb, b.prismaMb),
    routesMb: Math.min(a.routesMb, b.routesMb),
    clientMs: Math.min(a.clientMs, b.clientMs),
  }))
}

interface Measured {
  readonly models: number
  readonly client: Usage
  readonly cold: Usage
  readonly unchanged: Usage
  readonly routes: Usage
}

function measure(models: number, runs: number): Measured {
  const project = createProject(models)
  try {
    const client = best(runs, () => generate(project, ['--generator=client']))
    const cold = best(runs, () => {
      rmSync(join(project.folder, 'routes'), { recursive: true, force: true })
      rmSync(join(project.folder, 'node_modules/.cache'), { recursive: true, force: true })
      return generate(project, [])
    })
    const unchanged = best(runs, () => generate(project, []))
    const routes = best(runs, () => generate(project, ['--generator=routes']))
    return { models, client, cold, unchanged, routes }
  } finally {
    rmSync(project.folder, { recursive: true, force: true })
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const megabytes = (mb: number) => (mb === 0 ? '' : `${Math.round(mb)} MB`)

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

function times(all: readonly Measured[]): string {
  const kinds = [
    ['client only', 'client'],
    ['client + routes, cold', 'cold'],
    ['client + routes, unchanged', 'unchanged'],
    ['routes only, unchanged', 'routes'],
  ] as const
  return [
    row(['models', 'run', 'wall', 'processor', "Prisma's peak memory", "routes' peak memory"]),
    row(['--:', ':--', '--:', '--:', '--:', '--:']),
    ...all.flatMap((measured) =>
      kinds.map(([label, kind]) => {
        const { wallMs, cpuMs, prismaMb, routesMb } = measured[kind]
        return row([measured.models, label, seconds(wallMs), seconds(cpuMs), megabytes(prismaMb), megabytes(routesMb)])
      }),
    ),
  ].join('\n')
}

function goals(all: readonly Measured[]): string {
  return [
    row(['models', 'client generator', 'cold run adds', 'a model', 'unchanged run adds', 'goal', '']),
    row(['--:', '--:', '--:', '--:', '--:', '--:', ':--']),
    ...all.map(({ models, client, cold, unchanged }) => {
      const coldAdds = cold.wallMs - client.wallMs
      const adds = unchanged.wallMs - client.wallMs
      const goal = GOAL.share * client.clientMs + GOAL.startMs
      const perModel = `${(coldAdds / models).toFixed(1)} ms`
      const verdict = adds <= goal ? 'reached' : `missed by ${seconds(adds - goal)}`
      return row([models, seconds(client.clientMs), seconds(coldAdds), perModel, seconds(adds), seconds(goal), verdict])
    }),
  ].join('\n')
}

const { values } = parseArgs({
  options: { models: { type: 'string', default: '10,100,500' }, runs: { type: 'string', default: '3' } },
})
const measured = values.models.split(',').map((models) => measure(Number(models), Number(values.runs)))
console.log(`${times(measured)}\n\n${goals(measured)}`)
