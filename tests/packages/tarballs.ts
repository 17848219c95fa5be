import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** What a package.json says that these tests ask for. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** One of our packages as npm would publish it. */
export interface Tarball {
  readonly file: string
  /** The package's folder in the repository. */
  readonly source: string
  readonly manifest: Manifest
  /** The paths of all files in it. */
  readonly contents: readonly string[]
}

/** Our packages, packed. */
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

/** Runs npm. Rejects with what it printed where it fails. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ?? process.execPath,
  }
  // On Windows npm is a script of the shell's.
  const { stdout } = await run('npm', args, { cwd, env, shell: process.platform === 'win32' })
  return stdout
}

/** Packs what `npm run build` has built. */
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
