/**
 * Finds the most expensive request within the limits: `npm run bench:worst`. Uses a blog with 200 000 posts and a million comments, with
 * even and skewed relations, on SQLite and on the server in `TEST_POSTGRES_URL`. Sends filters over every path of relations with the
 * maximum number of values, sorting, counts, groups, and the requests that the property tests generate. Prints the slowest requests and
 * those with the highest memory usage. Goals: 2 s, 200 MB.
 *
 *     npm run bench:worst
 *     npm run bench:worst -- --generated 500 --seed 7 --limit 20 --only sqlite:skewed
 *     npm run bench:worst -- --every 20                  # only every 20th family of requests
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { prepareFixtures } from '../scripts/prepare-fixtures.js'
import type { TestRequest, Cost, DatabaseTarget } from './worst/types.js'
import { families, generated } from './worst/candidates.js'
import { openDatabases } from './worst/databases.js'
import { TimedProcess } from './worst/timed-process.js'

const { values } = parseArgs({
  options: {
    generated: { type: 'string', default: '200' },
    seed: { type: 'string', default: '20261122' },
    limit: { type: 'string', default: '20' },
    every: { type: 'string', default: '1' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
})

interface Measured {
  readonly target: string
  readonly request: TestRequest
  /** Undefined if the request timed out. */
  readonly cost: Cost | undefined
}

const limit = Number(values.limit)
const nameOf = ({ provider, shape }: DatabaseTarget) => `${provider}:${shape}`
const formatRequest = ({ method, path, body }: TestRequest) =>
  `${method} ${decodeURIComponent(path)} ${body ?? ''}`.slice(0, 220)
const getProcessorMs = ({ cost }: Measured) => cost?.processorMs ?? Infinity
const getMebibytes = ({ cost }: Measured) => cost?.mebibytes ?? 0

/** Measures the most expensive request of each family that the limits allow, and all generated requests. */
async function search(target: DatabaseTarget): Promise<readonly Measured[]> {
  const process = new TimedProcess(target, limit * 1000)
  const all: Measured[] = []
  let rejectedCount = 0
  const measure = async (request: TestRequest): Promise<boolean> => {
    const cost = await process.measure(request)
    if (cost && cost.status >= 500) throw new Error(`${cost.status} for ${formatRequest(request)}\n${cost.error}`)
    if (cost && cost.status !== 200) rejectedCount += 1
    else all.push({ target: nameOf(target), request, cost })
    if (!cost || (cost.status === 200 && cost.processorMs > 1500))
      console.log(`  ${cost ? (cost.processorMs / 1000).toFixed(1) : '?'} s ${formatRequest(request)}`)
    return cost?.status === 200 || cost === undefined
  }
  for (const [index, family] of [...families()].entries()) {
    if (index % Number(values.every) !== 0) continue
    for (const request of [...family].reverse()) if (await measure(request)) break
  }
  for (const request of generated(Number(values.generated), Number(values.seed))) await measure(request)
  process.close()
  console.log(`${nameOf(target)}: ${all.length} answered, ${rejectedCount} refused`)
  return all
}

function print(title: string, all: readonly Measured[], metric: (one: Measured) => number): void {
  console.log(`\n${title}`)
  for (const one of [...all].sort((a, b) => metric(b) - metric(a)).slice(0, 12)) {
    const { target, request, cost } = one
    const formattedCost = cost
      ? `${(cost.ms / 1000).toFixed(2)} s, ${(cost.processorMs / 1000).toFixed(2)} s of the processor, ${cost.mebibytes.toFixed(0)} MiB`
      : `given up after ${limit} s`
    console.log(`  ${target.padEnd(18)} ${formattedCost.padEnd(50)} ${formatRequest(request)}`)
  }
}

await prepareFixtures(['blog'])
const targets = await openDatabases(process.env['TEST_POSTGRES_URL'], limit)
const all: Measured[] = []
for (const target of targets) {
  if (values.only === undefined || values.only.split(',').includes(nameOf(target))) all.push(...(await search(target)))
}
print('Longest:', all, getProcessorMs)
print('Most memory:', all, getMebibytes)
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all))
