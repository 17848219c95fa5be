/**
 * Measures the compiler's work for the typed RPC client, on schemas of 10, 100 and 500 models. Compiles the same calls on every model with
 * a `PrismaClient` and with `createRpcClient<Api>`, each with and without a computed field per model, and with a custom route per model that
 * is declared and called. Instantiations and types do not depend on the machine and its load. Times do, so the programs are compiled in
 * turn, and the medians are printed.
 *
 *     npm run bench:client-types [-- --models 10,100,500 --runs 5]
 */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { pairedRatio, spread } from './measure.js'
import { capitalize, declareForAll, prepareLarge, ROUTE_BODY } from './prepare/large.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Calls of an app on one model. */
const calls = (client: string, model: string) => `
  await ${client}.${model}.findMany({ where: { name: { contains: 'a' }, owner: { name: 'b' } }, include: { owner: true }, take: 10 })
  await ${client}.${model}.findUnique({ where: { name: 'a' }, select: { id: true, owned: { select: { name: true } } } })
  await ${client}.${model}.create({ data: { name: 'a', owner: { connect: { name: 'b' } } } })
  await ${client}.${model}.update({ where: { id: 1 }, data: { position: { increment: 1 } } })`

/** A client extension with a computed field for every model. */
const EXTENDED = (models: readonly string[]) => `prisma.$extends({ result: {${models
  .map((model) => `\n    ${model}: { loud: { needs: { name: true }, compute: ({ name }) => name.toUpperCase() } },`)
  .join('')}
  } })`

/** The server's declaration of the computed fields. Clients do not need their dependencies. */
const DECLARED = (
  models: readonly string[],
) => `import type { ComputedNames } from '${join(ROOT, 'runtime/dist/index.js')}'
declare const computed: ComputedNames<string, {${models
  .map((model) => `\n  ${capitalize(model)}: { loud: string }`)
  .join('')}
}>`

const handwrittenRoute = (model: string) =>
  `(id: number, body: z.input<typeof bodies.${model}>) => send<rows.${capitalize(model)} | null>(\`/${model}/\${id}/confirm\`, body)`

/** Modules that are compiled as separate programs. */
const PROGRAMS = {
  prisma: (models: readonly string[]) => `import type { PrismaClient } from './client/client.js'
export async function run(client: PrismaClient): Promise<void> {${models.map((model) => calls('client', model)).join('')}
}\n`,
  rpc: (models: readonly string[]) => `import { createRpcClient } from '${join(ROOT, 'client/dist/index.js')}'
import type { Api } from './routes/client.js'
export async function run(): Promise<void> {
  const client = createRpcClient<Api>({ url: '/api' })${models.map((model) => calls('client', model)).join('')}
}\n`,
  'prisma, computed fields': (models: readonly string[]) => `import type { PrismaClient } from './client/client.js'
export async function run(prisma: PrismaClient): Promise<void> {
  const client = ${EXTENDED(models)}${models.map((model) => calls('client', model)).join('')}
}\n`,
  'rpc, computed fields': (
    models: readonly string[],
  ) => `import { createRpcClient } from '${join(ROOT, 'client/dist/index.js')}'
import type { Api } from './routes/client.js'
${DECLARED(models)}
export async function run(): Promise<void> {
  const client = createRpcClient<Api<typeof computed>>({ url: '/api' })${models.map((model) => calls('client', model)).join('')}
}\n`,
  'rpc, custom routes': (
    models: readonly string[],
  ) => `import { createRpcClient, withRpcRoutes } from '${join(ROOT, 'client/dist/index.js')}'
import type { Api } from './routes/client.js'
import { declarations } from './declarations.js'
export async function run(): Promise<void> {
  const client = withRpcRoutes(createRpcClient<Api>({ url: '/api' }), declarations)${models
    .map((model) => `${calls('client', model)}\n  await client.${model}.confirm({ id: 1, note: 'a' })`)
    .join('')}
}\n`,
  // The same schemas, and a function for each route, as an app without declared routes would contain them.
  'prisma, handwritten routes': (models: readonly string[]) => `import type * as rows from './client/client.js'
import * as z from 'zod'
declare function send<T>(url: string, body: object): Promise<T>
const bodies = {${models.map((model) => `\n  ${model}: ${ROUTE_BODY},`).join('')}
}
const routes = {${models.map((model) => `\n  ${model}: ${handwrittenRoute(model)},`).join('')}
}
export async function run(client: rows.PrismaClient): Promise<void> {${models
    .map((model) => `${calls('client', model)}\n  await routes.${model}(1, { note: 'a' })`)
    .join('')}
}\n`,
  'only the emitted files': () =>
    `export type { Api } from './routes/client.js'\nexport type { PrismaClient } from './client/client.js'\n`,
}

/** The programs that each program is compared with. */
const BASELINES: Readonly<Record<string, readonly (keyof typeof PROGRAMS)[]>> = {
  rpc: ['prisma'],
  'rpc, computed fields': ['prisma', 'prisma, computed fields'],
  'rpc, custom routes': ['prisma', 'prisma, handwritten routes'],
}

const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['es2023', 'dom'],
}

interface Cost {
  readonly instantiations: number
  readonly types: number
  readonly checkSeconds: number
  readonly totalSeconds: number
}

/** Compiles the programs in turn, and prints the medians. */
function measure(models: number, runs: number): void {
  const { folder, delegates } = prepareLarge(models, 'postgresql', ['customRoutes'])
  try {
    writeFileSync(join(folder, 'declarations.ts'), declareForAll(delegates))
    const compile = (program: string): Cost => {
      writeFileSync(join(folder, 'program.ts'), program)
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }))
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const args = [tsc, '-p', folder, '--extendedDiagnostics']
      const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
      if (status !== 0) throw new Error(stdout.slice(0, 4000))
      const number = (label: string) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1])
      return {
        instantiations: number('Instantiations'),
        types: number('Types'),
        checkSeconds: number('Check time'),
        totalSeconds: number('Total time'),
      }
    }
    const costs = new Map<string, Cost[]>(Object.keys(PROGRAMS).map((name) => [name, []]))
    for (let run = 0; run < runs; run++) {
      for (const [name, program] of Object.entries(PROGRAMS)) costs.get(name)?.push(compile(program(delegates)))
    }
    for (const [name, each] of costs) {
      const ratios = (BASELINES[name] ?? []).map((baseline) => {
        const totals = costs.get(baseline)?.map(({ totalSeconds }) => totalSeconds) ?? []
        const { median } = pairedRatio(
          each.map(({ totalSeconds }) => totalSeconds),
          totals,
        )
        return `, ${median.toFixed(2)} × ${baseline}`
      })
      console.log(`  ${name}: ${each[0]?.instantiations} instantiations, ${each[0]?.types} types`)
      const check = spread(each.map(({ checkSeconds }) => checkSeconds))
      const total = spread(each.map(({ totalSeconds }) => totalSeconds))
      console.log(`    check ${check.median} s, in all ${total.median} s${ratios.join('')}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: { models: { type: 'string', default: '10,100,500' }, runs: { type: 'string', default: '5' } },
})
for (const models of values.models.split(',').map(Number)) {
  console.log(`${models} models, four calls on each`)
  measure(models, Number(values.runs))
}
