import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import { honoHandler } from '../../runtime/adapters/hono.js'
import type { ApiHandler } from '../../runtime/handler.js'

/** Answers with the prefix that it was told, and with what stands below it. */
const echo: ApiHandler<object> = {
  async fetch(request, { prefix = '' }) {
    const { pathname } = new URL(request.url)
    return Response.json({ prefix, below: pathname.slice(prefix.length) })
  },
}

describe('the mount point in a Hono app', () => {
  it.each([
    ['/api', undefined, '/api/post/1', '/api'],
    ['/', undefined, '/post/1', ''],
    ['/', '/v1/', '/v1/post/1', '/v1'],
    ['/api', 'v1', '/api/v1/post/1', '/api/v1'],
    ['/:tenant/api', undefined, '/a%20b%2Fc/api/post/1', '/a%20b%2Fc/api'],
  ])('route(%j) with prefix %j', async (route, prefix, path, expected) => {
    const app = new Hono().route(
      route,
      honoHandler({ handler: echo, getOrm: () => ({}), ...(prefix === undefined ? {} : { prefix }) }),
    )
    expect(await (await app.request(path)).json()).toEqual({ prefix: expected, below: '/post/1' })
  })
})
