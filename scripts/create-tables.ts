/**
 * Creates the SQL for a schema's tables with Prisma's schema engine. Uses its WebAssembly build, because the native one must be downloaded.
 * It supports SQLite and PostgreSQL.
 *
 * As a program, `tsx scripts/create-tables.ts <schema> <folder>` writes `tables.sql` into the folder and, for PostgreSQL, `pglite.tar`: a
 * PGlite snapshot with these tables. Each process can create only one engine.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'

interface EngineModule {
  readonly SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

/** A file of a schema. */
export interface SchemaFile {
  readonly path: string
  readonly content: string
}

// The package's main entry imports its .wasm file as a module, which Node does not support.
async function loadEngine(): Promise<typeof SchemaEngine> {
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const engine = (await import(pathToFileURL(path).href)) as EngineModule
  const binary = await readFile(path.replace(/\.js$/, '.wasm'))
  const { instance } = await WebAssembly.instantiate(binary, {
    './schema_engine_bg.js': engine as unknown as WebAssembly.ModuleImports,
  })
  engine.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  return engine.SchemaEngine
}

/**
 * Creates the SQL script for all tables of a schema in an empty database.
 * @param schema all files of the schema
 * @param adapter connects to any database with the schema's provider. The database is not changed.
 */
export async function createTablesSql(
  schema: readonly SchemaFile[],
  adapter: SqlMigrationAwareDriverAdapterFactory,
): Promise<string> {
  const Engine = await loadEngine()
  const engine = await Engine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(adapter))
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [...schema] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  if (stdout === null) throw new Error('The schema engine returned no SQL.')
  return stdout
}

async function readSchema(path: string): Promise<SchemaFile[]> {
  if (path.endsWith('.prisma')) return [{ path, content: await readFile(path, 'utf8') }]
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.prisma'))
  return Promise.all(names.map(async (name) => ({ path: name, content: await readFile(join(path, name), 'utf8') })))
}

async function main(path: string, folder: string): Promise<void> {
  const schema = await readSchema(path)
  const provider = /^datasource\s[^}]*?\bprovider\s*=\s*"(\w+)"/m.exec(
    schema.map((file) => file.content).join('\n'),
  )?.[1]
  if (provider === 'sqlite') {
    const { PrismaLibSql } = await import('@prisma/adapter-libsql')
    await writeFile(join(folder, 'tables.sql'), await createTablesSql(schema, new PrismaLibSql({ url: ':memory:' })))
  } else if (provider === 'postgresql') {
    const [{ PGlite }, { PrismaPGlite }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('pglite-prisma-adapter'),
    ])
    const database = new PGlite()
    const tables = await createTablesSql(schema, new PrismaPGlite(database))
    await writeFile(join(folder, 'tables.sql'), tables)
    // Loading the snapshot takes a tenth of the start time of a new PGlite.
    await database.exec(tables)
    const snapshot = await database.dumpDataDir('none')
    await writeFile(join(folder, 'pglite.tar'), Buffer.from(await snapshot.arrayBuffer()))
  } else {
    throw new Error(`The schema engine makes tables for sqlite and postgresql, not for ${provider}.`)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [path, folder] = process.argv.slice(2)
  if (path === undefined || folder === undefined)
    throw new Error('Usage: tsx scripts/create-tables.ts <schema> <folder>')
  await main(path, folder)
  // The engine keeps the process running, and PGlite sets the exit code.
  process.exit(0)
}
