import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The members of a package.json that these tests use. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** A package of this repository, as npm would publish it. */
export interface Tarball {
  readonly file: string
  /** The package's folder in the repository. */
  readonly source: string
  readonly manifest: Manifest
  /** The paths of all files in it. */
  readonly contents: readonly string[]
}

/** The packed packages of this repository. */
export interface Tarballs {
  readonly generator: Tarball
  readonly runtime: Tarball
  readonly client: Tarball
  /** Removes the files. */
  remove(): void
}

/** Reads the `package.json` of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Runs npm. Rejects with its output if it fails. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ?? process.execPath,
  }
  // On Windows, npm is a shell script.
  const { stdout } = await run('npm', args, { cwd, env, shell: process.platform === 'win32' })
  return stdout
}

/** Packs the output of `npm run build`. */
export async function packAll(): Promise<Tarballs> {
  const folder = mkdtempSync(path.join(tmpdir(), 'routewright-tarballs-'))
  const one = async (workspace: string): Promise<Tarball> => {
    const source = path.join(ROOT, workspace)
    const to = path.join(folder, workspace)
    mkdirSync(to)
    const args = ['pack', '--ignore-scripts', '--json', `--workspace=${workspace}`, `--pack-destination=${to}`]
    const [packed] = JSON.parse(await npm(args, ROOT)) as [{ filename: string; files: { path: string }[] }]
    const contents = packed.files.map((file) => file.path)
    return { file: path.join(to, packed.filename), source, manifest: readManifest(source), contents }
  }
  const [generator, runtime, client] = await Promise.all([one('generator'), one('runtime'), one('client')])
  return { generator, runtime, client, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
