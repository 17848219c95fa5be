/** Measures idempotency keys: `idempotency-keys.js <file with the tables> <rounds>`. See bench/idempotency-keys.ts. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'

import { PrismaClient } from '../../fixtures/payments/client/client.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/payments/expected/index.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { pairedRatio, spread } from '../measure.js'

const [tables = '', rounds = ''] = process.argv.slice(2)
const CALLS = 40

const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'routewright-keys-'))
const adapter = new PrismaLibSql({ url: `file:${join(folder, 'keys.db')}` })
const connection = await adapter.connect()
await connection.executeScript(await readFile(tables, 'utf8'))
await connection.executeScript(`INSERT INTO Account (id, owner) VALUES (1, 'ann')`)
const orm = new PrismaClient({ adapter })
let last = 0

const IDEMPOTENCY_OPTIONS = { idempotency: idempotency({ model: 'idempotencyKey', scope: () => 'everybody' }) }
const REST = { endpoint: 'http://localhost' }
type Handler = ReturnType<typeof RPCApiHandler>

async function postJson(handler: Handler, path: string, body: unknown, key?: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': `"${key}"` }) }
  const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await handler.fetch(request, { getOrm: () => orm })
  const text = await response.text()
  if (response.status !== 201) throw new Error(text)
}

const rest = (reference: string) => {
  const relationships = { account: { data: { type: 'account', id: '1' } } }
  return { data: { type: 'payment', attributes: { reference, amount: 5 }, relationships } }
}
const rpc = (reference: string) => ({ data: { reference, amount: 5, accountId: 1 } })

/**
 * Returns the calls of a style in groups. The first call of each group is the baseline for the others. One call occurs twice, to show the
 * noise.
 */
async function measureGroups(
  withoutOption: Handler,
  replayed: Handler,
  withOption: Handler,
  path: string,
  createBody: (reference: string) => unknown,
) {
  const next = () => `payment ${++last}`
  const [repeatedBody, key] = [createBody(next()), next()]
  await postJson(withOption, path, repeatedBody, key)
  const without = ['without the option', () => postJson(withoutOption, path, createBody(next()))] as const
  return [
    [
      without,
      ['without the option, once more', () => postJson(replayed, path, createBody(next()))],
      ['with it, no key', () => postJson(withOption, path, createBody(next()))],
    ],
    [
      without,
      ['a key', () => postJson(withOption, path, createBody(next()), next())],
      ['a key whose answer is given again', () => postJson(withOption, path, repeatedBody, key)],
    ],
  ] as const
}

/** All permutations of three. No contender always follows the same one, which could leave work behind. */
const ORDERS = ['012', '210', '102', '201', '021', '120']

const styles = {
  REST: await measureGroups(
    RestApiHandler(REST),
    RestApiHandler(REST),
    RestApiHandler({ ...REST, ...IDEMPOTENCY_OPTIONS }),
    '/payment',
    rest,
  ),
  RPC: await measureGroups(
    RPCApiHandler(),
    RPCApiHandler(),
    RPCApiHandler(IDEMPOTENCY_OPTIONS),
    '/payment/create',
    rpc,
  ),
}
for (const [style, groups] of Object.entries(styles)) {
  console.log(`${style}: a create`)
  for (const group of groups) {
    const times = new Map(group.map(([name]) => [name, [] as number[]]))
    for (const [, call] of group) for (let time = 0; time < 1000; time++) await call()
    for (let round = 0; round < Number(rounds); round++) {
      for (const index of ORDERS[round % ORDERS.length] ?? '') {
        const [name, call] = group[Number(index)] ?? group[0]
        const start = process.cpuUsage()
        for (let time = 0; time < CALLS; time++) await call()
        const { user, system } = process.cpuUsage(start)
        times.get(name)?.push((user + system) / CALLS / 1000)
      }
    }
    const [first = []] = times.values()
    for (const [name, taken] of times) {
      const ratio = pairedRatio(taken, first).median.toFixed(2)
      console.log(`  ${name}: ${spread(taken).median.toFixed(2)} ms, ${ratio} of the first`)
    }
  }
}
await orm.$disconnect()
await connection.dispose()
await rm(folder, { recursive: true, force: true })
