import { describe, expect, it } from 'vitest'

import { fetchJson, ECHO, OTHER, REST, RPC, SECRET, type Subject } from './subject.js'
import { answering } from './answering.js'

/** Tests that server errors are logged in detail, and that callers see no details. */
export function describeFailures({ server, logged, respondWith }: Subject): void {
  describe.each([
    ['REST', `${REST}/tag`],
    ['RPC', `${RPC}/tag/findMany`],
  ])('%s: getOrm', (_style, path) => {
    it.each([
      ['throws', 'nobody', SECRET],
      ['rejects', 'late nobody', SECRET],
      ['returns undefined', 'nothing', 'but returned undefined'],
    ])('%s: responds with 500 without details and logs the cause', async (_what, user, why) => {
      const before = logged().length
      const { status, body } = await fetchJson(server(), path, { headers: { 'x-user': user } })
      const text = JSON.stringify(body)
      expect(status).toBe(500)
      expect(text).not.toMatch(/secret|10\.0\.0\.1|getOrm|undefined/)
      const [id = 'no id'] = /[\da-f]{8}-[\da-f-]{27}/.exec(text) ?? []
      expect(logged().slice(before)).toContain(id)
      expect(logged().slice(before)).toContain(why)
    })

    it('accepts a promise', async () => {
      expect((await fetchJson(server(), path, { headers: { 'x-user': 'late' } })).status).toBe(200)
    })
  })

  describe('handler that rejects', () => {
    it('responds with 500 and serves the next request', async () => {
      respondWith(answering(() => Promise.reject(new Error(SECRET))))
      const broken = await server()
        .fetch(`${OTHER}/post`)
        .catch(() => undefined)
      expect(broken?.status ?? 500).toBe(500)
      expect((await server().fetch(`${ECHO}/post`)).status).toBe(200)
    })
  })
}
