/**
 * Makes what tests, type checks and the demo need of the fixtures and what is not committed: Prisma clients, tables, and
 * the same schema for other databases with its routes. Work whose inputs have not changed is skipped.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { withLock } from './lock.js'

/** The databases that a fixture can be prepared for. */
export type Provider = 'sqlite' | 'postgresql' | 'mysql'

/** The repository's own folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const GENERATED = join(ROOT, 'tests/.generated')
const run = promisify(execFile)

// The first provider of a fixture is the one in its schema: its client and its routes lie in the fixture itself.
const FIXTURES: Readonly<Record<string, readonly [Provider, ...Provider[]]>> = {
  blog: ['sqlite', 'postgresql', 'mysql'],
}

/** Where the files of a fixture for one database lie. */
export interface PreparedFixture {
  readonly fixture: string
  readonly provider: Provider
  /** Holds `schema.prisma`, `client/` and `expected/`. */
  readonly folder: string
  /** The SQL that makes the tables. */
  readonly tables: string
}

/** Names the files of a fixture for one database, whether or not they have been made yet. */
export function preparedFixture(fixture: string, provider: Provider): PreparedFixture {
  const own = FIXTURES[fixture]?.[0] === provider
  const generated = join(GENERATED, `${fixture}-${provider}`)
  return {
    fixture,
    provider,
    folder: own ? join(ROOT, 'fixtures', fixture) : generated,
    tables: provider === 'mysql' ? join(ROOT, 'fixtures', fixture, 'mysql.sql') : join(generated, 'tables.sql'),
  }
}

/** The environment in which `prisma generate` needs no download: it never starts the schema engine it looks for. */
export function prismaEnvironment(): NodeJS.ProcessEnv {
  const harmless = existsSync('/bin/true') ? '/bin/true' : process.execPath
  return { PRISMA_SCHEMA_ENGINE_BINARY: harmless, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1', ...process.env }
}

/** Runs `prisma generate` of this repository's own Prisma. Rejects with what it printed where it fails. */
export async function prismaGenerate(schema: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')
  try {
    const { stdout } = await run(process.execPath, [cli, 'generate', `--schema=${schema}`, ...args], { cwd: ROOT, env })
    return stdout
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? `\n${'stdout' in error ? error.stdout : ''}\n${error.stderr}` : ''
    throw new Error(`prisma generate failed for ${relative(ROOT, schema)}.${output}`, { cause: error })
  }
}

// The one place where routes are made for a database that is not the fixture's own.
async function emitRoutes({ fixture, folder }: PreparedFixture): Promise<void> {
  await rm(join(folder, 'expected'), { recursive: true, force: true })
  await cp(join(ROOT, 'fixtures', fixture, 'expected'), join(folder, 'expected'), { recursive: true })
}

async function prepare(prepared: PreparedFixture): Promise<void> {
  const { fixture, provider, folder, tables } = prepared
  const source = await readFile(join(ROOT, 'fixtures', fixture, 'schema.prisma'), 'utf8')
  const schema = source.replace(/^(datasource\s[^}]*?\bprovider\s*=\s*)"\w+"/m, `$1"${provider}"`)
  const own = folder === join(ROOT, 'fixtures', fixture)
  const generated = join(GENERATED, `${fixture}-${provider}`)
  await mkdir(generated, { recursive: true })

  const clientStamp = await stamp(join(generated, 'client.sha256'), [schema, await lockfile()])
  if (!clientStamp.fresh || !existsSync(join(folder, 'client/client.ts'))) {
    const path = join(folder, 'schema.prisma')
    if (!own) await writeFile(path, schema)
    await prismaGenerate(path, ['--generator=client'], prismaEnvironment())
    await clientStamp.save()
  }

  const maker = fileURLToPath(new URL('tables.ts', import.meta.url))
  const tablesInputs = [schema, await lockfile(), await readFile(maker, 'utf8')]
  const tablesStamp = await stamp(join(generated, 'tables.sha256'), tablesInputs)
  if (provider !== 'mysql' && (!tablesStamp.fresh || !existsSync(tables))) {
    const args = ['--import', 'tsx', maker, join(folder, 'schema.prisma'), generated]
    await run(process.execPath, args, { cwd: ROOT })
    await tablesStamp.save()
  }

  if (!own) {
    const folders = ['fixtures/blog/expected', 'generator', 'templates'].map((path) => join(ROOT, path))
    const routesStamp = await stamp(join(generated, 'routes.sha256'), [schema, ...(await Promise.all(folders.map(contents)))])
    if (!routesStamp.fresh) {
      await emitRoutes(prepared)
      await routesStamp.save()
    }
  }
}

/**
 * Prepares all fixtures, or the ones named. Several processes may call it at once: one does the work.
 * @param wanted which databases to prepare for. Default: all
 */
export async function prepareFixtures(wanted: readonly Provider[] = ['sqlite', 'postgresql', 'mysql']): Promise<void> {
  await mkdir(GENERATED, { recursive: true })
  await withLock(join(GENERATED, '.lock'), async () => {
    for (const [fixture, providers] of Object.entries(FIXTURES)) {
      for (const provider of providers) if (wanted.includes(provider)) await prepare(preparedFixture(fixture, provider))
    }
  })
}

async function stamp(path: string, inputs: readonly string[]): Promise<{ fresh: boolean; save(): Promise<void> }> {
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
  const last = await readFile(path, 'utf8').catch(() => '')
  return { fresh: last === hash, save: () => writeFile(path, hash) }
}

function lockfile(): Promise<string> {
  return readFile(join(ROOT, 'package-lock.json'), 'utf8')
}

async function contents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(paths.sort().map(async (path) => [relative(ROOT, path), await readFile(path, 'utf8')]))
  return JSON.stringify(texts)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await prepareFixtures()
