/**
 * Makes what tests, type checks and the demo need of the fixtures and what is not committed: Prisma clients, tables, and
 * the same schema for other databases with its routes. Work whose inputs have not changed is skipped.
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

/** The databases that a fixture can be prepared for. */
export type Provider = 'sqlite' | 'postgresql' | 'mysql'

/** The repository's own folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const FIXTURES = join(ROOT, 'fixtures')
const GENERATED = join(ROOT, 'tests/.generated')
const EXAMPLE = join(ROOT, 'examples/issue-tracker')
const run = promisify(execFile)

// Databases that a fixture is prepared for beside the one its schema names.
const MORE: Readonly<Record<string, readonly Provider[]>> = {
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

// Fixtures that are compiled and never served.
const WITHOUT_TABLES: readonly string[] = ['client-js', 'large']

/** Where the files of a fixture for one database lie, whether or not they have been made yet. */
export interface PreparedFixture {
  readonly fixture: string
  readonly provider: Provider
  /** Holds `client/` and `expected/`: the fixture's own folder for the database that its schema names. */
  readonly folder: string
  /** The schema's file, or its folder. */
  readonly schema: string
  /** The SQL that makes the tables. For Postgres, `pglite.tar` beside it is a PGlite that has them. */
  readonly tables: string
}

/** The databases that a fixture is prepared for, that of its own schema first. */
export function providersOf(fixture: string): readonly Provider[] {
  return [preparedFixture(fixture).provider, ...(MORE[fixture] ?? [])]
}

/** Names the files of a fixture, for the database that its schema names or for another one. */
export function preparedFixture(fixture: string, provider?: Provider): PreparedFixture {
  const source = join(FIXTURES, fixture)
  const own = providerOf(readSchema(schemaIn(source)))
  const wanted = provider ?? own
  const generated = join(GENERATED, `${fixture}-${wanted}`)
  const folder = wanted === own ? source : generated
  return {
    fixture,
    provider: wanted,
    folder,
    schema: wanted === own ? schemaIn(source) : join(generated, 'schema.prisma'),
    tables: wanted === 'mysql' ? join(source, 'mysql.sql') : join(generated, 'tables.sql'),
  }
}

/** The environment in which `prisma generate` needs no download: it never starts the schema engine it looks for. */
export function prismaEnvironment(): NodeJS.ProcessEnv {
  const harmless = existsSync('/bin/true') ? '/bin/true' : process.execPath
  return {
    PRISMA_SCHEMA_ENGINE_BINARY: harmless,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    ...process.env,
  }
}

/** Runs `prisma generate` of this repository's own Prisma. Rejects with what it printed where it fails. */
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

// Every step is skipped where what it is made from has not changed since it was made.
async function prepare(prepared: PreparedFixture): Promise<void> {
  const { fixture, provider, folder, schema, tables } = prepared
  const source = join(FIXTURES, fixture)
  const generated = join(GENERATED, `${fixture}-${provider}`)
  // A schema with native types is written for one database.
  const special = join(source, `${provider}.prisma`)
  const texts = readSchema(existsSync(special) ? special : schemaIn(source))
  const tools = await versions()
  await mkdir(generated, { recursive: true })

  const own = folder === source
  // The routes for the fixture's own database are committed. If the generator changes, those change.
  const inputs = own ? [texts, tools] : [texts, tools, await contents(join(source, 'expected'))]
  await unlessFresh(join(generated, 'client.sha256'), inputs, join(folder, 'client'), async () => {
    if (own) return prismaGenerate(schema, ['--generator=client'])
    await writeFile(schema, forProvider(texts.join('\n'), provider))
    return prismaGenerate(schema, [])
  })

  const maker = fileURLToPath(new URL('create-tables.ts', import.meta.url))
  if (provider === 'mysql' || WITHOUT_TABLES.includes(fixture)) return
  await unlessFresh(join(generated, 'tables.sha256'), [texts, tools, await readFile(maker, 'utf8')], tables, () =>
    run(process.execPath, ['--import', 'tsx', maker, schema, generated], { cwd: ROOT }),
  )
}

// Of the example that is an app, all is committed but its Prisma client.
async function prepareExample(): Promise<void> {
  const schema = join(EXAMPLE, 'prisma/schema.prisma')
  const inputs = [await readFile(schema, 'utf8'), await versions()]
  await unlessFresh(join(GENERATED, 'issue-tracker.sha256'), inputs, join(EXAMPLE, 'generated/sqlite/client'), () =>
    prismaGenerate(schema, ['--generator=client']),
  )
}

// The same schema for another database, with this repository's generator run from its sources.
function forProvider(schema: string, provider: Provider): string {
  return schema
    .replace(/^(datasource\s[^}]*?\bprovider\s*=\s*)"\w+"/m, `$1"${provider}"`)
    .replace('"routewright"', '"node --import tsx generator/main.ts"')
}

/**
 * Prepares all fixtures, or the ones named. Several processes may call it at once: one does the work.
 * @param wanted the fixtures' names. Default: all
 */
export async function prepareFixtures(wanted?: readonly string[]): Promise<void> {
  await mkdir(GENERATED, { recursive: true })
  const all = readdirSync(FIXTURES).filter((name) => existsSync(join(FIXTURES, name, 'expected')))
  const work = (wanted ?? all).flatMap((fixture) =>
    providersOf(fixture).map((provider) => () => prepare(preparedFixture(fixture, provider))),
  )
  if (!wanted) work.push(prepareExample)
  await withLock(join(GENERATED, '.lock'), async () => {
    // Each step is a process of its own.
    const hand = async () => {
      for (let next = work.shift(); next; next = work.shift()) await next()
    }
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, hand))
  })
}

// What clients and tables are made by. Not the whole lockfile: any other dependency may change.
async function versions(): Promise<string[]> {
  const packages = ['prisma', '@prisma/schema-engine-wasm', '@prisma/driver-adapter-utils', '@electric-sql/pglite']
  return Promise.all(packages.map((name) => readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')))
}

function schemaIn(folder: string): string {
  const file = join(folder, 'schema.prisma')
  return existsSync(file) ? file : join(folder, 'schema')
}

function readSchema(path: string): string[] {
  if (path.endsWith('.prisma')) return [readFileSync(path, 'utf8')]
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.prisma'))
  return files.sort().map((file) => readFileSync(join(path, file), 'utf8'))
}

function providerOf(schema: readonly string[]): Provider {
  const provider = /^datasource\s[^}]*?\bprovider\s*=\s*"(\w+)"/m.exec(schema.join('\n'))?.[1]
  if (provider === 'sqlite' || provider === 'postgresql' || provider === 'mysql') return provider
  throw new Error(`No tests are prepared for the database ${provider}.`)
}

async function unlessFresh(path: string, inputs: unknown, made: string, work: () => Promise<unknown>): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
  const last = await readFile(path, 'utf8').catch(() => '')
  if (last === hash && existsSync(made)) return
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
