/** Measures several changes in one request: `concurrency.js <file with the tables> <rounds>`. See bench/concurrency.ts. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'

import { PrismaClient } from '../../fixtures/bench/client/client.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/bench/expected/index.js'
import { pairedRatio, spread, rotateContenders } from '../measure.js'

const [tables = '', rounds = ''] = process.argv.slice(2)
const ROUNDS = Number(rounds)
const SIZE = 100
const CALLS = 5
const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'routewright-at-once-'))
const adapter = new PrismaLibSql({ url: `file:${join(folder, 'at-once.db')}` })
const connection = await adapter.connect()
await connection.executeScript(await readFile(tables, 'utf8'))
await connection.executeScript(
  `INSERT INTO User (id, email, name, createdAt) VALUES (1, 'a@example.com', 'A', '2026-01-01T00:00:00.000+00:00')`,
)
const orm = new PrismaClient({ adapter })
let last = 0

/** Returns the data of the next posts. */
const posts = () =>
  Array.from({ length: SIZE }, () => ({
    slug: `p-${++last}`,
    title: 'A post',
    body: 'With some text in it.',
    authorId: 1,
  }))

const rest = RestApiHandler({ endpoint: 'http://localhost', atomicOperations: true })
const rpc = RPCApiHandler({ transactions: true })

async function postJson(handler: typeof rest, path: string, type: string, body: unknown): Promise<string> {
  const request = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  })
  const response = await handler.fetch(request, { getOrm: () => orm })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
}

const CONTENDERS: Readonly<Record<string, () => Promise<unknown>>> = {
  'atomic operations': () =>
    postJson(rest, '/operations', ATOMIC, {
      'atomic:operations': posts().map((attributes) => ({ op: 'add', data: { type: 'post', attributes } })),
    }),
  'RPC transaction': () =>
    postJson(
      rpc,
      '/$transaction/sequential',
      'application/json',
      posts().map((data) => ({ model: 'Post', op: 'create', args: { data } })),
    ),
  'by hand, one after the other': async () => {
    const created = await orm.$transaction(async (tx) => {
      const rows: unknown[] = []
      for (const data of posts()) rows.push(await tx.post.create({ data }))
      return rows
    })
    return JSON.stringify(created)
  },
  'by hand, createManyAndReturn': async () => JSON.stringify(await orm.post.createManyAndReturn({ data: posts() })),
}

const names = Object.keys(CONTENDERS)
const times = new Map(names.map((name) => [name, [] as number[]]))
for (const name of names) for (let call = 0; call < 20; call++) await CONTENDERS[name]?.()
for (let round = 0; round < ROUNDS; round++) {
  for (const name of rotateContenders(names, round)) {
    const start = process.cpuUsage()
    for (let call = 0; call < CALLS; call++) await CONTENDERS[name]?.()
    const { user, system } = process.cpuUsage(start)
    times.get(name)?.push((user + system) / CALLS / 1000)
  }
}
console.log(`${SIZE} posts at once`)
for (const [name, taken] of times) {
  const { median } = spread(taken)
  const ratios = names.slice(0, 2).filter((one) => one !== name)
  const comparisons = ratios.map((one) => `${one} ${pairedRatio(times.get(one) ?? [], taken).median.toFixed(2)}`)
  console.log(`  ${name}: ${median.toFixed(2)} ms; of it take: ${comparisons.join(', ')}`)
}
await orm.$disconnect()
await connection.dispose()
await rm(folder, { recursive: true, force: true })
