/** Repeats an operation for profiling: `node --cpu-prof profile.js <contender> <database url> <operation> <milliseconds of CPU time>`. */
import { OPERATIONS } from '../operations.js'
import { type AppName, openApp, openCalls, openOrm } from './contenders.js'
import { requestOf } from './request.js'

const [name = '', url = '', wanted = '', duration = '5000'] = process.argv.slice(2)
const operation = OPERATIONS.find((one) => one.name === wanted)
if (!operation) throw new Error(`There is no operation "${wanted}".`)
const call = await callOf(name)
let calls = 0
await callFor(Number(duration) / 2)
calls = 0
const wall = performance.now()
const cpu = await callFor(Number(duration))
const perCall = (microseconds: number) => `${Math.round(microseconds / calls)} µs`
console.log(
  `${wanted}, ${name}: ${perCall((performance.now() - wall) * 1000)} a call, ${perCall(cpu)} of processor time, ${calls} calls`,
)
process.exit(0)

/**
 * Repeats calls until the given CPU time is used.
 * @returns the CPU time in microseconds
 */
async function callFor(milliseconds: number): Promise<number> {
  const before = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(before)
    if (user + system > milliseconds * 1000) return user + system
    for (let more = 0; more < 10; more++) await call(++calls, `profile-${process.pid}-${performance.now()}-${calls}`)
  }
}

async function callOf(contender: string): Promise<(n: number, unique: string) => Promise<unknown>> {
  if (contender === 'prisma' || contender === 'driver') {
    return openCalls(url, openOrm(url))[contender][wanted as (typeof OPERATIONS)[number]['name']]
  }
  const app = await openApp(contender as AppName, url)
  return async (n, unique) => {
    const response = await app.fetch(requestOf(operation?.request(n, unique) ?? { method: 'GET', path: '/' }))
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    return response.text()
  }
}
