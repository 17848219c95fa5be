import { describe, expect, it } from 'vitest'

import { ask, ECHO, OTHER, REST, RPC, SECRET, type Subject } from './subject.js'
import { answering } from './answering.js'

/** What goes wrong on the server's side tells the caller nothing, and the one who runs it enough. */
export function describeFailures({ server, logged, answerWith }: Subject): void {
  describe.each([
    ['REST', `${REST}/tag`],
    ['RPC', `${RPC}/tag/findMany`],
  ])('getOrm in %s', (_style, path) => {
    it.each([
      ['throws', 'nobody', SECRET],
      ['rejects', 'late nobody', SECRET],
      ['gives nothing', 'nothing', 'it gave undefined'],
    ])('that %s is a 500 without detail and a line in the log', async (_what, user, why) => {
      const before = logged().length
      const { status, body } = await ask(server(), path, { headers: { 'x-user': user } })
      const text = JSON.stringify(body)
      expect(status).toBe(500)
      expect(text).not.toMatch(/secret|10\.0\.0\.1|getOrm|undefined/)
      const [id = 'no id'] = /[\da-f]{8}-[\da-f-]{27}/.exec(text) ?? []
      expect(logged().slice(before)).toContain(id)
      expect(logged().slice(before)).toContain(why)
    })

    it('may be late', async () => {
      expect((await ask(server(), path, { headers: { 'x-user': 'late' } })).status).toBe(200)
    })
  })

  describe('a handler that breaks its word', () => {
    it('is a 500, and the next request is answered', async () => {
      answerWith(answering(() => Promise.reject(new Error(SECRET))))
      const broken = await server()
        .fetch(`${OTHER}/post`)
        .catch(() => undefined)
      expect(broken?.status ?? 500).toBe(500)
      expect((await server().fetch(`${ECHO}/post`)).status).toBe(200)
    })
  })
}
