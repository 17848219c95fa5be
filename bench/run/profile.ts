/**
 * Repeats an operation for profiling: `node --cpu-prof profile.js <contender> <database url> <operation> <milliseconds of CPU time> [instant]`.
 * With `instant`, the Prisma client responds immediately.
 */
import { OPERATIONS } from '../operations.js'
import type { AppName } from './app-names.js'
import { openApp, openCalls, openOrm } from './contenders.js'
import { instantClient } from './instant-client.js'
import { prepareOperation } from './request.js'

const [name = '', url = '', operationName = '', duration = '5000', client = ''] = process.argv.slice(2)
const operation = OPERATIONS.find((one) => one.name === operationName)
if (!operation) throw new Error(`There is no operation "${operationName}".`)
const call = await createCall(name)
let calls = 0
await callDuring(Number(duration) / 2)
calls = 0
const wall = performance.now()
const cpu = await callDuring(Number(duration))
const perCall = (microseconds: number) => `${Math.round(microseconds / calls)} µs`
console.log(
  `${operationName}, ${name}: ${perCall((performance.now() - wall) * 1000)} a call, ${perCall(cpu)} of processor time, ${calls} calls`,
)
process.exit(0)

/**
 * Repeats calls until the given CPU time is used.
 * @returns the CPU time in microseconds
 */
async function callDuring(milliseconds: number): Promise<number> {
  const before = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(before)
    if (user + system > milliseconds * 1000) return user + system
    for (let more = 0; more < 10; more++) await call(++calls, `profile-${process.pid}-${performance.now()}-${calls}`)
  }
}

async function createCall(contender: string): Promise<(n: number, unique: string) => Promise<unknown>> {
  if (contender === 'prisma' || contender === 'driver') {
    return openCalls(url, openOrm(url))[contender][operationName as (typeof OPERATIONS)[number]['name']]
  }
  const orm = openOrm(url)
  const app = await openApp(contender as AppName, url, client === 'instant' ? instantClient(orm) : orm)
  return async (n, unique) => {
    if (operation) await prepareOperation(app, operation, n, unique)()
  }
}
