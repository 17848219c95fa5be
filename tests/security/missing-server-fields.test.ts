import { beforeEach, expect, it, type MockInstance, vi } from 'vitest'

import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

// `Secret.value` is required and hidden, so only a client extension can set it.
describeDatabases(
  'security: required field that no caller can write',
  (db) => {
    let log: MockInstance<typeof console.error>
    beforeEach(async () => {
      await db.fill(async () => {
        await db.orm.account.create({
          data: { id: 'a', handle: 'ada', email: 'ada@example.org', password: '12345678' },
        })
      })
      log = vi.spyOn(console, 'error').mockImplementation(() => {})
      return () => log.mockRestore()
    })

    const send = async (style: 'rest' | 'rpc', orm: typeof db.orm) => {
      const rest = style === 'rest'
      const account = { data: { type: 'account', id: 'a' } }
      const body = rest
        ? { data: { type: 'secret', id: 'k', attributes: {}, relationships: { account } } }
        : { data: { key: 'k', account: { connect: { id: 'a' } } } }
      const handler = rest ? db.routes.RestApiHandler({ endpoint: ENDPOINT }) : db.routes.RPCApiHandler()
      const request = new Request(`http://localhost${rest ? '/secret' : '/secret/create'}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      const response = await handler.fetch(request, { getOrm: () => orm })
      return [response.status, await response.text()] as const
    }

    it.each(['rest', 'rpc'] as const)('%s: responds with 500 and logs the field', async (style) => {
      const [status, text] = await send(style, db.orm)
      expect([status, text]).toEqual([500, expect.stringMatching(/Error id: [\w-]{36}/)])
      expect(text).not.toContain('value')
      const [id] = /[\w-]{36}/.exec(text) ?? []
      expect(log.mock.calls).toEqual([[expect.stringContaining(`${id}: Secret.value is required, and no caller`)]])
    })

    it.each(['rest', 'rpc'] as const)('%s: accepts a value that an extension sets', async (style) => {
      const filled = db.orm.$extends({
        query: {
          secret: { create: ({ args, query }) => query({ ...args, data: { ...args.data, value: 'v' } as never }) },
        },
      })
      expect((await send(style, filled as unknown as typeof db.orm))[0]).toBe(201)
    })
  },
  { fixture: 'annotations' },
)
