import { rm } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Provider } from '../../scripts/prepare-fixtures.js'
import {
  buildServer,
  createPersistentDatabase,
  type PersistentDatabase,
  type Server,
  startServer,
} from './programs/servers.js'
import { keyed, payment } from './support.js'

const { TEST_POSTGRES_URL = '', TEST_MYSQL_URL = '' } = process.env

/** Number of times that a process is killed, on each database. */
const KILLS = 18

const SERVERS = (
  [
    ['sqlite', 'a file'],
    ['postgresql', TEST_POSTGRES_URL],
    ['mysql', TEST_MYSQL_URL],
  ] as const
).filter(([, url]) => url !== '')

/** When the process is killed: after the write, after the commit but before the response, or at any moment. */
const MOMENTS = ['written', 'committed', 'any'] as const

/** Longer than a request takes, including its hooks, in milliseconds. */
const ANY = 500

const later = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

describe.each(SERVERS)('idempotency: process killed before the response [%s]', (provider: Provider, url) => {
  let database: PersistentDatabase
  let program: string
  let next: Promise<Server>
  const start = () => (next = startServer(program, database))

  beforeAll(async () => {
    database = await createPersistentDatabase(provider, url)
    program = await buildServer(provider)
  })
  afterAll(async () => {
    await (await next).kill()
    await database.close()
    await rm(program)
  })

  it('leaves exactly one row after a retry', { timeout: 600_000 }, async () => {
    let server = await start()
    const outcomes = { replayed: 0, carriedOut: 0 }
    for (let round = 0; round < KILLS; round++) {
      const moment = MOMENTS[round % MOMENTS.length]
      const reference = `payment ${round}`
      void start()
      const first = pay(server, reference).catch(() => undefined)
      if (moment === 'any') await later(Math.random() * ANY)
      else await Promise.race([first, waitForLine(server, `${moment} ${reference}`)])
      await server.kill()
      const firstResponse = await first
      server = await next
      const { status, text, isReplayed } = await retryWhileBusy(server, reference)
      expect([round, status]).toEqual([round, 201])
      if (firstResponse?.status === 201) expect(text).toBe(firstResponse.text)
      if (moment === 'committed') expect(isReplayed).toBe(true)
      outcomes[isReplayed ? 'replayed' : 'carriedOut']++
      expect(await database.count('Payment', `reference = '${reference}'`)).toBe(1)
    }
    expect([await database.count('Payment'), await database.count('IdempotencyKey')]).toEqual([KILLS, KILLS])
    expect(Math.min(outcomes.replayed, outcomes.carriedOut)).toBeGreaterThan(0)
  })
})

/** Resolves when a server has printed a line. */
async function waitForLine(server: Server, line: string): Promise<void> {
  for (let next = await server.line(); next !== line; next = await server.line()) {
    if (next === undefined) return
  }
}

async function pay({ url }: Server, reference: string) {
  const response = await fetch(`${url}/payment`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.api+json', ...keyed(reference) },
    body: JSON.stringify(payment(reference)),
  })
  const { status, headers } = response
  return { status, headers, text: await response.text(), isReplayed: headers.has('Idempotent-Replayed') }
}

/** Retries, because the database may not have noticed yet that the first client has disconnected. */
async function retryWhileBusy(server: Server, reference: string) {
  for (let attempt = 1; ; attempt++) {
    const response = await pay(server, reference)
    if (!response.headers.has('Retry-After') || attempt === 100) return response
    await later(50)
  }
}
