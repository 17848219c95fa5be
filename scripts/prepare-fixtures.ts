/**
 * Creates the uncommitted parts of the fixtures that tests, type checks and the demo need: Prisma clients, tables, and variants of the
 * schemas for other databases with their routes. Skips steps whose inputs have not changed.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { withLock } from './file-lock.js'

/** A database that fixtures can be prepared for. */
export type Provider = 'sqlite' | 'postgresql' | 'mysql'

/** The root folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const FIXTURES = join(ROOT, 'fixtures')
const GENERATED = join(ROOT, 'tests/.generated')
const EXAMPLE = join(ROOT, 'examples/issue-tracker')
const run = promisify(execFile)

// Additional databases of each fixture, besides the one in its schema.
const EXTRA_PROVIDERS: Readonly<Record<string, readonly Provider[]>> = {
  bench: ['postgresql'],
  blog: ['postgresql', 'mysql'],
  names: ['postgresql'],
  'native-types': ['postgresql', 'mysql'],
  payments: ['postgresql', 'mysql'],
  shards: ['postgresql'],
  tenants: ['postgresql', 'mysql'],
  versions: ['postgresql', 'mysql'],
  workspace: ['postgresql', 'mysql'],
}

// Fixtures that are compiled but never run.
const WITHOUT_TABLES: readonly string[] = ['client-js', 'large']

/** The paths of a fixture's files for one database. The files may not exist yet. */
export interface PreparedFixture {
  readonly fixture: string
  readonly provider: Provider
  /** The folder with `client/` and `expected/`. For the database in the schema, this is the fixture's folder. */
  readonly folder: string
  /** The schema file or folder. */
  readonly schema: string
  /** The SQL that creates the tables. For PostgreSQL, `pglite.tar` in the same folder is a PGlite snapshot with these tables. */
  readonly tables: string
}

/** Returns the databases that a fixture is prepared for, with the one in its schema first. */
export function listProviders(fixture: string): readonly Provider[] {
  return [preparedFixture(fixture).provider, ...(EXTRA_PROVIDERS[fixture] ?? [])]
}

/** Returns the paths of a fixture's files for a database. Default: the one in its schema. */
export function preparedFixture(fixture: string, provider?: Provider): PreparedFixture {
  const source = join(FIXTURES, fixture)
  const defaultProvider = detectProvider(readSchema(getSchemaPath(source)))
  const wanted = provider ?? defaultProvider
  const generated = join(GENERATED, `${fixture}-${wanted}`)
  const folder = wanted === defaultProvider ? source : generated
  return {
    fixture,
    provider: wanted,
    folder,
    schema: wanted === defaultProvider ? getSchemaPath(source) : join(generated, 'schema.prisma'),
    tables: wanted === 'mysql' ? join(source, 'mysql.sql') : join(generated, 'tables.sql'),
  }
}

/** Returns an environment in which `prisma generate` needs no download. It checks that the schema engine exists but never starts it. */
export function prismaEnvironment(): NodeJS.ProcessEnv {
  const harmless = existsSync('/bin/true') ? '/bin/true' : process.execPath
  return {
    PRISMA_SCHEMA_ENGINE_BINARY: harmless,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    ...process.env,
  }
}

/**
 * Runs `prisma generate` with the repository's Prisma.
 * @returns the standard output
 * @throws Error with the output if it fails
 */
export async function prismaGenerate(
  schema: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = prismaEnvironment(),
): Promise<string> {
  const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')
  try {
    const { stdout } = await run(process.execPath, [cli, 'generate', `--schema=${schema}`, ...args], { cwd: ROOT, env })
    return stdout
  } catch (error) {
    const output =
      error instanceof Error && 'stderr' in error ? `\n${'stdout' in error ? error.stdout : ''}\n${error.stderr}` : ''
    throw new Error(`prisma generate failed for ${relative(ROOT, schema)}.${output}`, { cause: error })
  }
}

// Skips each step whose inputs have not changed.
async function prepareFixture(prepared: PreparedFixture): Promise<void> {
  const { fixture, provider, folder, schema, tables } = prepared
  const source = join(FIXTURES, fixture)
  const generated = join(GENERATED, `${fixture}-${provider}`)
  // Schemas with native types have a file per database.
  const special = join(source, `${provider}.prisma`)
  const texts = readSchema(existsSync(special) ? special : getSchemaPath(source))
  const tools = await versions()
  await mkdir(generated, { recursive: true })

  const isDefaultProvider = folder === source
  // The routes for the default database are committed, so they change with the generator.
  const inputs = isDefaultProvider ? [texts, tools] : [texts, tools, await contents(join(source, 'expected'))]
  await runIfStale(join(generated, 'client.sha256'), inputs, join(folder, 'client'), async () => {
    if (isDefaultProvider) return prismaGenerate(schema, ['--generator=client'])
    await writeFile(schema, withProvider(texts.join('\n'), provider))
    return prismaGenerate(schema, [])
  })

  const maker = fileURLToPath(new URL('create-tables.ts', import.meta.url))
  if (provider === 'mysql' || WITHOUT_TABLES.includes(fixture)) return
  await runIfStale(join(generated, 'tables.sha256'), [texts, tools, await readFile(maker, 'utf8')], tables, () =>
    run(process.execPath, ['--import', 'tsx', maker, schema, generated], { cwd: ROOT }),
  )
}

// Only the Prisma client of the example app is not committed.
async function prepareExample(): Promise<void> {
  const schema = join(EXAMPLE, 'prisma/schema.prisma')
  const inputs = [await readFile(schema, 'utf8'), await versions()]
  await runIfStale(join(GENERATED, 'issue-tracker.sha256'), inputs, join(EXAMPLE, 'generated/sqlite/client'), () =>
    prismaGenerate(schema, ['--generator=client']),
  )
}

// Changes a schema's provider, and runs the generator from the repository's sources.
function withProvider(schema: string, provider: Provider): string {
  return schema
    .replace(/^(datasource\s[^}]*?\bprovider\s*=\s*)"\w+"/m, `$1"${provider}"`)
    .replace('"routewright"', '"node --import tsx generator/main.ts"')
}

/**
 * Prepares all fixtures, or the named ones. If several processes call it concurrently, one of them does the work.
 * @param wanted names of fixtures. Default: all.
 */
export async function prepareFixtures(wanted?: readonly string[]): Promise<void> {
  await mkdir(GENERATED, { recursive: true })
  const all = readdirSync(FIXTURES).filter((name) => existsSync(join(FIXTURES, name, 'expected')))
  const tasks = (wanted ?? all).flatMap((fixture) =>
    listProviders(fixture).map((provider) => () => prepareFixture(preparedFixture(fixture, provider))),
  )
  if (!wanted) tasks.push(prepareExample)
  await withLock(join(GENERATED, '.lock'), async () => {
    // Each step runs in its own process.
    const worker = async () => {
      for (let next = tasks.shift(); next; next = tasks.shift()) await next()
    }
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
  })
}

// The packages that create clients and tables. The lockfile is not used, because changes of other dependencies do not matter.
async function versions(): Promise<string[]> {
  const packages = ['prisma', '@prisma/schema-engine-wasm', '@prisma/driver-adapter-utils', '@electric-sql/pglite']
  return Promise.all(packages.map((name) => readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')))
}

function getSchemaPath(folder: string): string {
  const file = join(folder, 'schema.prisma')
  return existsSync(file) ? file : join(folder, 'schema')
}

function readSchema(path: string): string[] {
  if (path.endsWith('.prisma')) return [readFileSync(path, 'utf8')]
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.prisma'))
  return files.sort().map((file) => readFileSync(join(path, file), 'utf8'))
}

function detectProvider(schema: readonly string[]): Provider {
  const provider = /^datasource\s[^}]*?\bprovider\s*=\s*"(\w+)"/m.exec(schema.join('\n'))?.[1]
  if (provider === 'sqlite' || provider === 'postgresql' || provider === 'mysql') return provider
  throw new Error(`No tests are prepared for the database ${provider}.`)
}

async function runIfStale(
  path: string,
  inputs: unknown,
  outputPath: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
  const last = await readFile(path, 'utf8').catch(() => '')
  if (last === hash && existsSync(outputPath)) return
  await work()
  await writeFile(path, hash)
}

async function contents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.sort().map(async (path) => [relative(ROOT, path), await readFile(path, 'utf8')]),
  )
  return JSON.stringify(texts)
}

const [, program, ...names] = process.argv
if (program !== undefined && import.meta.url === pathToFileURL(program).href) {
  await prepareFixtures(names.length > 0 ? names : undefined)
}
