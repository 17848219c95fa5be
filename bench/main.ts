/**
 * The benchmark: `npm run bench [-- --rounds 101 --http-rounds 25 --only list,get --no-http --no-zenstack --sqlite-driver libsql]`.
 * See bench/README.md.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { preparedFixture, ROOT } from '../scripts/prepare-fixtures.js'
import type { DataSet } from './data-set/data-set.js'
import { openFilled } from './data-set/open.js'
import { postgresql } from './data-set/postgresql.js'
import { sqlite } from './data-set/sqlite.js'
import { OPERATIONS } from './operations.js'
import { bundlePrograms, workerBytes } from './prepare/bundle.js'
import { chooseDriver } from './prepare/sqlite-driver.js'
import { buildZenstack, installZenstack } from './prepare/zenstack.js'
import type { Result } from './report/result.js'
import { chart } from './report/svg.js'
import { formatReport } from './report/table.js'
import { runProgram } from './run/program.js'
import type { AppName } from './run/contenders.js'
import { measureOverHttp, startServer } from './run/over-http.js'
import type { Samples } from './run/samples.js'
import { measureStarts } from './run/measure-starts.js'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '101' },
    'http-rounds': { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
    http: { type: 'boolean', default: true },
    zenstack: { type: 'boolean', default: true },
    starts: { type: 'boolean', default: true },
    'sqlite-driver': { type: 'string', default: 'better-sqlite3' },
    out: { type: 'string', default: join(ROOT, 'bench/results') },
  },
})
const { TEST_POSTGRES_URL } = process.env
const dataSets: readonly DataSet[] = [sqlite, ...(TEST_POSTGRES_URL ? [postgresql(TEST_POSTGRES_URL)] : [])].filter(
  ({ provider }) => values.database === '' || values.database === provider,
)
const names: readonly AppName[] = values.zenstack ? ['emitted', 'by hand', 'zenstack'] : ['emitted', 'by hand']
const selected = OPERATIONS.filter(({ name }) => values.only === '' || values.only.split(',').includes(name))

if (values.zenstack) await installZenstack()
if (dataSets.includes(sqlite)) await chooseDriver(values['sqlite-driver'])
const results: Result[] = []
for (const dataSet of dataSets) results.push(await measure(dataSet))
mkdirSync(values.out, { recursive: true })
const report = formatReport(results, await workerBytes())
console.log(report)
writeFileSync(join(values.out, 'results.md'), `${report}\n`)
for (const result of results) writeFileSync(join(values.out, `${result.provider}.svg`), chart(result))
process.exit(0)

async function measure(dataSet: DataSet): Promise<Result> {
  const { provider } = dataSet
  const fixture = preparedFixture('bench', provider)
  const programs = await bundlePrograms(['in-process', 'serve', 'start-up', 'profile'], provider)
  if (values.zenstack) {
    process.env['BENCH_ZENSTACK'] = await buildZenstack(readFileSync(fixture.schema, 'utf8'), provider)
  }
  const tempFolder = mkdtempSync(join(tmpdir(), 'routewright-bench-'))
  const database = await openFilled(dataSet, fixture)
  try {
    process.stderr.write(`${provider}, in process `)
    const file = join(tempFolder, 'in-process.json')
    await runProgram(programs, 'in-process', [database.url, values.rounds, values.only, file])
    const inProcess = JSON.parse(readFileSync(file, 'utf8')) as Result['inProcess']
    process.stderr.write(`\n${provider}, over HTTP `)
    const overHttp = values.http ? await measureHttp(programs, database.url) : {}
    process.stderr.write('\n')
    const starts = values.starts ? await measureStarts(programs, names, database.url) : []
    return { provider, inProcess, overHttp, starts }
  } finally {
    await database.close()
    rmSync(tempFolder, { recursive: true, force: true })
  }
}

async function measureHttp(programs: string, url: string): Promise<Record<string, readonly Samples[]>> {
  const servers = await Promise.all(names.map((name) => startServer(programs, name, url)))
  const results: Record<string, readonly Samples[]> = {}
  for (const operation of selected) {
    results[operation.name] = await measureOverHttp(operation, servers, Number(values['http-rounds']))
    process.stderr.write('.')
  }
  for (const server of servers) server.close()
  return results
}
