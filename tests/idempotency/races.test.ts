import { beforeEach, expect, it } from 'vitest'

import { isLong } from '../support/form.js'
import { describeDatabases } from '../support/databases.js'
import { type Answer, appOf, fillPayments } from './support.js'

const ROUNDS = isLong ? 30 : 5
const AT_ONCE = 8

/** What callers do that are answered with 409: they send the same again. */
async function untilAnswered(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send()
    const isLater = answer.headers.has('Retry-After') && attempt < 200
    if (!isLater) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describeDatabases(
  'idempotency: at the same time',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
    })

    it('one request runs, the others are answered with 409 or with its answer', async () => {
      const app = appOf(db)
      for (let round = 1; round <= ROUNDS; round++) {
        const key = `key ${round}`
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => app.rpcPay(key, key)))
        const first = answers.filter(({ status, headers }) => status === 201 && !headers.has('Idempotent-Replayed'))
        expect(first).toHaveLength(1)
        for (const { status, headers, text } of answers) {
          expect([201, 409]).toContain(status)
          if (status === 409) expect(headers.get('Retry-After')).toBe('1')
          else expect(text).toBe(first[0]?.text)
        }
      }
      expect(await db.orm.payment.count()).toBe(ROUNDS)
    })

    it('who sends the same again is answered in the end, in whatever process', async () => {
      // Apps that know nothing of each other, as in several processes: each has a client of its own.
      const apps = Array.from({ length: 4 }, () => {
        const own = new Proxy(db.orm, {})
        return appOf(db, { orm: () => own })
      })
      for (let round = 1; round <= ROUNDS; round++) {
        const key = `key ${round}`
        const answers = await Promise.all(apps.map((app) => untilAnswered(() => app.pay(key, key))))
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      }
      expect([await db.orm.payment.count(), await db.orm.idempotencyKey.count()]).toEqual([ROUNDS, ROUNDS])
    })

    it('one of several takes over a key that has expired', async () => {
      const app = appOf(db)
      await appOf(db, { idempotency: { expiresAfter: 1 } }).rpcPay('old', 'one')
      await new Promise((resolve) => setTimeout(resolve, 20))
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => untilAnswered(() => app.rpcPay('new', 'one'))),
      )
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(await db.orm.payment.count()).toBe(2)
    })
  },
  { fixture: 'payments' },
)
