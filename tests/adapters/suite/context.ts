import { describe, expect, it } from 'vitest'

import { ask, REST, RPC, SECRET, type Subject } from './subject.js'

/** What the app says of a request. */
export function describeContext({ server, asked, logged }: Subject): void {
  describe.each([
    ['REST', `${REST}/tag`],
    ['RPC', `${RPC}/tag/findMany`],
  ])('the context of a request in %s', (_style, path) => {
    it.each(['ada', 'late'])('is asked for once, and reaches getOrm: %s', async (user) => {
      expect(await ask(server(), path, { headers: { 'x-user': user } })).toMatchObject({ status: 200 })
      expect(asked()).toEqual({ context: [user], getOrm: [{ user }] })
    })

    it('is not asked for where the request is not understood', async () => {
      expect(await ask(server(), `${path}?what=1`)).toMatchObject({ status: 400 })
      expect(asked()).toEqual({ context: [], getOrm: [] })
    })

    it.each([
      ['throws', 'unknown'],
      ['rejects', 'late unknown'],
    ])('that %s is a 500 without detail and a line in the log', async (_what, user) => {
      const before = logged().length
      const { status, body } = await ask(server(), path, { headers: { 'x-user': user } })
      const text = JSON.stringify(body)
      expect(status).toBe(500)
      expect(text).not.toMatch(/secret|10\.0\.0\.1|context/)
      const [id = 'no id'] = /[\da-f]{8}-[\da-f-]{27}/.exec(text) ?? []
      for (const part of [id, SECRET, 'context failed']) expect(logged().slice(before)).toContain(part)
      expect(asked().getOrm).toEqual([])
    })
  })
}
