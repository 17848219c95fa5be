import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'

import { ROOT } from '../../scripts/prepare-fixtures.js'
import { installPackages } from './install.js'

const FOLDER = join(ROOT, 'bench/trpc')

/**
 * Installs tRPC in its own folder and builds its contender.
 * @returns the URL of a module that exports `trpc`
 */
export async function buildTrpc(): Promise<string> {
  await installPackages(FOLDER)
  const outfile = join(ROOT, 'bench/.build/trpc.js')
  await build({
    entryPoints: [join(FOLDER, 'app.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  })
  return pathToFileURL(outfile).href
}
