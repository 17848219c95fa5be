/**
 * Writes the runtime's JavaScript: a few files, since most of a cold start is the reading of many small ones. Each style is a chunk
 * of its own, which a bundler leaves out where an app serves the other one alone. The compiler writes the declarations.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../runtime', import.meta.url))
const { outputFiles } = await build({
  absWorkingDir: folder,
  // The handlers are no entry points of the package: named here, they are kept apart from each other.
  entryPoints: [
    'index.ts',
    'rest/handler.ts',
    'rpc/handler.ts',
    'policy/index.ts',
    'hooks/index.ts',
    'idempotency/index.ts',
    'openapi/index.ts',
    'otel/index.ts',
    'schema/computed-types.ts',
    'adapters/*.ts',
  ],
  outdir: 'dist',
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  packages: 'external',
  logLevel: 'warning',
  write: false,
})
// Such an import only keeps an order of evaluation, which nothing here depends on; bundlers warn of it.
const BARE_IMPORT = /^import "\.\.?\/[^"]*";\n/gm
for (const { path, text } of outputFiles) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text.replace(BARE_IMPORT, ''))
}
