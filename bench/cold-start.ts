/**
 * Measures the time from process start to the first response, compared with a bare Hono app: `npm run bench:start [-- --starts 31]`. Uses
 * no database, so that only Routewright's overhead is measured.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { build } from 'esbuild'

import { ROOT } from '../scripts/prepare-fixtures.js'
import { runProgram } from './run/program.js'
import type { Started } from './start/first-responses.js'

const { values } = parseArgs({ options: { starts: { type: 'string', default: '31' } } })
const APPS = { bare: 'Hono alone', blog: 'the blog, REST and RPC' }
const PACKAGINGS = {
  installed: 'packages in node_modules',
  bundled: 'bundled into one file',
}
type Packaging = keyof typeof PACKAGINGS
type App = keyof typeof APPS

const folder = join(ROOT, 'bench/.build/start')
rmSync(folder, { recursive: true, force: true })
const packagings = Object.keys(PACKAGINGS) as Packaging[]
const apps = Object.keys(APPS) as App[]
for (const packaging of packagings) {
  mkdirSync(join(folder, packaging), { recursive: true })
  await build({
    entryPoints: apps.map((app) => join(ROOT, `bench/start/${app}.ts`)),
    outdir: join(folder, packaging),
    bundle: true,
    minify: packaging === 'bundled',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    // With external packages, the built runtime is used, as in an app that installs it.
    ...(packaging === 'installed' && { packages: 'external', tsconfigRaw: {} }),
  })
}

const started = new Map<string, Started[]>()
for (let round = 0; round < Number(values.starts); round++) {
  // Interleaved, so that other load on the machine affects all apps equally.
  for (const packaging of packagings) {
    for (const app of apps) {
      const one = JSON.parse(await runProgram(join(folder, packaging), app, [])) as Started
      started.set(packaging + app, [...(started.get(packaging + app) ?? []), one])
    }
  }
}

/** Formats the median and quartiles of an app's start times. */
function formatMilliseconds(packaging: Packaging, app: App, metric: keyof Started): string {
  const sorted = (started.get(packaging + app) ?? []).map((one) => one[metric]).sort((a, b) => a - b)
  const quantile = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)
  return `${quantile(0.5)} ms (${quantile(0.25)} to ${quantile(0.75)})`
}

console.log(
  `| Node ${process.versions.node} | to the first answer | imported and mounted | processor |\n|:--|--:|--:|--:|`,
)
for (const packaging of packagings) {
  for (const app of apps) {
    const cells = (['firstResponseMs', 'loaded', 'cpu'] as const).map((metric) =>
      formatMilliseconds(packaging, app, metric),
    )
    console.log(`| ${APPS[app]}, ${PACKAGINGS[packaging]} | ${cells.join(' | ')} |`)
  }
}
