import { beforeEach, describe, expect, it } from 'vitest'

import type { RestApiOptions, RpcApiOptions } from '../../fixtures/blog/expected/index.js'
import { fillBlog } from '../rest/support/blog.js'
import { MEDIA_TYPE, restClient, type TestResponse as RestResponse } from '../rest/support/client.js'
import { rpcClient, type TestResponse as RpcResponse } from '../rpc/client.js'
import { type Database, type DatabaseOptions, describeDatabases } from '../support/databases.js'

/**
 * What a response must contain:
 * - of an error, a string: in REST the code and the pointer, parameter or header of the first error (`'invalid-value /data/id'`), in RPC
 *   the code (`'P2002'`). An array of strings: all errors, in their order.
 * - of an error, a RegExp: matches the detail of the first error (REST) or the message (RPC)
 * - of a success, an array: the ids of the list (REST) or the data (RPC); a number, null or boolean: the data (RPC)
 * - an object: is a part of the body (REST) or of the data of a success (RPC), or of the body of an error
 * - a function: receives the response and asserts
 */
export type Expected<Response> =
  | string
  | RegExp
  | number
  | boolean
  | null
  | readonly unknown[]
  | object
  | ((response: Response, db: Database) => unknown)

/** A request that needs more than a method, a path and a JSON body. */
export interface RawRequest {
  /** As in {@link Exchange}. In RPC, a method and a path (`POST /post/findMany`), because it is sent unchanged. */
  readonly send: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it is sent. Has the style's content type unless `headers` contains another one. */
  readonly raw?: BodyInit
}

/**
 * A request, its body (REST) or arguments (RPC), and the status and content of its response. REST requests have the form
 * `PATCH /post/1`, and `GET` may be omitted. RPC requests have the form `post.update`, or `GET post.update` for another method than usual.
 */
export type Exchange<Response> = readonly [
  request: string | RawRequest,
  body: unknown,
  status: number,
  expected?: Expected<Response>,
]

/** A rule of the contract, with the requests that show it in one style or both. */
export interface Rule {
  /** The section of the contract, for example `7.1`, or of JSON:API. */
  readonly section: string
  /** Completes the name of the test, for example `rejects an unknown field`. */
  readonly rule: string
  /** Options of the handlers of both styles. */
  readonly options?: Partial<RestApiOptions> & RpcApiOptions
  /** Replaces the Prisma client. */
  readonly orm?: (db: Database) => unknown
  /** Omits the rule on other databases. */
  readonly on?: (db: Database) => boolean
  readonly rest?: readonly Exchange<RestResponse>[]
  readonly rpc?: readonly Exchange<RpcResponse>[]
  /** Asserts what the database contains after the requests of each style. */
  readonly then?: (db: Database) => unknown
}

/**
 * Runs each rule in both styles, on every database, with one test per style and rule. Each test starts with the rows of `fillBlog`.
 * If no request of a test succeeds, the rows must be unchanged afterwards.
 *
 *     describeContract('unique values', [
 *       {
 *         section: '7.1, 7.3',
 *         rule: 'rejects a duplicate with 409',
 *         rest: [['POST /tag', tag('news'), 409, 'unique-violation /data/id']],
 *         rpc: [['tag.create', { data: { name: 'news' } }, 409, 'P2002']],
 *       },
 *     ])
 */
export function describeContract(name: string, rules: readonly Rule[], options: DatabaseOptions = {}): void {
  describeDatabases(
    `contract: ${name}`,
    (db) => {
      beforeEach(() => db.fill(fillBlog).then(() => undefined))
      describe.each(['REST', 'RPC'] as const)('%s', (style) => {
        for (const rule of rules) {
          const exchanges = style === 'REST' ? rule.rest : rule.rpc
          if (!exchanges || rule.on?.(db) === false) continue
          it(`${rule.section}: ${rule.rule}`, async () => {
            const orm = rule.orm?.(db) ?? db.orm
            const isRejected = exchanges.every(([, , status]) => status >= 400)
            const before = isRejected ? await rowsOf(db) : ''
            const send = style === 'REST' ? sendRest(db, rule, orm) : sendRpc(db, rule, orm)
            for (const exchange of exchanges) await send(exchange as never)
            if (isRejected) expect(await rowsOf(db)).toBe(before)
            await rule.then?.(db)
          })
        }
      })
    },
    options,
  )
}

type Send<Response> = (exchange: Exchange<Response>) => Promise<void>

function sendRest(db: Database, { options }: Rule, orm: unknown): Send<RestResponse> {
  const rest = restClient(db, options, orm)
  return async ([request, body, status, expected]) => {
    const { send, headers = {}, raw }: RawRequest = typeof request === 'string' ? { send: request } : request
    const [path = '', verb = 'GET'] = send.split(' ').toReversed()
    const method = verb.toLowerCase()
    const response = await (raw === undefined && isWrite(method)
      ? rest[method](path, body, headers)
      : rest.fetch(path, {
          method: verb,
          headers: { ...(raw !== undefined && { 'Content-Type': MEDIA_TYPE }), ...headers },
          ...(raw !== undefined && { body: raw }),
        }))
    expect(response.status, `${send}\n${response.text}`).toBe(status)
    if (expected === undefined) return
    if (typeof expected === 'function') return void (await expected(response, db))
    const errors = response.errors.map(({ code, source }) =>
      [code, source?.pointer ?? source?.parameter ?? source?.header].filter((part) => part !== undefined).join(' '),
    )
    if (expected instanceof RegExp) expect(response.errors[0]?.detail).toMatch(expected)
    else if (typeof expected === 'string') expect(errors[0], response.text).toBe(expected)
    else if (Array.isArray(expected)) expect(status < 400 ? response.ids : errors).toEqual(expected)
    else expect(response.body).toMatchObject(Object(expected))
  }
}

function sendRpc(db: Database, { options }: Rule, orm: unknown): Send<RpcResponse> {
  const rpc = rpcClient(db, options, orm)
  return async ([request, args, status, expected]) => {
    const { send, headers = {}, raw }: RawRequest = typeof request === 'string' ? { send: request } : request
    const [path = '', method] = send.split(' ').toReversed()
    const [model = '', operation = ''] = path.split('.')
    const unchanged = {
      method: method ?? 'GET',
      headers: { ...(raw !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(raw !== undefined && { body: raw }),
    }
    const response = await (path.startsWith('/')
      ? rpc.fetch(path, unchanged)
      : rpc.call(model, operation, args, method))
    const { body } = response
    expect(response.status, `${send}\n${JSON.stringify(body)}`).toBe(status)
    if (expected === undefined) return
    if (typeof expected === 'function') return void (await expected(response, db))
    if (expected instanceof RegExp) expect(body.message).toMatch(expected)
    else if (status >= 400 && typeof expected === 'string') expect(body.code, body.message).toBe(expected)
    else if (status >= 400) expect(body).toMatchObject(Object(expected))
    else if (typeof expected === 'object' && expected !== null && !Array.isArray(expected))
      expect(body.data).toMatchObject(expected)
    else expect(body.data).toEqual(expected)
  }
}

function isWrite(method: string): method is 'post' | 'patch' | 'put' | 'delete' {
  return ['post', 'patch', 'put', 'delete'].includes(method)
}

/** Returns all rows of the blog as text. */
async function rowsOf({ orm }: Database): Promise<string> {
  const rows = await Promise.all([
    orm.user.findMany({ orderBy: { id: 'asc' } }),
    orm.profile.findMany({ orderBy: { id: 'asc' } }),
    orm.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { name: 'asc' } } } }),
    orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] }),
    orm.category.findMany({ orderBy: { id: 'asc' } }),
    orm.tag.findMany({ orderBy: { name: 'asc' } }),
  ])
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}
