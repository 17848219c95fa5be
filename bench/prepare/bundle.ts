import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'

import { type PreparedFixture, ROOT } from '../../scripts/prepare-fixtures.js'

const PROGRAMS = ['in-process', 'serve', 'start-up', 'profile', 'pagination', 'concurrency', 'idempotency-keys']

/**
 * Makes programs of what is measured, for one database, so that no loader compiles while it runs. The package's sources are in
 * them.
 * @returns where the programs are
 */
export async function bundlePrograms(fixture: PreparedFixture): Promise<string> {
  const folder = join(ROOT, 'bench/.build', fixture.provider)
  mkdirSync(folder, { recursive: true })
  const own = join(ROOT, 'fixtures/bench')
  await build({
    entryPoints: PROGRAMS.map((name) => join(ROOT, `bench/run/${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    plugins: [
      {
        name: 'fixture-of-database',
        setup(plugins) {
          // The sources name the client and the routes for SQLite.
          plugins.onResolve({ filter: /fixtures\/bench\// }, ({ path, resolveDir }) => {
            const source = join(resolveDir, path).replace(own, fixture.folder)
            return { path: source.replace(/\.js$/, '.ts') }
          })
        },
      },
    ],
  })
  return folder
}

/**
 * Makes modules of the emitted app of several working copies, whose packages are those of this one, and a program that compares them.
 * @param versions the folder of each, by name
 * @returns where they are
 */
export async function bundleVersions(versions: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(ROOT, 'bench/.build/against')
  mkdirSync(folder, { recursive: true })
  const options = { bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external' } as const
  for (const [name, root] of Object.entries(versions)) {
    await build({
      ...options,
      stdin: { contents: "export { emitted } from './bench/contenders/emitted.ts'", resolveDir: root },
      absWorkingDir: root,
      tsconfig: join(root, 'tsconfig.json'),
      outfile: join(folder, `${name}.js`),
      logLevel: 'warning',
    })
  }
  await build({
    ...options,
    entryPoints: [join(ROOT, 'bench/run/compare-commits.ts')],
    outdir: folder,
    logLevel: 'warning',
  })
  return folder
}

/** Bytes of the runtime as a worker would load it, minified: all of it, both styles. */
export async function workerBytes(): Promise<{ readonly plain: number; readonly gzip: number }> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from '@routewright/runtime'; export * from '@routewright/runtime/hono'",
      resolveDir: ROOT,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2022',
  })
  const { gzipSync } = await import('node:zlib')
  const contents = outputFiles[0]?.contents ?? new Uint8Array()
  return { plain: contents.byteLength, gzip: gzipSync(contents).byteLength }
}
