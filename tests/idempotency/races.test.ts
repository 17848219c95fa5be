import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/payments/expected/hooks.js'
import { isLong } from '../support/form.js'
import { describeDatabases } from '../support/databases.js'
import { type TestResponse, appOf, fillPayments } from './support.js'

const ROUNDS = isLong ? 30 : 5
const AT_ONCE = 8

/** Retries after a 409, as callers should. */
async function retryWhileBusy(send: () => Promise<TestResponse>): Promise<TestResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await send()
    const isLater = response.headers.has('Retry-After') && attempt < 200
    if (!isLater) return response
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describeDatabases(
  'idempotency: concurrent requests',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
    })

    /** Apps that do not share state, like separate processes. Each has its own client. */
    const separateApps = (count = 4) =>
      Array.from({ length: count }, () => {
        const client = new Proxy(db.orm, {})
        return appOf(db, { orm: () => client })
      })

    it('runs one request and responds to the others with 409 or its response', async () => {
      const app = appOf(db)
      for (let round = 1; round <= ROUNDS; round++) {
        const key = `key ${round}`
        const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => app.rpcPay(key, key)))
        const first = responses.filter(({ status, headers }) => status === 201 && !headers.has('Idempotent-Replayed'))
        expect(first).toHaveLength(1)
        for (const { status, headers, text } of responses) {
          expect([201, 409]).toContain(status)
          if (status === 409) expect(headers.get('Retry-After')).toBe('1')
          else expect(text).toBe(first[0]?.text)
        }
      }
      expect(await db.orm.payment.count()).toBe(ROUNDS)
    })

    it('replays a finished request concurrently in one or several processes', async () => {
      const app = appOf(db)
      const first = await app.rpcPay('one', 'one')
      for (const apps of [[app], separateApps()]) {
        const replays = await Promise.all(
          Array.from({ length: 40 }, (_, index) => (apps[index % apps.length] ?? app).rpcPay('one', 'one')),
        )
        const responses = replays.map(({ status, text, headers }) => [status, text, headers.get('Idempotent-Replayed')])
        expect(responses).toEqual(replays.map(() => [201, first.text, 'true']))
        const others = await Promise.all(apps.map(() => app.rpcPay('other', 'one')))
        expect(others.map(({ status }) => status)).toEqual(others.map(() => 422))
      }
      expect([await db.orm.payment.count(), await db.orm.idempotencyKey.count()]).toEqual([1, 1])
    })

    it('rejects requests with the key of a running request with 409', async () => {
      // On SQLite, the transaction of the running request locks the database for other processes.
      const apps = db.provider === 'sqlite' ? 1 : 2
      let finish = (): void => undefined
      let begin = (): void => undefined
      const started = new Promise<void>((resolve) => (begin = resolve))
      const finished = new Promise<void>((resolve) => (finish = resolve))
      const hooks = defineHooks({
        Payment: {
          create: {
            async after() {
              begin()
              await finished
            },
          },
        },
      })
      const running = appOf(db, { rpc: { hooks } })
      const first = running.rpcPay('one', 'one')
      await started
      const others = [running, ...separateApps(apps - 1)].flatMap((app) => [app, app, app])
      try {
        // On MySQL, other processes wait for the row of the key and then read the response.
        const waiting = others.map((app) => app.rpcPay('one', 'one'))
        const now = await Promise.all(db.provider === 'mysql' ? waiting.slice(0, 3) : waiting)
        expect(now.map(({ status, body }) => [status, body.code])).toEqual(
          now.map(() => [409, 'idempotency-key-in-use']),
        )
        finish()
        const { status, text } = await first
        expect(status).toBe(201)
        for (const later of (await Promise.all(waiting)).slice(now.length))
          expect(later).toMatchObject({ status, text })
      } finally {
        finish()
      }
    })

    it('responds to retried requests in every process with one response', async () => {
      const apps = separateApps()
      for (let round = 1; round <= ROUNDS; round++) {
        const key = `key ${round}`
        const responses = await Promise.all(apps.map((app) => retryWhileBusy(() => app.pay(key, key))))
        expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      }
      expect([await db.orm.payment.count(), await db.orm.idempotencyKey.count()]).toEqual([ROUNDS, ROUNDS])
    })

    it('runs one of several requests with an expired key', async () => {
      const app = appOf(db)
      await appOf(db, { idempotency: { expiresAfter: 1 } }).rpcPay('old', 'one')
      await new Promise((resolve) => setTimeout(resolve, 20))
      const responses = await Promise.all(
        Array.from({ length: AT_ONCE }, () => retryWhileBusy(() => app.rpcPay('new', 'one'))),
      )
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(await db.orm.payment.count()).toBe(2)
    })
  },
  { fixture: 'payments' },
)
