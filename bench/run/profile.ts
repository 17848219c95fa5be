/**
 * Answers one operation again and again, to be profiled:
 * `node --cpu-prof profile.js <contender> <database url> <operation> <milliseconds>`.
 */
import { OPERATIONS } from '../operations.js'
import { type AppName, openApp, openCalls, openOrm } from './contenders.js'
import { requestOf } from './request.js'

const [name = '', url = '', wanted = '', duration = '5000'] = process.argv.slice(2)
const operation = OPERATIONS.find((one) => one.name === wanted)
if (!operation) throw new Error(`There is no operation "${wanted}".`)
const call = await callOf(name)
let calls = 0
for (const end = performance.now() + Number(duration) / 3; performance.now() < end;)
  await call(++calls, `warm-${process.pid}-${calls}`)
calls = 0
const cpuBefore = process.cpuUsage()
const start = performance.now()
while (performance.now() < start + Number(duration)) await call(++calls, `profile-${process.pid}-${calls}`)
const { user, system } = process.cpuUsage(cpuBefore)
console.log(
  `${wanted}, ${name}: ${Math.round(((performance.now() - start) * 1000) / calls)} µs a call, ${Math.round((user + system) / calls)} of processor time`,
)
process.exit(0)

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
