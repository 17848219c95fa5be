import { connect } from 'node:net'

import { describe, expect, it } from 'vitest'

import { ECHO, OTHER, type Subject } from './subject.js'
import { answering } from './answering.js'

/** Sends raw bytes over a connection, and reads until it ends. */
export function raw(port: number | undefined, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port ?? 0, 'localhost')
    let response = ''
    socket.on('data', (chunk) => (response += chunk))
    socket.on('close', () => resolve(response)).on('error', reject)
    for (const part of parts) socket.write(part)
  })
}

/** Tests client disconnects and aborted bodies, in frameworks with their own server. */
export function describeConnections({ server, respondWith, traits }: Subject): void {
  const at = (path: string) => `${server().base ?? ''}${path}`
  const skip = () => server().port === undefined

  describe('connection handling', () => {
    it('keeps the connection usable after a large unread body', async ({ skip: skipTest }) => {
      skipTest(skip() || traits.parsed === true)
      respondWith(answering(async () => Response.json({ read: 0 }, { status: 413 })))
      const post = `POST ${at(OTHER)}/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n`
      const get = `GET ${at(ECHO)}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const responses = await raw(server().port, [post, 'x'.repeat(500_000), get])
      expect(responses.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    })

    it('handles the next request after a client disconnects during its body', async ({ skip: skipTest }) => {
      skipTest(skip())
      let requestCount = 0
      let failed: (error: unknown) => void = () => {}
      const failure = new Promise((resolve) => (failed = resolve))
      respondWith({
        drain: async () => undefined,
        async fetch(request) {
          requestCount++
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
      // A parser reads the body first and does not call the handler in this case.
      if (!traits.parsed && !traits.buffered) expect(await failure).toBeInstanceOf(Error)
      const before = requestCount
      const init = { method: 'POST', body: '{"whole":1}', headers: { 'content-type': 'application/json' } }
      expect(await (await server().fetch(`${OTHER}/post`, init)).text()).toBe('{"whole":1}')
      expect(requestCount).toBe(before + 1)
    })

    it('cancels the response stream if the client disconnects', async ({ skip: skipTest }) => {
      skipTest(skip() || traits.sendsToTheEnd === true)
      let cancelled = false
      let onCancel: () => void = () => {}
      const cancellation = new Promise<void>((resolve) => (onCancel = resolve))
      respondWith({
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
      '%s: aborts the request signal if the client disconnects',
      async (method, { skip: skipTest }) => {
        skipTest(skip())
        let onReceived = () => {}
        const received = new Promise<void>((resolve) => (onReceived = resolve))
        let onAborted = () => {}
        const aborted = new Promise<void>((resolve) => (onAborted = resolve))
        respondWith(
          answering(async (request) => {
            await request.text()
            request.signal.addEventListener('abort', onAborted)
            onReceived()
            await aborted
            return new Response('for nobody')
          }),
        )
        const abort = new AbortController()
        const body = method === 'POST' ? { headers: { 'Content-Type': 'application/json' }, body: '{}' } : {}
        const sent = server().fetch(`${OTHER}/post`, { method, signal: abort.signal, ...body })
        sent.catch(() => undefined)
        await received
        abort.abort()
        await aborted
      },
    )

    it('accepts a chunked body', async ({ skip: skipTest }) => {
      skipTest(skip())
      const { port } = server()
      const head = `POST ${at(ECHO)}/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
      const response = await raw(port, [head, '5\r\n{"a":\r\n', '2\r\n1}\r\n', '0\r\n\r\n'])
      expect(response).toMatch(/^HTTP\/1.1 201/)
      expect(response).toContain('"body":"{\\"a\\":1}"')
    })
  })
}
