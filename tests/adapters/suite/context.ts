import { describe, expect, it } from 'vitest'

import { fetchJson, REST, RPC, SECRET, type Subject } from './subject.js'

/** Tests the app's context of a request. */
export function describeContext({ server, accessorCalls, logged }: Subject): void {
  describe.each([
    ['REST', `${REST}/tag`],
    ['RPC', `${RPC}/tag/findMany`],
  ])('%s: context option', (_style, path) => {
    it.each(['ada', 'late'])('user "%s": calls context once and passes its value to getOrm', async (user) => {
      expect(await fetchJson(server(), path, { headers: { 'x-user': user } })).toMatchObject({ status: 200 })
      expect(accessorCalls()).toEqual({ context: [user], getOrm: [{ user }] })
    })

    it('is not called for an invalid request', async () => {
      expect(await fetchJson(server(), `${path}?what=1`)).toMatchObject({ status: 400 })
      expect(accessorCalls()).toEqual({ context: [], getOrm: [] })
    })

    it.each([
      ['throws', 'unknown'],
      ['rejects', 'late unknown'],
    ])('%s: responds with 500 without details and logs the cause', async (_what, user) => {
      const before = logged().length
      const { status, body } = await fetchJson(server(), path, { headers: { 'x-user': user } })
      const text = JSON.stringify(body)
      expect(status).toBe(500)
      expect(text).not.toMatch(/secret|10\.0\.0\.1|context/)
      const [id = 'no id'] = /[\da-f]{8}-[\da-f-]{27}/.exec(text) ?? []
      for (const part of [id, SECRET, 'context failed']) expect(logged().slice(before)).toContain(part)
      expect(accessorCalls().getOrm).toEqual([])
    })
  })
}
