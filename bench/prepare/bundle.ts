import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'

import { preparedFixture, prepareFixtures, type Provider, ROOT } from '../../scripts/prepare-fixtures.js'

/** The programs in `bench/run`, each with the fixture whose Prisma client it loads. */
export const PROGRAMS = {
  'in-process': 'bench',
  serve: 'bench',
  profile: 'bench',
  growth: 'bench',
  policy: 'bench',
} as const

/**
 * Bundles programs with the runtime's sources for one database, so that no loader compiles during the measurement. Prepares the fixtures
 * that they load.
 * @returns the folder of the bundled programs
 */
export async function bundlePrograms(names: readonly (keyof typeof PROGRAMS)[], provider: Provider): Promise<string> {
  await prepareFixtures([...new Set(names.map((name) => PROGRAMS[name]))])
  const folder = join(ROOT, 'bench/.build', provider)
  mkdirSync(folder, { recursive: true })
  const source = join(ROOT, 'fixtures/bench')
  const target = preparedFixture('bench', provider).folder
  await build({
    entryPoints: names.map((name) => join(ROOT, `bench/run/${name}.ts`)),
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
          // The sources import the client and the routes for SQLite.
          plugins.onResolve({ filter: /fixtures\/bench\// }, ({ path, resolveDir }) => ({
            path: join(resolveDir, path).replace(source, target).replace(/\.js$/, '.ts'),
          }))
        },
      },
    ],
  })
  return folder
}

/**
 * Bundles the generated app of several working copies, with the packages of this one, and a program that compares them.
 * @param versions name → folder of the working copy
 * @returns the folder of the bundles
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
