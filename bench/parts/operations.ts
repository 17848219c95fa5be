import { readFileSync } from 'node:fs'

import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { DataSet } from '../data-set/data-set.js'
import { openFilled } from '../data-set/open.js'
import { OPERATIONS } from '../operations.js'
import type { Options } from '../options.js'
import { bundlePrograms } from '../prepare/bundle.js'
import { buildTrpc } from '../prepare/trpc.js'
import { buildZenstack, installZenstack } from '../prepare/zenstack.js'
import type { ByOperation, OperationResults } from '../report/results.js'
import { appNames } from '../run/app-names.js'
import { measureOverHttp, startServer } from '../run/over-http.js'
import { runForResult } from '../run/program.js'
import type { Measured } from '../run/samples.js'

/** The options of a process that measures allocated bytes: a young generation that is never collected within a round. */
const ALLOCATION_FLAGS = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']
const ALLOCATION_ROUNDS = 11

/** Compares the time of each operation of the generated code with those of the other contenders, in process. */
export function measureOperations(options: Options): Promise<OperationResults> {
  const { only, rounds } = options
  return eachDatabase(options, ['in-process', 'profile'], (programs, url) =>
    runForResult(programs, 'in-process', [url, String(rounds.inProcess), only, 'time']),
  )
}

/** Compares the memory that each operation allocates. */
export function measureAllocation(options: Options): Promise<OperationResults> {
  const rounds = String(Math.min(ALLOCATION_ROUNDS, options.rounds.inProcess))
  return eachDatabase(options, ['in-process'], (programs, url) =>
    runForResult(programs, 'in-process', [url, rounds, options.only, 'allocation'], ALLOCATION_FLAGS),
  )
}

/** Compares the time of each operation over HTTP, with a server process for each contender. */
export function measureOperationsOverHttp(options: Options): Promise<OperationResults> {
  return eachDatabase(options, ['serve'], (programs, url) => measureHttp(programs, url, options))
}

type Measure = (programs: string, url: string) => Promise<ByOperation>

async function eachDatabase(
  { dataSets, peers }: Options,
  names: Parameters<typeof bundlePrograms>[0],
  measure: Measure,
): Promise<OperationResults> {
  if (peers) {
    await installZenstack()
    process.env['BENCH_TRPC'] = await buildTrpc()
  }
  const results: Partial<Record<DataSet['provider'], ByOperation>> = {}
  for (const dataSet of dataSets) {
    const { provider } = dataSet
    const programs = await bundlePrograms(names, provider)
    const fixture = preparedFixture('bench', provider)
    if (peers) process.env['BENCH_ZENSTACK'] = await buildZenstack(readFileSync(fixture.schema, 'utf8'), provider)
    const database = await openFilled(dataSet, fixture)
    process.stderr.write(`${provider} `)
    try {
      results[provider] = await measure(programs, database.url)
    } finally {
      await database.close()
      process.stderr.write('\n')
    }
  }
  return results
}

async function measureHttp(programs: string, url: string, { only, rounds }: Options): Promise<ByOperation> {
  const servers = await Promise.all(appNames().map((name) => startServer(programs, name, url)))
  const results: Record<string, readonly Measured[]> = {}
  for (const operation of OPERATIONS) {
    if (only !== '' && !only.split(',').includes(operation.name)) continue
    results[operation.name] = await measureOverHttp(operation, servers, rounds.http)
    process.stderr.write('.')
  }
  for (const server of servers) server.close()
  return results
}
