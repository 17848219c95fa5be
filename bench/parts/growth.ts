import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { DataSet } from '../data-set/data-set.js'
import { openFilled } from '../data-set/open.js'
import { spread } from '../measure.js'
import { OPERATIONS } from '../operations.js'
import type { Options } from '../options.js'
import { bundlePrograms } from '../prepare/bundle.js'
import type { Series } from '../report/line-chart.js'
import type { Load, ResultsByPart } from '../report/results.js'
import { startServer } from '../run/over-http.js'
import { runForResult } from '../run/program.js'

const CONNECTIONS = [1, 4, 16, 64, 256]
const CALLS_PER_ROUND = 1000

/** Measures how the cost of requests grows with their size and number, on each database. */
export async function measureGrowth({ dataSets, only, rounds }: Options): Promise<ResultsByPart['growth']> {
  const results: Partial<Record<DataSet['provider'], { series: readonly Series[]; load: readonly Load[] }>> = {}
  for (const dataSet of dataSets) {
    const { provider } = dataSet
    const programs = await bundlePrograms(['growth', 'serve'], provider)
    const database = await openFilled(dataSet, preparedFixture('bench', provider))
    try {
      process.stderr.write(`${provider} `)
      const series = await runForResult<Series[]>(programs, 'growth', [database.url, String(rounds.growth), only])
      const isLoadMeasured = only === '' || only.split(',').includes('load')
      const load = isLoadMeasured ? await measureLoad(programs, database.url, rounds.growth) : []
      results[provider] = { series: load.length > 0 ? [...series, loadSeries(load)] : series, load }
      process.stderr.write('\n')
    } finally {
      await database.close()
    }
  }
  return results
}

/** Measures a get by id over HTTP at each number of connections. */
async function measureLoad(programs: string, url: string, rounds: number): Promise<readonly Load[]> {
  const operation = OPERATIONS.find(({ name }) => name === 'get')
  if (!operation) throw new Error('The operation "get" is missing.')
  const loads: Load[] = []
  for (const connections of CONNECTIONS) {
    const servers = await Promise.all(
      (['emitted', 'by hand'] as const).map((name) => startServer(programs, name, url, connections)),
    )
    const latencies = new Map(servers.map(({ contender }) => [contender, [] as number[]]))
    const walls = new Map(servers.map(({ contender }) => [contender, [] as number[]]))
    for (let round = -2; round < rounds; round++) {
      for (const { contender, batch } of servers) {
        const measured = await batch(operation, CALLS_PER_ROUND)
        if (round < 0) continue
        latencies.get(contender)?.push(...measured.latencies)
        walls.get(contender)?.push(measured.wall / measured.calls)
      }
    }
    for (const server of servers) server.close()
    for (const [contender, all] of latencies) {
      const sorted = all.sort((a, b) => a - b)
      loads.push({
        contender: contender === 'emitted' ? 'generated' : contender,
        connections,
        requestsPerSecond: Math.round(1e6 / spread(walls.get(contender) ?? []).median),
        p50: sorted[Math.floor(sorted.length * 0.5)] ?? NaN,
        p99: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
      })
    }
    process.stderr.write('.')
  }
  return loads
}

/** Converts the loads to lines with the 50th and the 99th percentile of the latency. */
function loadSeries(load: readonly Load[]): Series {
  const contenders = [...new Set(load.map(({ contender }) => contender))]
  const lines = contenders.flatMap((contender) =>
    (['p50', 'p99'] as const).map((percentile) => ({
      name: `${contender}, ${percentile}`,
      points: load
        .filter((one) => one.contender === contender)
        .map(({ connections, [percentile]: value }) => ({ x: connections, q1: value, median: value, q3: value })),
    })),
  )
  return { name: 'load', title: 'latency of a get by id over HTTP', x: 'connections', unit: 'µs', lines }
}
