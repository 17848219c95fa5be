import { HTTPException } from 'hono/http-exception'
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

import type { TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const title = { data: { type: 'post', attributes: { title: 'x' } } }
const MESSAGE = 'SELECT /secret/path 10.0.0.7'
const PRIVATE = /10\.0\.0\.7|SELECT|secret/
const newPost = { data: { slug: 'new', title: 'New' } }

let logged: MockInstance<typeof console.error>
beforeEach(() => void (logged = vi.spyOn(console, 'error').mockReturnValue()))
afterEach(() => logged.mockRestore())

const throwing = (errorOf: (db: Database) => unknown) => ({
  orm(db: Database) {
    const $allOperations = () => Promise.reject(errorOf(db))
    return db.orm.$extends({ query: { $allOperations } })
  },
})

/** An error of Prisma, or of an extension that imitates it. */
const prismaError =
  (code: string, meta: object = {}) =>
  ({ client }: Database) =>
    new client.Prisma.PrismaClientKnownRequestError(MESSAGE, { code, clientVersion: '7', meta: { ...meta } })
const similarError =
  (code: string, meta: object = {}) =>
  () =>
    Object.assign(new Error(MESSAGE), { code, meta })

describeContract('failures of the client', ({ rule, rest, rpc, finally: after }) => {
  for (const [what, create, ...codes] of [
    ['Prisma error', prismaError, 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'],
    ['similar error', similarError, 'P1001', 'P2024', 'ECONNREFUSED'],
  ] as const) {
    const denied = (reason: string) => throwing(create('P2004', { reason }))
    rule('5, 7.1, 7.3', `${what}: responds to a policy denial with 403 and its reason`, denied('RESULT_NOT_READABLE'))
    const meta = { reason: 'RESULT_NOT_READABLE' }
    rest('PATCH /post/1', title, 403, { errors: [{ code: 'forbidden', ormCode: 'P2004', meta }] })
    rest('/post', 403)
    rpc('post.create', newPost, 403, { code: 'P2004', orm: true, rejectedByPolicy: true, ...meta })
    rule('5, 7.3', `${what}: responds to a denied query with 403`, denied('ACCESS_POLICY_VIOLATION'))
    const reason = 'ACCESS_POLICY_VIOLATION'
    rpc('post.findMany', {}, 403, { code: 'P2004', orm: true, rejectedByPolicy: true, reason })
    rule('7.1', `${what}: responds to data that a policy rejects with 422`, denied('DATA_VALIDATION_VIOLATION'))
    rest('PATCH /post/1', title, 422, { errors: [{ code: 'invalid-value', ormCode: 'P2004' }] })

    for (const code of codes) {
      rule('7.1, 7.3', `${what} ${code}: responds with 503 and logs the error`, throwing(create(code)))
      const isHidden = ({ text, errors }: RestResponse) => {
        expect(errors[0]?.code).toBe('database-unavailable')
        expect(text).not.toMatch(PRIVATE)
      }
      rest(['/post', '/post/1?include=comments'], 503, isHidden)
      rest('PATCH /post/1', title, 503, isHidden)
      const isLoggedOnly = ({ body }: RpcResponse) => {
        expect(body.code).toBe(code === 'ECONNREFUSED' ? undefined : code)
        expect(JSON.stringify(body)).not.toMatch(PRIVATE)
        expect(logged).toHaveBeenCalledOnce()
      }
      rpc('post.findMany', {}, 503, isLoggedOnly)
    }
  }

  for (const error of [
    new Error('SELECT secret FROM /etc/passwd'),
    new TypeError('undefined is not a function at /srv/secret.ts'),
    new RangeError('Received integer which cannot be safely represented'),
    Object.assign(new Error('Invalid value for skip argument'), { name: 'AssertionError' }),
  ]) {
    const options = throwing(() => error)
    rule('7.1, 7.3', `${error.name}: responds with 500 and logs the error with its id`, options)
    const isLogged = (id: string | undefined) => {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(logged).toHaveBeenLastCalledWith(`[routewright] error ${id}:`, error)
    }
    const hasId = ({ text, errors }: RestResponse) => {
      expect(errors).toMatchObject([{ code: 'internal-error', title: 'Internal error' }])
      expect(text).not.toMatch(/SELECT|passwd|secret|integer|skip/)
      const [, id] = /Error id: ([\w-]+)/.exec(errors[0]?.detail ?? '') ?? []
      expect(errors[0]?.id).toBe(id)
      isLogged(id)
    }
    rest(['/post', '/post/1/author'], 500, hasId)
    const write = { data: { type: 'tag', id: 'x' } }
    const isLoggedOnce = (response: RestResponse) => {
      hasId(response)
      expect(logged).toHaveBeenCalledOnce()
    }
    for (const request of ['POST /tag', 'PATCH /tag/x']) {
      rule('7.1', `${error.name}: ${request} logs the error once`, options)
      rest(request, write, 500, isLoggedOnce)
    }
    rule('7.1', `${error.name}: a relationship request logs the error once`, options)
    rest('PATCH /post/1/relationships/author', { data: { type: 'user', id: '1' } }, 500, isLoggedOnce)
    rule('7.3', `${error.name}: a call logs the error once`, options)
    const hasOnlyId = ({ body }: RpcResponse) => {
      expect([body.orm, body.code]).toEqual([undefined, undefined])
      isLogged(/Error id: ([\w-]+)\.$/.exec(body.message ?? '')?.[1])
      expect(logged).toHaveBeenCalledOnce()
    }
    rpc('post.findMany', {}, 500, hasOnlyId)
  }

  for (const error of ['boom', undefined, null]) {
    const options = throwing(() => error)
    rule('7.1, 7.3', `${error}: responds with 500 if the client throws it`, options)
    rest('/post', 500, 'internal-error')
    rpc('post.findMany', {}, 500)
  }

  for (const thrown of [401, 403, 418] as const) {
    const status = thrown === 418 ? 500 : thrown
    const error = new HTTPException(thrown, { message: 'Who are you?' })
    const options = throwing(() => error)
    rule('5, 7.1, 7.3', `HTTPException ${thrown}: responds with ${status}`, options)
    rest('/post', status)
    rpc('post.findMany', {}, status)
  }

  rule('7.1', 'responds with 500 if the client lacks an included model', {
    orm: ({ orm: { post, user } }) => ({ post, user }),
  })
  rest('/post?include=author', 200)
  rest('/post?include=comments', 500)
  const isLogged = () =>
    expect(logged.mock.calls.flat().map(String).join()).toContain('The client has no comment.findMany.')
  after(isLogged)
})
