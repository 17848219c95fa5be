import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { appOf, fillPayments, keyed, payment } from './support.js'

const REPLAYED = 'Idempotent-Replayed'

describeDatabases(
  'idempotency: responses',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillPayments)
    })
    const count = () => db.orm.payment.count()
    const countKeys = () => db.orm.idempotencyKey.count()

    it.each(['pay', 'rpcPay'] as const)('%s: replays the first response byte for byte', async (pay) => {
      const app = appOf(db)
      const first = await app[pay]('a', 'one')
      const again = await app[pay]('a', 'one')
      expect([first.status, first.headers.get(REPLAYED)]).toEqual([201, null])
      expect([again.status, again.text]).toEqual([201, first.text])
      expect([...again.headers].filter(([name]) => name !== 'idempotent-replayed')).toEqual([...first.headers])
      expect(again.headers.get(REPLAYED)).toBe('true')
      expect([await count(), await countKeys()]).toEqual([1, 1])
    })

    it('runs requests with another key or without a key', async () => {
      const app = appOf(db)
      await app.pay('a', 'one')
      expect((await app.pay('b', 'two')).status).toBe(201)
      expect((await app.pay('c')).status).toBe(201)
      expect([await count(), await countKeys()]).toEqual([3, 2])
    })

    it.each<[string, string, string, object | undefined, Record<string, string>]>([
      ['another body', 'POST', '/rest/payment', payment('b'), {}],
      ['another path', 'POST', '/rest/account', payment('a'), {}],
      ['another query', 'POST', '/rest/payment?include=account', payment('a'), {}],
      ['another method', 'PATCH', '/rest/payment/1', payment('a'), {}],
      ['another preference', 'POST', '/rest/payment', payment('a'), { Prefer: 'return=minimal' }],
      ['another media type', 'POST', '/rest/payment', payment('a'), { 'Content-Type': 'application/json' }],
    ])('%s: rejects a reused key with 422', async (_, method, path, body, headers) => {
      const app = appOf(db)
      await app.pay('a', 'one')
      const { status, body: responseBody } = await app.send(method, path, body, { ...keyed('one'), ...headers })
      expect([status, responseBody.errors[0].code, responseBody.errors[0].source]).toEqual([
        422,
        'idempotency-key-reused',
        { header: 'Idempotency-Key' },
      ])
      expect(await count()).toBe(1)
    })

    it('rejects a key of another RPC request with 422', async () => {
      const app = appOf(db)
      await app.rpcPay('a', 'one')
      const { status, body } = await app.rpcPay('b', 'one')
      expect([status, body.code, body.message]).toEqual([
        422,
        'idempotency-key-reused',
        'This key was sent with a different request. Use a new key for each change.',
      ])
    })

    it('stores nothing for a failed request, so that a retry can succeed', async () => {
      const app = appOf(db)
      await app.pay('taken')
      const rejected = await app.pay('taken', 'one')
      expect([rejected.status, await countKeys()]).toEqual([409, 0])
      await db.orm.payment.deleteMany({})
      expect([(await app.pay('taken', 'one')).status, await count(), await countKeys()]).toEqual([201, 1, 1])
    })

    it.each([
      ['a malformed document', '/rest/payment', { data: 1 }, 400],
      ['an invalid attribute', '/rest/payment', { data: { type: 'payment', attributes: { amount: 'x' } } }, 422],
      ['a missing related resource', '/rest/payment', payment('a', '99'), 404],
      ['an unknown path', '/rest/nothing', payment('a'), 404],
      ['invalid arguments', '/rpc/payment/create', { data: { amount: 'x' } }, 422],
    ])('%s: responds like without a key and stores nothing', async (_, path, body, status) => {
      const app = appOf(db)
      const without = await app.send('POST', path, body)
      const withKey = await app.send('POST', path, body, keyed('one'))
      expect([withKey.status, withKey.text]).toEqual([status, without.text])
      expect([without.status, await count(), await countKeys()]).toEqual([status, 0, 0])
    })

    it.each([
      [
        'REST: an update',
        'PATCH',
        '/rest/account/1',
        { data: { type: 'account', id: '1', attributes: { balance: 7 } } },
        200,
      ],
      ['REST: a delete', 'DELETE', '/rest/account/2', undefined, 204],
      [
        'REST: added members',
        'POST',
        '/rest/payment/1/relationships/labels',
        { data: [{ type: 'label', id: 'rent' }] },
        200,
      ],
      ['REST: replaced members', 'PATCH', '/rest/payment/1/relationships/labels', { data: [] }, 200],
      [
        'RPC: an update',
        'PATCH',
        '/rpc/account/update',
        { where: { id: 1 }, data: { balance: { increment: 5 } } },
        200,
      ],
      ['RPC: an upsert', 'POST', '/rpc/label/upsert', { where: { name: 'x' }, create: { name: 'x' }, update: {} }, 200],
      ['RPC: createMany', 'POST', '/rpc/label/createMany', { data: [{ name: 'x' }, { name: 'y' }] }, 201],
      ['RPC: a delete', 'DELETE', `/rpc/account/delete?q=${encodeURIComponent('{"where":{"id":2}}')}`, undefined, 200],
      [
        'RPC: a transaction',
        'POST',
        '/rpc/$transaction/sequential',
        [
          { model: 'account', op: 'update', args: { where: { id: 1 }, data: { balance: { increment: 5 } } } },
          { model: 'label', op: 'create', args: { data: { name: 'x' } } },
        ],
        200,
      ],
    ])('%s: runs once and replays the response', async (_, method, path, body, status) => {
      const app = appOf(db)
      await app.pay('a')
      const first = await app.send(method, path, body, keyed('one'))
      const again = await app.send(method, path, body, keyed('one'))
      expect([first.status, again.status, again.text]).toEqual([status, status, first.text])
      expect(again.headers.get(REPLAYED)).toBe('true')
      const { balance } = await db.orm.account.findUniqueOrThrow({ where: { id: 1 } })
      expect(balance).toBe(body && 'where' in body && 'id' in (body.where ?? {}) ? 5 : path.includes('$') ? 5 : balance)
    })

    it('runs atomic operations once', async () => {
      const app = appOf(db)
      const headers = {
        'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
        ...keyed('one'),
      }
      const body = {
        'atomic:operations': [
          { op: 'add', ...payment('a') },
          { op: 'add', ...payment('b') },
        ],
      }
      const first = await app.send('POST', '/rest/operations', body, headers)
      const again = await app.send('POST', '/rest/operations', body, headers)
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
      expect([again.headers.get(REPLAYED), await count()]).toEqual(['true', 2])
      const clash = {
        'atomic:operations': [
          { op: 'add', ...payment('c') },
          { op: 'add', ...payment('b') },
        ],
      }
      const failed = await app.send('POST', '/rest/operations', clash, { ...headers, ...keyed('two') })
      expect([failed.status, failed.body.errors[0].source.pointer]).toEqual([
        409,
        '/atomic:operations/1/data/attributes/reference',
      ])
      expect([await count(), await countKeys()]).toEqual([2, 1])
    })

    it.each(['/rest/payment', '/rpc/payment/findMany'])('GET %s: ignores the key', async (path) => {
      const app = appOf(db)
      expect((await app.send('GET', path, undefined, keyed('one'))).status).toBe(200)
      expect(await countKeys()).toBe(0)
    })

    it('ignores the key of an RPC read by POST', async () => {
      const app = appOf(db, { idempotency: { required: true } })
      for (const operation of ['findMany', 'count', 'exists']) {
        expect((await app.send('POST', `/rpc/payment/${operation}`, {})).status).toBe(200)
      }
      await app.send('POST', '/rpc/payment/findMany', {}, keyed('one'))
      expect(await countKeys()).toBe(0)
    })

    describe('Idempotency-Key header', () => {
      it.each([
        'one',
        '"one',
        '""',
        "'one'",
        '"one", "two"',
        '"a\u00fc"',
        '"\\a"',
        `"${'x'.repeat(256)}"`,
        `"${'x'.repeat(2000)}"`,
      ])('%s: rejects with 400', async (key) => {
        const { status, body } = await appOf(db).send('POST', '/rest/payment', payment('a'), { 'Idempotency-Key': key })
        expect([status, body.errors[0].code, body.errors[0].source.header]).toEqual([
          400,
          'bad-request',
          'Idempotency-Key',
        ])
        expect(await count()).toBe(0)
      })

      it('treats two notations of one key as equal', async () => {
        const app = appOf(db)
        await app.pay('a', undefined, { 'Idempotency-Key': '"a\\"b"' })
        const again = await app.pay('a', undefined, { 'Idempotency-Key': '  "a\\"b";v=1  ' })
        expect(again.headers.get(REPLAYED)).toBe('true')
      })

      it('compares keys case-sensitively', async () => {
        const app = appOf(db)
        await app.pay('a', 'one')
        expect((await app.pay('b', 'ONE')).status).toBe(201)
      })

      it('rejects a missing required key with 400, except for a delete', async () => {
        const app = appOf(db, { idempotency: { required: true } })
        const { status, body } = await app.pay('a')
        expect([status, body.errors[0].source.header]).toEqual([400, 'Idempotency-Key'])
        expect((await app.rpcPay('a')).status).toBe(400)
        expect((await app.pay('a', 'one')).status).toBe(201)
        expect((await app.send('DELETE', '/rest/payment/1')).status).toBe(204)
      })

      it('stores neither the key nor the caller in plain text', async () => {
        await appOf(db).pay('a', 'secret-key', { 'X-Caller': 'secret-caller' })
        const [row] = await db.orm.idempotencyKey.findMany()
        expect(row?.id).toMatch(/^[0-9a-f]{64}$/)
        expect(JSON.stringify(row)).not.toContain('secret')
      })
    })

    it('does not replay the response of another caller', async () => {
      const app = appOf(db)
      await app.pay('a', 'one', { 'X-Caller': 'ann' })
      const { status } = await app.pay('b', 'one', { 'X-Caller': 'ben' })
      expect([status, await count()]).toEqual([201, 2])
    })

    it('runs a request with an expired key once', async () => {
      const app = appOf(db, { idempotency: { expiresAfter: 1 } })
      await app.rpcPay('a', 'one')
      await new Promise((resolve) => setTimeout(resolve, 20))
      const { status, headers } = await appOf(db).rpcPay('b', 'one')
      expect([status, headers.get(REPLAYED), await countKeys()]).toEqual([201, null, 1])
      expect((await appOf(db).rpcPay('b', 'one')).headers.get(REPLAYED)).toBe('true')
      expect(await count()).toBe(2)
    })

    it('rejects a retry with 409 if the response was too long to store', async () => {
      const app = appOf(db, { idempotency: { responseBytes: 100 } })
      expect((await app.pay('a', 'one')).status).toBe(201)
      const { status, body, headers } = await app.pay('a', 'one')
      expect([status, body.errors[0].code, headers.get('Retry-After')]).toEqual([
        409,
        'idempotency-response-lost',
        null,
      ])
      expect(await count()).toBe(1)
    })

    it('replays a response without a body', async () => {
      const app = appOf(db)
      const first = await app.send('DELETE', '/rest/account/1', undefined, keyed('one'))
      const again = await app.send('DELETE', '/rest/account/1', undefined, keyed('one'))
      expect([first.status, again.status, again.text]).toEqual([204, 204, ''])
    })
  },
  { fixture: 'payments' },
)
