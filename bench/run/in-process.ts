/** Measures all contenders in one process: `in-process.js <database url> <rounds> <operations> <result file>`. */
import { writeFileSync } from 'node:fs'

import { OPERATIONS, type Operation } from '../operations.js'
import { checkEqual } from './check-equal.js'
import { appNames, openApp, openCalls, openOrm } from './contenders.js'
import { toRequest } from './request.js'
import { createBatch, type PrepareCall, warmUp } from './batch.js'
import { type Batch, type ContenderName, interleave, type Samples } from './samples.js'

const [url = '', rounds = '', operationName = '', file = ''] = process.argv.slice(2)
const orm = openOrm(url)
const apps = await Promise.all(appNames().map(async (name) => ({ name, app: await openApp(name, url, orm) })))
const calls = openCalls(url, orm)
const results: Record<string, readonly Samples[]> = {}
for (const operation of OPERATIONS) {
  if (operationName !== '' && !operationName.split(',').includes(operation.name)) continue
  await checkEqual(operation, apps)
  results[operation.name] = await measure(operation)
  process.stderr.write('.')
}
writeFileSync(file, JSON.stringify(results))
process.exit(0)

async function measure(operation: Operation): Promise<readonly Samples[]> {
  const contenders: { contender: ContenderName; prepare: PrepareCall }[] = [
    ...apps.map(({ name, app }) => ({
      contender: name,
      prepare: (n: number, unique: string) => {
        const request = toRequest(operation.request(n, unique))
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
    const batch = createBatch(prepare, `${operation.name}-${contender.replace(' ', '-')}`)
    const size = await warmUp(batch)
    batches.push({ contender, batch: () => batch(size) })
  }
  return interleave(batches, Number(rounds))
}
