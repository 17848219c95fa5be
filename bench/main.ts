/**
 * The benchmark: `npm run bench [-- <parts> --node 24 --rounds 101 --only list,get --no-peers]`. Each part writes its results and
 * charts to `bench/results/node-<version>/`. See bench/README.md.
 */
import { join } from 'node:path'

import { ROOT } from '../scripts/prepare-fixtures.js'
import { type Options, parseOptions, type Part } from './options.js'
import { measureChanges } from './parts/changes.js'
import { measureGeneration } from './parts/generate.js'
import { measureGrowth } from './parts/growth.js'
import { measureAllocation, measureOperations, measureOperationsOverHttp } from './parts/operations.js'
import { measurePolicies } from './parts/policy.js'
import { measureStarts } from './parts/start.js'
import { findWorstRequests } from './parts/worst.js'
import { runOnNode } from './prepare/node.js'
import { chooseDriver } from './prepare/sqlite-driver.js'
import { type ResultsByPart, writeResults } from './report/results.js'

type Measure = { readonly [P in Part]: (options: Options) => Promise<ResultsByPart[P]> }

const MEASURE: Measure = {
  operations: measureOperations,
  allocation: measureAllocation,
  http: measureOperationsOverHttp,
  growth: measureGrowth,
  policy: measurePolicies,
  start: measureStarts,
  generate: measureGeneration,
  changes: measureChanges,
  worst: findWorstRequests,
}

const args = process.argv.slice(2)
const options = parseOptions(args, process.env)
if (options.node !== undefined) {
  const at = args.findIndex((arg) => arg.startsWith('--node'))
  const others = args.toSpliced(at, args[at]?.includes('=') ? 1 : 2)
  process.exit(runOnNode(options.node, others))
}

const [major] = process.versions.node.split('.')
const folder = options.out ?? join(ROOT, `bench/results/node-${major}`)
const WITH_DRIVER: readonly Part[] = ['operations', 'allocation', 'http', 'growth']
if (options.parts.some((part) => WITH_DRIVER.includes(part))) await chooseDriver(options.sqliteDriver)
if (options.warmUp !== undefined) process.env['BENCH_WARM_UP'] = options.warmUp
for (const part of options.parts) {
  const start = Date.now()
  console.log(`${part} …`)
  await writeResults(folder, part, await MEASURE[part](options))
  console.log(`${part}: ${Math.round((Date.now() - start) / 1000)} s`)
}
process.exit(0)
