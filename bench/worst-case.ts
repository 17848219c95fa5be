/**
 * The dearest request that is allowed: `npm run bench:worst`. On a blog with 200 000 posts and a million comments, spread evenly and to
 * few, on SQLite and on the server that `TEST_POSTGRES_URL` names, it asks what the limits still let through: each way through relations
 * with as many texts as are allowed, orders, counts, groups, and what the property tests generate. It prints what took longest, and what
 * took most memory. The goals: 2 s, 200 MB.
 *
 *     npm run bench:worst
 *     npm run bench:worst -- --generated 500 --seed 7 --limit 20 --only sqlite:skewed
 *     npm run bench:worst -- --every 20                  # each twentieth family of requests: a try
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
  readonly place: string
  readonly asked: TestRequest
  /** Undefined where it was given up. */
  readonly cost: Cost | undefined
}

const limit = Number(values.limit)
const nameOf = ({ provider, shape }: DatabaseTarget) => `${provider}:${shape}`
const textOf = ({ method, path, body }: TestRequest) =>
  `${method} ${decodeURIComponent(path)} ${body ?? ''}`.slice(0, 220)
const processorOf = ({ cost }: Measured) => cost?.processorMs ?? Infinity
const memoryOf = ({ cost }: Measured) => cost?.mebibytes ?? 0

/** Asks the dearest of each family that is allowed, and each of what is generated. */
async function search(place: DatabaseTarget): Promise<readonly Measured[]> {
  const timed = new TimedProcess(place, limit * 1000)
  const all: Measured[] = []
  let refused = 0
  const ask = async (asked: TestRequest): Promise<boolean> => {
    const cost = await timed.ask(asked)
    if (cost && cost.status >= 500) throw new Error(`${cost.status} for ${textOf(asked)}\n${cost.error}`)
    if (cost && cost.status !== 200) refused += 1
    else all.push({ place: nameOf(place), asked, cost })
    if (!cost || (cost.status === 200 && cost.processorMs > 1500))
      console.log(`  ${cost ? (cost.processorMs / 1000).toFixed(1) : '?'} s ${textOf(asked)}`)
    return cost?.status === 200 || cost === undefined
  }
  for (const [index, family] of [...families()].entries()) {
    if (index % Number(values.every) !== 0) continue
    for (const asked of [...family].reverse()) if (await ask(asked)) break
  }
  for (const asked of generated(Number(values.generated), Number(values.seed))) await ask(asked)
  timed.close()
  console.log(`${nameOf(place)}: ${all.length} answered, ${refused} refused`)
  return all
}

function print(title: string, all: readonly Measured[], by: (one: Measured) => number): void {
  console.log(`\n${title}`)
  for (const one of [...all].sort((a, b) => by(b) - by(a)).slice(0, 12)) {
    const { place, asked, cost } = one
    const took = cost
      ? `${(cost.ms / 1000).toFixed(2)} s, ${(cost.processorMs / 1000).toFixed(2)} s of the processor, ${cost.mebibytes.toFixed(0)} MiB`
      : `given up after ${limit} s`
    console.log(`  ${place.padEnd(18)} ${took.padEnd(50)} ${textOf(asked)}`)
  }
}

await prepareFixtures(['blog'])
const places = await openDatabases(process.env['TEST_POSTGRES_URL'], limit)
const all: Measured[] = []
for (const place of places) {
  if (values.only === undefined || values.only.split(',').includes(nameOf(place))) all.push(...(await search(place)))
}
print('Longest:', all, processorOf)
print('Most memory:', all, memoryOf)
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all))
