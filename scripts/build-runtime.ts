/**
 * Bundles the runtime's JavaScript into a few files, because reading many small files is most of a cold start. Each style is a separate
 * chunk, which bundlers omit if an app uses only the other one. The TypeScript compiler writes the declarations.
 */
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../runtime', import.meta.url))
const { outputFiles } = await build({
  absWorkingDir: folder,
  // The handlers are not entry points of the package. They are listed to get separate chunks.
  entryPoints: [
    'index.ts',
    'rest/index.ts',
    'rest/rest-handler.ts',
    'rpc/index.ts',
    'rpc/rpc-handler.ts',
    ...readdirSync(join(folder, 'features')).map((name) => `features/${name}/index.ts`),
    'policy/index.ts',
    'hooks/index.ts',
    'idempotency/index.ts',
    'input/index.ts',
    'openapi/index.ts',
    'otel/index.ts',
    'schema/computed-types.ts',
    'http/routing/declaration-types.ts',
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
// Side-effect imports of chunks. They only preserve the evaluation order, on which no module depends, and bundlers warn about them.
const BARE_IMPORT = /^import "\.\.?\/[^"]*";\n/gm
for (const { path, text } of outputFiles) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text.replace(BARE_IMPORT, ''))
}
