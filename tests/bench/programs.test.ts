import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { build, type Metafile } from 'esbuild'
import { describe, expect, it } from 'vitest'

import { PROGRAMS } from '../../bench/prepare/bundle.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** The commands in `package.json` that run a program of this repository. */
const COMMANDS = Object.entries(scripts).flatMap(([name, line]) => {
  const [, entry] =
    /tsx (?:--tsconfig \S+ )?((?:bench|demo|scripts|testbed)\/(?!prepare-fixtures)\S+\.ts)/.exec(line) ?? []
  if (entry === undefined) return []
  const [, prepared = ''] = /tsx scripts\/prepare-fixtures\.ts ([^&]+) &&/.exec(line) ?? []
  return [{ name, entry, prepared: prepared.split(' ').filter(Boolean) }]
})

/** Files that programs start by path. */
const CHILDREN = [
  'bench/run/compare-commits.ts',
  'bench/start/first-responses.ts',
  'bench/worst/child.ts',
  'scripts/build-runtime.ts',
  'scripts/create-tables.ts',
  'testbed/app.ts',
  'testbed/read-your-writes.ts',
]

/** Resolves all imports of some programs. Rejects if one does not exist. */
async function importsOf(entries: readonly string[]): Promise<Metafile['inputs']> {
  const { metafile } = await build({
    entryPoints: [...entries],
    absWorkingDir: ROOT,
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  })
  return metafile.inputs
}

/** Returns the fixtures whose Prisma clients a program imports. */
function clientsOf(entry: string, inputs: Metafile['inputs']): string[] {
  const files = new Set([entry])
  for (const file of files) {
    for (const { path, kind } of inputs[file]?.imports ?? []) if (kind === 'import-statement') files.add(path)
  }
  return [...new Set([...files].flatMap((file) => /^fixtures\/([^/]+)\/client\//.exec(file)?.[1] ?? []))]
}

describe('programs in a fresh clone', async () => {
  const programs = Object.keys(PROGRAMS).map((name) => `bench/run/${name}.ts`)
  const inputs = await importsOf([...new Set([...COMMANDS.map(({ entry }) => entry), ...programs, ...CHILDREN])])

  it.each(COMMANDS)('npm run $name: prepares the Prisma clients that $entry imports', ({ entry, prepared }) => {
    expect(clientsOf(entry, inputs)).toEqual(prepared)
  })

  it.each(Object.entries(PROGRAMS))('bench/run/%s.ts: imports the Prisma client of %s', (name, fixture) => {
    expect(clientsOf(`bench/run/${name}.ts`, inputs)).toEqual([fixture])
  })
})
