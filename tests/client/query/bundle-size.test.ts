import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Maximum gzipped bytes of a page that only reads, and of the chunk that the first mutation loads. */
const BUDGET = { first: 2500, later: 6700 }

it.each([
  ['createRpcQueries', 'out/invalidation-'],
  ['createRestQueries', 'out/rest-invalidation-'],
])('%s: stays within its size budgets before and with the first mutation', async (name, engineOf) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${name} } from './client/query/index.js'`, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: 'out',
    absWorkingDir: ROOT,
  })
  expect(Object.keys(metafile.inputs).filter((file) => file !== '<stdin>' && !file.startsWith('client/'))).toEqual([])
  const sizes = new Map(outputFiles.map(({ path, contents }) => [relative(ROOT, path), gzipSync(contents).byteLength]))
  /** A file with its static imports. */
  const closure = (file: string): string[] => [
    file,
    ...(metafile.outputs[file]?.imports ?? []).flatMap(({ path, kind }) =>
      kind === 'import-statement' ? closure(path) : [],
    ),
  ]
  const sizeOf = (files: readonly string[]) =>
    [...new Set(files)].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
  const first = closure('out/stdin.js')
  const engine = Object.keys(metafile.outputs).filter((file) => file.includes(engineOf))
  expect(engine).toHaveLength(1)
  const later = engine.flatMap(closure).filter((file) => !first.includes(file))
  expect(sizeOf(first)).toBeLessThanOrEqual(BUDGET.first)
  expect(sizeOf(later)).toBeLessThanOrEqual(BUDGET.later)
})
