/** Measures all contenders in one process: `in-process.js <database url> <rounds> <operations> <result file>`. */
import { writeFileSync } from 'node:fs'

import { OPERATIONS, type Operation } from '../operations.js'
import { checkEqual } from './check-equal.js'
import { appNames, openApp, openCalls, openOrm } from './contenders.js'
import { requestOf } from './request.js'
import { type Batch, type ContenderName, inTurn, type Samples } from './samples.js'

/** Long enough that most of a turn is not the processor's caches filling with a contender's code again. */
const BATCH_MS = 100
const WARM_UP_MS = 1000
/** So many calls the compiler should have seen, unless they would take too long. */
const WARM_UP_CALLS = 10_000
const WARM_UP_MOST_MS = 6000

const [url = '', rounds = '', wanted = '', file = ''] = process.argv.slice(2)
const orm = openOrm(url)
const apps = await Promise.all(appNames().map(async (name) => ({ name, app: await openApp(name, url, orm) })))
const calls = openCalls(url, orm)
const results: Record<string, readonly Samples[]> = {}
for (const operation of OPERATIONS) {
  if (wanted !== '' && !wanted.split(',').includes(operation.name)) continue
  await checkEqual(operation, apps)
  results[operation.name] = await measure(operation)
  process.stderr.write('.')
}
writeFileSync(file, JSON.stringify(results))
process.exit(0)

async function measure(operation: Operation): Promise<readonly Samples[]> {
  const contenders: { contender: ContenderName; prepare: Prepare }[] = [
    ...apps.map(({ name, app }) => ({
      contender: name,
      prepare: (n: number, unique: string) => {
        const request = requestOf(operation.request(n, unique))
        return async () => {
          const response = await app.fetch(request)
          await response.text()
          if (!response.ok) throw new Error(`${name} answers ${response.status} to ${operation.name}.`)
        }
      },
    })),
    ...(['prisma', 'driver'] as const).map((name) => ({
      contender: name,
      prepare: (n: number, unique: string) => () => calls[name][operation.name](n, unique),
    })),
  ]
  const batches: { contender: ContenderName; batch: Batch }[] = []
  for (const { contender, prepare } of contenders) {
    const batch = batchOf(prepare, `${operation.name}-${contender.replace(' ', '-')}`)
    const size = await warmUp(batch)
    batches.push({ contender, batch: () => batch(size) })
  }
  return inTurn(batches, Number(rounds))
}

/** Makes a call ready: what it needs is made before the clock starts. */
type Prepare = (n: number, unique: string) => () => Promise<unknown>

function batchOf(prepare: Prepare, unique: string) {
  let n = 0
  return async (calls: number) => {
    const ready = Array.from({ length: calls }, () => prepare(++n, `${unique}-${n}`))
    const cpuBefore = process.cpuUsage()
    const before = performance.now()
    for (const call of ready) await call()
    const wall = (performance.now() - before) * 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    return { calls, wall, cpu: user + system }
  }
}

/** Calls until the compiler has seen enough; gives how many calls make a batch. */
async function warmUp(batch: (calls: number) => ReturnType<Batch>): Promise<number> {
  const start = performance.now()
  let size = 1
  let calls = 0
  for (let spent = 0; spent < WARM_UP_MS || (calls < WARM_UP_CALLS && spent < WARM_UP_MOST_MS);) {
    const { cpu } = await batch(size)
    calls += size
    size = Math.max(1, Math.round((BATCH_MS * 1000 * size) / cpu))
    spent = performance.now() - start
  }
  return size
}
