/**
 * Measures all contenders in one process: `in-process.js <database url> <rounds> <operations> <time|allocation> <result file>`. Allocation
 * requires `--expose-gc` and a young generation that holds a round.
 */
import { writeFileSync } from 'node:fs'

import { OPERATIONS, type Operation } from '../operations.js'
import { appNames, operationOf } from './app-names.js'
import { createAllocationBatch, createBatch, type PrepareCall, warmUp } from './batch.js'
import { checkEqual } from './check-equal.js'
import { openApp, openCalls, openOrm } from './contenders.js'
import { prepareOperation } from './request.js'
import { type Batch, type ContenderName, interleave, type Measured, summarize } from './samples.js'

const [url = '', rounds = '', operationName = '', kind = '', file = ''] = process.argv.slice(2)
const isAllocation = kind === 'allocation'
/** Whether code is optimized hardly affects what it allocates. */
const ALLOCATION_WARM_UP_MS = 1000
const directCalls = isAllocation ? [] : (['prisma', 'driver'] as const)
const orm = openOrm(url)
const apps = await Promise.all(appNames().map(async (name) => ({ name, app: await openApp(name, url, orm) })))
const calls = openCalls(url, orm)
const results: Record<string, readonly Measured[]> = {}
for (const operation of OPERATIONS) {
  if (operationName !== '' && !operationName.split(',').includes(operation.name)) continue
  if (kind === 'time') await checkEqual(operation, apps)
  results[operation.name] = await measure(operation)
  process.stderr.write('.')
}
writeFileSync(file, JSON.stringify(results))
process.exit(0)

async function measure(operation: Operation): Promise<readonly Measured[]> {
  const contenders: { contender: ContenderName; prepare: PrepareCall }[] = [
    ...apps.flatMap(({ name, app }) => {
      const supported = operationOf(name, operation)
      if (!supported) return []
      return [{ contender: name, prepare: (n: number, unique: string) => prepareOperation(app, supported, n, unique) }]
    }),
    ...directCalls.map((name) => ({
      contender: name,
      prepare: (n: number, unique: string) => () => calls[name][operation.name](n, unique),
    })),
  ]
  const batches: { contender: ContenderName; batch: Batch }[] = []
  for (const { contender, prepare } of contenders) {
    const unique = `${kind}-${operation.name}-${contender.replace(' ', '-')}`
    const batch = createBatch(prepare, unique)
    const size = await warmUp(batch, isAllocation ? ALLOCATION_WARM_UP_MS : undefined)
    batches.push({
      contender,
      batch: isAllocation ? createAllocationBatch(prepare, `${unique}-bytes`) : () => batch(size),
    })
  }
  return summarize(await interleave(batches, Number(rounds)))
}
