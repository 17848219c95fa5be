/**
 * Finds the most expensive request within the limits. Uses a blog with 200 000 posts and a million comments, with
 * even and skewed relations, on SQLite and on the server in `TEST_POSTGRES_URL`. Sends filters over every path of relations with the
 * maximum number of values, sorting, counts, groups, and the requests that the property tests generate. Reports the slowest requests
 * and those with the highest memory usage. Goals: 2 s, 200 MB.
 */
import { prepareFixtures } from '../../scripts/prepare-fixtures.js'
import type { Options } from '../options.js'
import type { RequestRow, ResultsByPart } from '../report/results.js'
import { families, generated } from '../worst/candidates.js'
import { openDatabases } from '../worst/databases.js'
import { TimedProcess } from '../worst/timed-process.js'
import type { TestRequest, Cost, DatabaseTarget } from '../worst/types.js'

/** Number of requests in each table. */
const TOP = 12

interface Measured {
  readonly target: string
  readonly request: TestRequest
  /** Undefined if the request timed out. */
  readonly cost: Cost | undefined
}

const nameOf = ({ provider, shape }: DatabaseTarget) => `${provider}:${shape}`
const formatRequest = ({ method, path, body }: TestRequest) =>
  `${method} ${decodeURIComponent(path)} ${body ?? ''}`.slice(0, 220)
const getProcessorMs = ({ cost }: Measured) => cost?.processorMs ?? Infinity
const getMebibytes = ({ cost }: Measured) => cost?.mebibytes ?? 0

/** Measures the most expensive request of each family that the limits allow, and all generated requests. */
async function search(
  target: DatabaseTarget,
  { limit, every, generated: count, seed }: Options['worst'],
): Promise<readonly Measured[]> {
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
    if (index % every !== 0) continue
    for (const request of [...family].reverse()) if (await measure(request)) break
  }
  for (const request of generated(count, seed)) await measure(request)
  process.close()
  console.log(`${nameOf(target)}: ${all.length} accepted, ${rejectedCount} refused`)
  return all
}

/** Returns the requests with the highest values. */
function top(all: readonly Measured[], metric: (one: Measured) => number): readonly RequestRow[] {
  const sorted = [...all].sort((a, b) => metric(b) - metric(a)).slice(0, TOP)
  return sorted.map(({ target, request, cost }) => ({
    database: target,
    request: formatRequest(request),
    ...(cost && { ms: cost.ms, cpuMs: cost.processorMs, mebibytes: cost.mebibytes }),
  }))
}

/** Searches for the most expensive requests on each database. */
export async function findWorstRequests({ worst, dataSets, only }: Options): Promise<ResultsByPart['worst']> {
  await prepareFixtures(['blog'])
  const server = dataSets.some(({ provider }) => provider === 'postgresql')
    ? process.env['TEST_POSTGRES_URL']
    : undefined
  const targets = await openDatabases(server, worst.limit)
  const all: Measured[] = []
  for (const target of targets) {
    if (!dataSets.some(({ provider }) => provider === target.provider)) continue
    if (only === '' || only.split(',').includes(nameOf(target))) all.push(...(await search(target, worst)))
  }
  const accepted = Object.fromEntries(
    targets.map((target) => [nameOf(target), all.filter((one) => one.target === nameOf(target)).length]),
  )
  return { accepted, longest: top(all, getProcessorMs), largest: top(all, getMebibytes) }
}
