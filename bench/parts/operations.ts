import { readFileSync } from 'node:fs'

import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { DataSet } from '../data-set/data-set.js'
import { openFilled } from '../data-set/open.js'
import { OPERATIONS } from '../operations.js'
import type { Options } from '../options.js'
import { bundlePrograms } from '../prepare/bundle.js'
import { buildTrpc } from '../prepare/trpc.js'
import { buildZenstack, installZenstack } from '../prepare/zenstack.js'
import type { DatabaseResults, OperationResults } from '../report/results.js'
import { appNames } from '../run/app-names.js'
import { measureOverHttp, startServer } from '../run/over-http.js'
import { runForResult } from '../run/program.js'
import type { Measured } from '../run/samples.js'

/** The options of a process that measures allocated bytes: a young generation that is never collected within a round. */
const ALLOCATION_FLAGS = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']
const ALLOCATION_ROUNDS = 11

/** Compares each operation of the generated code with those of the other contenders, on each database. */
export async function measureOperations(options: Options): Promise<OperationResults> {
  if (options.peers) {
    await installZenstack()
    process.env['BENCH_TRPC'] = await buildTrpc()
  }
  const results: Partial<Record<DataSet['provider'], DatabaseResults>> = {}
  for (const dataSet of options.dataSets) results[dataSet.provider] = await measure(dataSet, options)
  return results
}

async function measure(dataSet: DataSet, { peers, rounds, only, http }: Options) {
  const { provider } = dataSet
  const programs = await bundlePrograms(['in-process', 'serve', 'profile'], provider)
  const fixture = preparedFixture('bench', provider)
  if (peers) process.env['BENCH_ZENSTACK'] = await buildZenstack(readFileSync(fixture.schema, 'utf8'), provider)
  const database = await openFilled(dataSet, fixture)
  const runInProcess = async (kind: 'time' | 'allocation', rounds: number, flags: readonly string[] = []) => {
    process.stderr.write(`${provider}, ${kind} in process `)
    const args = [database.url, String(rounds), only, kind]
    const measured = await runForResult<Record<string, readonly Measured[]>>(programs, 'in-process', args, flags)
    process.stderr.write('\n')
    return measured
  }
  try {
    const inProcess = await runInProcess('time', rounds.inProcess)
    const allocation = await runInProcess('allocation', Math.min(ALLOCATION_ROUNDS, rounds.inProcess), ALLOCATION_FLAGS)
    const overHttp = http ? await measureHttp(programs, database.url, only, rounds.http) : {}
    return { inProcess, allocation, overHttp }
  } finally {
    await database.close()
  }
}

async function measureHttp(
  programs: string,
  url: string,
  only: string,
  rounds: number,
): Promise<Record<string, readonly Measured[]>> {
  process.stderr.write('over HTTP ')
  const servers = await Promise.all(appNames().map((name) => startServer(programs, name, url)))
  const results: Record<string, readonly Measured[]> = {}
  for (const operation of OPERATIONS) {
    if (only !== '' && !only.split(',').includes(operation.name)) continue
    results[operation.name] = await measureOverHttp(operation, servers, rounds)
    process.stderr.write('.')
  }
  for (const server of servers) server.close()
  process.stderr.write('\n')
  return results
}
