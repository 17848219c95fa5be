/** Baselines for the benchmark of generation: type-checking the generated code, and ZenStack's generator. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { ROOT } from '../../scripts/prepare-fixtures.js'
import type { TypecheckRow } from '../report/results.js'

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const ZENSTACK = join(ROOT, 'bench/zenstack')

/**
 * Measures the baselines of a generated project.
 * @param folder contains `schema.prisma`, `client/` and `routes/`
 */
export function measureTypechecks(folder: string, runs: number): Omit<TypecheckRow, 'models'> {
  const runtime = join(folder, 'node_modules/@routewright/runtime')
  mkdirSync(dirname(runtime), { recursive: true })
  if (!existsSync(runtime)) symlinkSync(join(ROOT, 'runtime'), runtime, 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const read = () => typecheck(folder, ['client/client.ts'])
  const checked = checkedClient(folder)
  // The client imports modules without declarations.
  const client = () => typecheck(folder, [`${checked}/client.ts`], { noImplicitAny: false })
  const routes = () => typecheck(folder, ['client/client.ts', 'routes/index.ts', 'routes/hono.ts'])
  const hasZenstack = existsSync(join(ZENSTACK, 'node_modules/@zenstackhq/cli'))
  const times = Array.from({ length: runs }, () => [
    read(),
    client(),
    routes(),
    hasZenstack ? zenGenerate(folder) : NaN,
  ])
  const least = (kind: number) => Math.min(...times.map((round) => round[kind] ?? NaN))
  return {
    clientReadMs: least(0),
    clientCheckMs: least(1),
    routesCheckMs: least(2),
    zenstackMs: hasZenstack ? least(3) : undefined,
  }
}

/**
 * Copies the client without `@ts-nocheck`.
 * @returns the name of the copy in the folder
 */
function checkedClient(folder: string): string {
  const name = 'client-checked'
  const copy = join(folder, name)
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(folder, 'client'), copy, { recursive: true })
  for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const path = join(copy, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*@ts-nocheck.*$/m, ''))
  }
  return name
}

function typecheck(folder: string, files: readonly string[], more: object = {}): number {
  const config = join(folder, 'tsconfig.bench.json')
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    // Prisma and the generator write `.ts` imports if there is no tsconfig.json.
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    ...more,
  }
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  return run([TSC, '--project', config], folder, {})
}

function zenGenerate(folder: string): number {
  const outputFolder = join(folder, 'zenstack')
  rmSync(outputFolder, { recursive: true, force: true })
  mkdirSync(outputFolder)
  const schema = readFileSync(join(folder, 'schema.prisma'), 'utf8').replace(/^generator\s+\w+\s*\{[^}]*\}\n/gm, '')
  writeFileSync(join(outputFolder, 'schema.zmodel'), schema)
  const cli = join(ZENSTACK, 'node_modules/@zenstackhq/cli/bin/cli')
  const args = [cli, 'generate', `--schema=${join(outputFolder, 'schema.zmodel')}`, `--output=${outputFolder}`]
  return run([...args, '--no-version-check', '--no-tips'], ZENSTACK, {
    DO_NOT_TRACK: '1',
    NODE_OPTIONS: `--import=${pathToFileURL(join(ZENSTACK, 'group-by.js')).href}`,
  })
}

function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): number {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(`${args.join(' ')} failed.\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}`)
  return performance.now() - start
}
