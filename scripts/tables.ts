/**
 * The SQL that makes a schema's tables, from Prisma's own schema engine. The WebAssembly build of it is used, because
 * the native one has to be downloaded. It knows SQLite and Postgres.
 *
 * Run as a program it writes the SQL to stdout: `tsx scripts/tables.ts <schema.prisma>`. One engine a process: the engine
 * does not stand a second instance.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'

interface EngineModule {
  readonly SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

// The package's main entry imports its .wasm file as a module, which Node cannot.
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

async function adapterFor(schema: string): Promise<SqlMigrationAwareDriverAdapterFactory> {
  const provider = /^datasource\s[^}]*?\bprovider\s*=\s*"(\w+)"/m.exec(schema)?.[1]
  if (provider === 'sqlite') {
    const { PrismaLibSql } = await import('@prisma/adapter-libsql')
    return new PrismaLibSql({ url: ':memory:' })
  }
  if (provider === 'postgresql') {
    const [{ PGlite }, { PrismaPGlite }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('pglite-prisma-adapter'),
    ])
    return new PrismaPGlite(new PGlite())
  }
  throw new Error(`The schema engine makes tables for sqlite and postgresql, not for ${provider}.`)
}

/**
 * The SQL script that makes all tables of a schema in an empty database.
 * @param schema the text of a schema with provider `sqlite` or `postgresql`
 */
export async function tablesOf(schema: string): Promise<string> {
  const Engine = await loadEngine()
  const factory = bindMigrationAwareSqlAdapterFactory(await adapterFor(schema))
  const engine = await Engine.new({ datamodels: undefined }, () => {}, factory)
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  if (stdout === null) throw new Error('The schema engine gave no SQL.')
  return stdout
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [path] = process.argv.slice(2)
  if (path === undefined) throw new Error('Usage: tsx scripts/tables.ts <schema.prisma>')
  const sql = await tablesOf(await readFile(path, 'utf8'))
  // PGlite sets an exit code of its own.
  process.stdout.write(sql, () => process.exit(0))
}
