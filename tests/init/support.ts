import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import type { AppFolder } from '../../generator/init/app/app-folder.js'
import { init, type InitIo } from '../../generator/init/init.js'
import { parsePackageJson } from '../../generator/init/app/package-json.js'

/** The root of the repository. */
export const ROOT = path.resolve(import.meta.dirname, '../..')

/** The part after the generator blocks, from the fixture whose client the apps share. */
export const MODELS = `datasource db {
  provider = "sqlite"
}

model Note {
  id   Int    @id @default(autoincrement())
  text String
}
`

/** A schema with a client generator. */
export const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

${MODELS}`

/** Creates a folder with a test's files. It stays on disk until a later run, so that failures can be inspected. */
export function makeFolder(files: Readonly<Record<string, string>>, within?: string): string {
  const generated = path.join(ROOT, 'tests/.generated')
  mkdirSync(generated, { recursive: true })
  const folder = within ?? mkdtempSync(path.join(generated, 'project-'))
  // Overrides the configuration of the repository.
  for (const [name, text] of Object.entries({ '.prettierrc': '{}', '.editorconfig': 'root = true\n', ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

/** Returns the text of a `package.json`. */
export function manifestOf(dependencies: readonly string[], more: object = {}): string {
  const versions = Object.fromEntries(dependencies.map((name) => [name, '*']))
  return JSON.stringify({ name: 'app', private: true, type: 'module', dependencies: versions, ...more })
}

/** Copies the fixture's generated client to the output folder of an app's schema. */
export function copyClient(folder: string): void {
  cpSync(path.join(ROOT, 'fixtures/adapters/client'), folder, { recursive: true })
}

/** Creates an app's folder in memory. */
export function appOf(files: Readonly<Record<string, string>>, dependencies: readonly string[] = []): AppFolder {
  const names = Object.keys(files)
  return {
    root: '/app',
    manifest: parsePackageJson(manifestOf(dependencies)),
    sources: names.filter((name) => /\.[cm]?[jt]sx?$/.test(name)),
    exists: (name) => names.some((file) => file === name || file.startsWith(`${name}/`)),
    text: (name) => files[name] ?? '',
  }
}

/** The exit code and the output of `routewright init`. */
export interface InitRun {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Runs `routewright init` in a folder, in this process. Adds `--yes` unless the test answers the questions. */
export async function runInit(
  folder: string,
  io: Pick<InitIo, 'confirm' | 'write'> & { readonly schema?: string; readonly yes?: boolean } = {},
): Promise<InitRun> {
  const { schema, yes = io.confirm === undefined, ...rest } = io
  let [out, error] = ['', '']
  const code = await init(
    { folder, schema, yes },
    { ...rest, out: (text) => (out += text), error: (text) => (error += text) },
  )
  return { code, out, error }
}

/** Returns all files of a folder except `node_modules`: path → text. */
export function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !name.includes('node_modules/'))
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}
