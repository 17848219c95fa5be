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
const WAYS = {
  installed: 'packages in node_modules',
  bundled: 'bundled into one file',
}
type Way = keyof typeof WAYS
type App = keyof typeof APPS

const folder = join(ROOT, 'bench/.build/start')
rmSync(folder, { recursive: true, force: true })
const ways = Object.keys(WAYS) as Way[]
const apps = Object.keys(APPS) as App[]
for (const way of ways) {
  mkdirSync(join(folder, way), { recursive: true })
  await build({
    entryPoints: apps.map((app) => join(ROOT, `bench/start/${app}.ts`)),
    outdir: join(folder, way),
    bundle: true,
    minify: way === 'bundled',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    // With external packages, the built runtime is used, as in an app that installs it.
    ...(way === 'installed' && { packages: 'external', tsconfigRaw: {} }),
  })
}

const started = new Map<string, Started[]>()
for (let round = 0; round < Number(values.starts); round++) {
  // Interleaved, so that other load on the machine affects all apps equally.
  for (const way of ways) {
    for (const app of apps) {
      const one = JSON.parse(await runProgram(join(folder, way), app, [])) as Started
      started.set(way + app, [...(started.get(way + app) ?? []), one])
    }
  }
}

/** Formats the median and quartiles of an app's start times. */
function milliseconds(way: Way, app: App, what: keyof Started): string {
  const sorted = (started.get(way + app) ?? []).map((one) => one[what]).sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)
  return `${at(0.5)} ms (${at(0.25)} to ${at(0.75)})`
}

console.log(
  `| Node ${process.versions.node} | to the first answer | imported and mounted | processor |\n|:--|--:|--:|--:|`,
)
for (const way of ways) {
  for (const app of apps) {
    const cells = (['firstResponseMs', 'loaded', 'cpu'] as const).map((what) => milliseconds(way, app, what))
    console.log(`| ${APPS[app]}, ${WAYS[way]} | ${cells.join(' | ')} |`)
  }
}
