import { describe, expect, it } from 'vitest'

import { BYTES, type Echo, HEADERS } from './echo.js'
import { fetchOkJson, ECHO, OTHER, sending, type Subject } from './subject.js'
import { answering } from './answering.js'

/** Tests that requests and responses pass through unchanged. */
export function describeTransport({ server, respondWith, traits }: Subject): void {
  const fetchEcho = (path: string, init?: RequestInit): Promise<Echo> => fetchOkJson<Echo>(server(), ECHO + path, init)

  describe('request transport', () => {
    it.each([
      '/post/1',
      '/post',
      '/post/a%2Fb%20c%C3%A9%25/author?filter[a]=%26b&q=%7B%22x%22%3A1%7D',
      '/post/a%252Fb?q=%2525',
      '/post/1_2%5F3',
      '/post?a=1&b=2&a=2&a=',
    ])('%s: passes the path and query unchanged', async (path) => {
      const echoed = await fetchEcho(path)
      expect(echoed).toMatchObject({ method: 'GET', body: '', user: 'none' })
      if (traits.rewritesQuery) expect(querySorted(echoed.path)).toEqual(querySorted(path))
      else expect(echoed.path).toBe(path)
    })

    it("passes the framework's request to getOrm", async () => {
      expect(await fetchEcho('/post', { headers: { 'x-user': 'ada' } })).toMatchObject({ user: 'ada' })
      expect(await fetchEcho('/post', { headers: { 'x-user': 'late' } })).toMatchObject({ user: 'late' })
    })

    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s: passes a JSON body', async (method) => {
      const value = { data: { type: 'post', attributes: { title: 'ü "quoted" \u2028', n: 1.5, none: null, list: [] } } }
      for (const type of ['application/json', 'application/vnd.api+json', 'application/json; charset=utf-8']) {
        const echoed = await fetchEcho('/post/1?x=1', sending(method, value, type))
        expect(echoed).toMatchObject({ method, path: '/post/1?x=1', type })
        expect(JSON.parse(echoed.body)).toEqual(value)
      }
    })

    it('passes an empty object and an empty body', async () => {
      expect(await fetchEcho('/post', sending('POST', {}))).toMatchObject({ body: '{}' })
      expect(await fetchEcho('/post/1', { method: 'DELETE' })).toMatchObject({ method: 'DELETE', body: '' })
    })

    it('passes a body of 900 kB', async () => {
      const init = sending('POST', { text: 'x'.repeat(900_000) })
      expect((await fetchEcho('/post', init)).body).toBe(init.body)
    })

    it('supports parameters in the mount path', async () => {
      for (const tenant of ['a', 'b%20c%2Fd']) {
        const echoed = await fetchOkJson<Echo>(server(), `/t/${tenant}/api/post/1?x=1`)
        expect(echoed).toMatchObject({ path: '/post/1?x=1', prefix: expect.stringMatching(`/t/${tenant}/api$`) })
      }
    })

    it.each(['/v1/echoes/post', '/v1', '/post', '/v2/echopost', '/t/a/b/api/post'])(
      '%s: responds with 404 outside the mount paths',
      async (path) => {
        expect((await server().fetch(path)).status).toBe(404)
      },
    )
  })

  describe('response transport', () => {
    it('omits the body for HEAD', async () => {
      const response = await server().fetch(`${ECHO}/post`, { method: 'HEAD' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      respondWith(answering(async () => new Response('a body')))
      if (server().port === undefined) return
      const other = await server().fetch(`${OTHER}/post`, { method: 'HEAD' })
      expect([other.status, await other.text()]).toEqual([200, ''])
    })

    it("sends the handler's headers unchanged", async () => {
      const response = await server().fetch(`${ECHO}/headers`)
      expect([response.status, await response.text()]).toEqual([201, '{ }'])
      expect(Object.fromEntries(response.headers)).toMatchObject(HEADERS)
    })

    it('sends every Set-Cookie header', async () => {
      const { headers } = await server().fetch(`${ECHO}/cookies`)
      expect(headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT'])
      expect(headers.get('vary')).toMatch(/\baccept\b/)
    })

    it('sends a 204 without a body', async () => {
      const empty = await server().fetch(`${ECHO}/empty`)
      expect([empty.status, await empty.text()]).toEqual([204, ''])
    })

    it('sends the bytes of plain and streamed bodies', async () => {
      const bytes = new Uint8Array(await (await server().fetch(`${ECHO}/bytes`)).arrayBuffer())
      expect(Buffer.compare(bytes, BYTES)).toBe(0)
      expect(await (await server().fetch(`${ECHO}/stream`)).text()).toBe('one two three')
    })

    it('starts to send a stream before it is complete', async () => {
      let goOn: () => void = () => {}
      const resumed = new Promise<void>((resolve) => (goOn = resolve))
      respondWith({
        drain: async () => undefined,
        async fetch() {
          const parts = ['first', 'last'].map((text) => new TextEncoder().encode(text))
          const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
            const part = parts.shift()
            if (parts.length === 0) await resumed
            if (part) controller.enqueue(part)
            else controller.close()
          }
          // Compression would wait for more data.
          const headers = { 'content-type': 'application/octet-stream' }
          return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers })
        },
      })
      const reader = (await server().fetch(`${OTHER}/post`)).body?.getReader()
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
      goOn()
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('last')
      expect((await reader?.read())?.done).toBe(true)
    })
  })
}

/** Splits a URL into its path and its query, sorted by parameter name. */
function querySorted(path: string): readonly [path: string | undefined, query: string] {
  const [before, after = ''] = path.split('?')
  const query = new URLSearchParams(after)
  query.sort()
  return [before, query.toString()]
}
