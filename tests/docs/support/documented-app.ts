import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { PrismaLibSql } from '@prisma/adapter-libsql'

import { makeProject, type Project } from '../../e2e/project.js'
import { blocksOfKind } from './kinds.js'
import { ROOT } from './pages.js'

/** The compiler options of an app, as strict as possible. */
export const STRICT_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
}

/** An app that consists of the files on a page, with generated routes and an SQLite database. */
export interface DocumentedApp {
  readonly project: Project
  /** The URL of the database, which has tables and no rows. */
  readonly databaseUrl: string
  /** Creates another database with the same tables, and returns its URL. */
  createDatabase(name: string): Promise<string>
  /** Imports a file of the app. */
  load<Module>(file: string): Promise<Module>
}

/** The files of an app that the pages show: path → text. */
export function documentedFiles(name: string): Record<string, string> {
  const prefix = `${name}: `
  const files = blocksOfKind('project').flatMap(({ marker, text }) =>
    marker.startsWith(prefix) ? [[marker.slice(prefix.length), text] as const] : [],
  )
  return Object.fromEntries(files)
}

/** Writes the files of an app, generates its client and routes with `prisma generate`, and creates its database. */
export async function makeDocumentedApp(files: Readonly<Record<string, string>>): Promise<DocumentedApp> {
  const project = makeProject({ 'tsconfig.json': JSON.stringify({ compilerOptions: STRICT_OPTIONS }), ...files })
  const [generated] = await Promise.all([project.prismaGenerate(), createTables(project.folder)])
  if (generated.code !== 0) throw new Error(`prisma generate failed: ${generated.stdout}${generated.stderr}`)
  const createDatabase = async (name: string) => {
    const url = `file:${path.join(project.folder, name)}`
    const connection = await new PrismaLibSql({ url }).connect()
    await connection.executeScript(readFileSync(path.join(project.folder, 'tables.sql'), 'utf8'))
    await connection.dispose()
    return url
  }
  return {
    project,
    databaseUrl: await createDatabase('test.db'),
    createDatabase,
    load: (file) => import(path.join(project.folder, file)),
  }
}

// Runs in a new process, because each process can create only one schema engine.
async function createTables(folder: string): Promise<void> {
  const script = path.join(ROOT, 'scripts/create-tables.ts')
  const schema = path.join(folder, 'prisma/schema.prisma')
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, schema, folder], { cwd: ROOT })
}
