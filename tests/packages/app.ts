import { execFile } from 'node:child_process'
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
import path from 'node:path'
import { promisify } from 'node:util'

import { transform } from 'esbuild'

import { readManifest, npm, type Manifest, type Tarball } from './tarballs.js'

const ROOT = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** An app outside the repository, which can resolve only installed packages. */
export interface App {
  readonly folder: string
  /** Writes files: path → text. */
  write(files: Readonly<Record<string, string>>): void
  /** Runs a script of the app or of an installed package. */
  node(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>
  /** Path of an installed package's command. */
  bin(tarball: Tarball): string
  remove(): void
}

/** Installs a tarball together with packages of the registry. */
export type Install = (app: App, tarball: Tarball, more: readonly string[]) => Promise<void>

/** Creates an app without installed packages. */
export function makeApp(): App {
  const folder = mkdtempSync(path.join(tmpdir(), 'routewright-app-'))
  const write: App['write'] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
  }
  write({ 'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }), '.prettierrc': '{}' })
  return {
    folder,
    write,
    node: (...args) =>
      new Promise((resolve) =>
        execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr })
        }),
      ),
    bin: ({ manifest: { name, bin = {} } }) => path.join(folder, 'node_modules', name, bin[name] ?? ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Installs without the registry: unpacks the tarball, and links its dependencies and required peers from the repository's
 * packages. The tarball cannot import anything else.
 */
export const link: Install = async (app, { file, source, manifest }, more) => {
  const folder = path.join(app.folder, 'node_modules', manifest.name)
  mkdirSync(folder, { recursive: true })
  // Relative paths, because some versions of tar treat a drive letter as a host name.
  await run('tar', ['-xzf', path.relative(folder, file), '--strip-components=1'], { cwd: folder })
  const needed = needsOf(manifest).map((name) => [name, resolveFrom(source, name)] as const)
  for (const [name, found] of [...needed, ...more.map((name) => [name, resolveFrom(ROOT, name)] as const)]) {
    const target = path.join(app.folder, 'node_modules', name)
    if (existsSync(target)) continue
    mkdirSync(path.dirname(target), { recursive: true })
    symlinkSync(found, target, 'junction')
  }
}

/** Installs from the registry with npm, for production. */
export const npmInstall: Install = async (app, { file }, more) => {
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  await npm(['install', ...flags, file, ...more], app.folder)
}

/** Returns the names of all direct and indirect dependencies of a package. */
export function closureOf({ source, manifest }: Tarball): readonly string[] {
  const found = new Map<string, string>()
  const follow = (folder: string, needs: Manifest) => {
    for (const name of needsOf(needs)) {
      const packageFolder = resolveFrom(folder, name)
      if (found.has(packageFolder)) continue
      found.set(packageFolder, name)
      follow(packageFolder, readManifest(packageFolder))
    }
  }
  follow(source, manifest)
  return [...found.values()].sort()
}

/** Returns the names of all packages in an app. */
export function installedIn(folder: string): readonly string[] {
  const modules = path.join(folder, 'node_modules')
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const scoped = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(modules, name)).map((part) => `${name}/${part}`) : [name],
  )
  return scoped.flatMap((name) => [name, ...installedIn(path.join(modules, name))]).sort()
}

/** Compiles the emitted files of a fixture to JavaScript, by path. */
export async function emittedJs(fixture: string): Promise<Record<string, string>> {
  const folder = path.join(ROOT, 'fixtures', fixture, 'expected')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const files = names.map(async (name) => {
    const { code } = await transform(readFileSync(path.join(folder, name), 'utf8'), { loader: 'ts' })
    return [`routes/${name.replace(/\.ts$/, '.js')}`, code] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

function needsOf({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers]
}

/** Returns the folder of a package, as Node resolves it from a folder of the repository. */
function resolveFrom(folder: string, name: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    const candidate = path.join(at, 'node_modules', name)
    if (existsSync(candidate)) return candidate
    if (at === ROOT) throw new Error(`${name} is needed in ${folder} and not installed in the repository.`)
  }
}
