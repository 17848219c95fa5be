import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { echo, type Echo } from './echo.js'
import { MOUNT, type Running, SERVERS } from './servers.js'

const getOrm = (user: string | null | undefined): string => {
  if (user === 'nobody') throw new Error('the database is not there')
  return user ?? 'anonymous'
}

describe.each(Object.entries(SERVERS))('%s', (_name, start) => {
  let server: Running
  beforeAll(async () => {
    server = await start({ handler: echo, getOrm })
  })
  afterAll(() => server.close())

  const ask = async (path: string, init?: RequestInit): Promise<Echo> => {
    const response = await server.fetch(`${MOUNT}${path}`, init)
    expect(response.status).toBeLessThan(300)
    return response.json() as Promise<Echo>
  }

  it('passes on the path and the query as they were sent', async () => {
    for (const path of [
      '/post/1',
      '/post',
      '/post/a%2Fb%20c%C3%A9%25/author?filter[a]=%26b&q=%7B%22x%22%3A1%7D&a=1&a=2',
    ]) {
      expect(await ask(path)).toMatchObject({ method: 'GET', path, body: '', user: 'anonymous' })
    }
  })

  it('gives getOrm what the framework gives its handlers', async () => {
    expect(await ask('/post', { headers: { 'x-user': 'ada' } })).toMatchObject({ user: 'ada' })
  })

  it('leaves a failure of getOrm to the handler', async () => {
    const response = await server.fetch(`${MOUNT}/post`, { headers: { 'x-user': 'nobody' } })
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ error: 'Error: the database is not there' })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('passes on a JSON body with %s', async (method) => {
    for (const type of ['application/json', 'application/vnd.api+json', 'application/json; charset=utf-8']) {
      const value = { data: { type: 'post', attributes: { title: 'ü "quoted" \u2028', n: 1.5, none: null, list: [] } } }
      const answer = await ask('/post/1?x=1', {
        method,
        body: JSON.stringify(value),
        headers: { 'content-type': type },
      })
      expect(answer).toMatchObject({ method, path: '/post/1?x=1', type })
      expect(JSON.parse(answer.body)).toEqual(value)
    }
  })

  it('passes on an empty object and no body at all', async () => {
    const headers = { 'content-type': 'application/json' }
    expect(await ask('/post', { method: 'POST', body: '{}', headers })).toMatchObject({ body: '{}' })
    expect(await ask('/post/1', { method: 'DELETE' })).toMatchObject({ method: 'DELETE', body: '' })
  })

  it('passes on a body of some size', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(900_000) })
    const headers = { 'content-type': 'application/json' }
    expect((await ask('/post', { method: 'POST', body, headers })).body).toBe(body)
  })

  it('answers HEAD without a body', async () => {
    const response = await server.fetch(`${MOUNT}/post`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.text()).toBe('')
  })

  it('sends every cookie, and an empty answer', async () => {
    const cookies = await server.fetch(`${MOUNT}/cookies`)
    expect(cookies.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT'])
    const empty = await server.fetch(`${MOUNT}/empty`)
    expect([empty.status, await empty.text()]).toEqual([204, ''])
  })

  it('sends an answer that comes in pieces', async () => {
    expect(await (await server.fetch(`${MOUNT}/stream`)).text()).toBe('one two three')
  })

  it.each(['/v1/apis/post', '/v1', '/post', '/v2/apipost', '/'])('is not there at %s', async (path) => {
    expect((await server.fetch(path)).status).toBe(404)
  })
})
