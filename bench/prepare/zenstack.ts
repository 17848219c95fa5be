import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'

import { type Provider, ROOT } from '../../scripts/prepare-fixtures.js'
import { installPackages } from './install.js'

const FOLDER = join(ROOT, 'bench/zenstack')
const run = promisify(execFile)

/** Installs ZenStack in its own folder. */
export function installZenstack(): Promise<void> {
  return installPackages(FOLDER)
}

/**
 * Builds ZenStack's contender for a database.
 * @param schema the benchmark's Prisma schema
 * @returns the URL of a module that exports `zenstack`
 */
export async function buildZenstack(schema: string, provider: Provider): Promise<string> {
  const buildFolder = join(FOLDER, '.build')
  mkdirSync(buildFolder, { recursive: true })
  writeFileSync(join(buildFolder, 'schema.zmodel'), toZmodel(schema, provider))
  await zenGenerate(join(buildFolder, 'schema.zmodel'), buildFolder)
  const outfile = join(buildFolder, `app-${provider}.js`)
  await build({
    entryPoints: [join(FOLDER, 'app.ts')],
    outfile,
    inject: [join(FOLDER, 'group-by.js')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return pathToFileURL(outfile).href
}

/** Runs `zen generate`. */
export async function zenGenerate(schema: string, output: string): Promise<void> {
  const cli = join(FOLDER, 'node_modules/@zenstackhq/cli/bin/cli')
  const args = [cli, 'generate', `--schema=${schema}`, `--output=${output}`, '--no-version-check', '--no-tips']
  const polyfill = pathToFileURL(join(FOLDER, 'group-by.js')).href
  const env = { ...process.env, DO_NOT_TRACK: '1', NODE_OPTIONS: `--import=${polyfill}` }
  await run(process.execPath, args, { cwd: FOLDER, env })
}

/** Converts the schema to ZModel, a superset of Prisma's language. */
function toZmodel(schema: string, provider: Provider): string {
  return schema
    .replace(/^generator\s+\w+\s*\{[^}]*\}\n/gm, '')
    .replace(/^(datasource\s[^}]*?\bprovider\s*=\s*)"\w+"/m, `$1"${provider}"`)
}
