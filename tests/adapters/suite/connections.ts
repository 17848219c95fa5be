import { connect } from 'node:net'

import { describe, expect, it } from 'vitest'

import { ECHO, OTHER, type Subject } from './subject.js'
import { answering } from './answering.js'

/** Writes to a connection as it is, and reads all that comes until it ends. */
export function raw(port: number | undefined, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port ?? 0, 'localhost')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(answer)).on('error', reject)
    for (const part of parts) socket.write(part)
  })
}

/** Clients that go away, and bodies that break off, in frameworks that listen themselves. */
export function describeConnections({ server, answerWith, facts }: Subject): void {
  const at = (path: string) => `${server().base ?? ''}${path}`
  const skip = () => server().port === undefined

  describe('connections', () => {
    it('survive a large body that the handler does not read', async ({ skip: skipTest }) => {
      skipTest(skip() || facts.parsed === true)
      answerWith(answering(async () => Response.json({ read: 0 }, { status: 413 })))
      const post = `POST ${at(OTHER)}/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n`
      const get = `GET ${at(ECHO)}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const answers = await raw(server().port, [post, 'x'.repeat(500_000), get])
      expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    })

    it('that end before the body does harm nothing', async ({ skip: skipTest }) => {
      skipTest(skip())
      let asked = 0
      let failed: (error: unknown) => void = () => {}
      const failure = new Promise((resolve) => (failed = resolve))
      answerWith({
        drain: async () => undefined,
        async fetch(request) {
          asked++
          const text = await request.text().catch(failed)
          return new Response(text ?? null)
        },
      })
      const { port } = server()
      const head = `POST ${at(OTHER)}/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`
      await new Promise<void>((resolve) => {
        const socket = connect(port ?? 0, 'localhost', () => {
          socket.write(`${head}{"half":`, () => setTimeout(() => socket.destroy(), 50))
        })
        socket.on('close', () => resolve())
      })
      // A parser reads the body first, and does not ask the handler then.
      if (!facts.parsed && !facts.buffered) expect(await failure).toBeInstanceOf(Error)
      const before = asked
      const init = { method: 'POST', body: '{"whole":1}', headers: { 'content-type': 'application/json' } }
      expect(await (await server().fetch(`${OTHER}/post`, init)).text()).toBe('{"whole":1}')
      expect(asked).toBe(before + 1)
    })

    it('that end before the answer does stop it', async ({ skip: skipTest }) => {
      skipTest(skip() || facts.sendsToTheEnd === true)
      let cancelled = false
      let onCancel: () => void = () => {}
      const cancellation = new Promise<void>((resolve) => (onCancel = resolve))
      answerWith({
        drain: async () => undefined,
        async fetch() {
          const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
            new Promise<void>((resolve) => {
              setImmediate(() => {
                if (!cancelled) controller.enqueue(new Uint8Array(100_000))
                resolve()
              })
            })
          const cancel = () => {
            cancelled = true
            onCancel()
          }
          return new Response(new ReadableStream({ pull, cancel }))
        },
      })
      const abort = new AbortController()
      const response = await server().fetch(`${OTHER}/post`, { signal: abort.signal })
      await response.body?.getReader().read()
      abort.abort()
      await cancellation
    })

    it.for(['GET', 'POST'])(
      'that end before it abort the signal of the request: %s',
      async (method, { skip: skipTest }) => {
        skipTest(skip())
        let onAsked = () => {}
        const asked = new Promise<void>((resolve) => (onAsked = resolve))
        let onAborted = () => {}
        const aborted = new Promise<void>((resolve) => (onAborted = resolve))
        answerWith(
          answering(async (request) => {
            await request.text()
            request.signal.addEventListener('abort', onAborted)
            onAsked()
            await aborted
            return new Response('for nobody')
          }),
        )
        const abort = new AbortController()
        const body = method === 'POST' ? { headers: { 'Content-Type': 'application/json' }, body: '{}' } : {}
        const sent = server().fetch(`${OTHER}/post`, { method, signal: abort.signal, ...body })
        sent.catch(() => undefined)
        await asked
        abort.abort()
        await aborted
      },
    )

    it('may have a body of unknown length', async ({ skip: skipTest }) => {
      skipTest(skip())
      const { port } = server()
      const head = `POST ${at(ECHO)}/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
      const answer = await raw(port, [head, '5\r\n{"a":\r\n', '2\r\n1}\r\n', '0\r\n\r\n'])
      expect(answer).toMatch(/^HTTP\/1.1 201/)
      expect(answer).toContain('"body":"{\\"a\\":1}"')
    })
  })
}
