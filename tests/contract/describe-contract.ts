import { inspect } from 'node:util'

import { beforeEach, expect, it } from 'vitest'

import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { fillBlog } from '../rest/support/blog.js'
import { fixtureClient, MEDIA_TYPE, restClient, type TestResponse as RestResponse } from '../rest/support/client.js'
import { fixtureRpc, rpcClient, type TestResponse as RpcResponse } from '../rpc/client.js'
import { type Database, type DatabaseOptions, describeDatabases } from '../support/databases.js'
import type { FixtureName } from '../support/fixtures.js'
import { checkRpcError } from './check-rpc-error.js'

/**
 * The expected content of a response:
 * - of an error, a string: in REST the code and the pointer, parameter or header of the first error (`'invalid-value /data/id'`), in RPC
 *   the code (`'P2002'`). An array of strings: all errors, in their order.
 * - of an error, a RegExp: matches the detail of the first error (REST) or the message (RPC)
 * - of a success, an array: the ids of the list (REST) or the data (RPC); a number, string, boolean or null: the data (RPC)
 * - an object: is a part of the body (REST), or of the data of a success or the body of an error (RPC)
 * - a function: receives the response and asserts
 */
export type Expected<Response> =
  string | RegExp | number | boolean | null | readonly unknown[] | object | ((response: Response) => unknown)

/** A request that needs more than a method, a path and a JSON body. */
export interface RawRequest {
  /** In REST, as in {@link Send}. In RPC, a method and a path (`POST /post/findMany`). */
  readonly send: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it is sent, with the style's `Content-Type` unless `headers` contains another one or ''. A function creates a stream. */
  readonly raw?: BodyInit | (() => ReadableStream)
}

type Requests = string | RawRequest | readonly (string | RawRequest)[]

/**
 * Adds a request to the last rule, or several requests with the same expectation.
 * @param request in REST a method and a path, such as `PATCH /post/1`; `GET` may be omitted. In RPC a model and an operation, such as
 * `post.update`, with a method before it if it is not the usual one
 * @param body the body (REST) or the arguments (RPC)
 * @param status the status of the response
 * @param expected its content
 */
export interface Send<Response> {
  (request: Requests, body: object | string | null, status: number, expected?: Expected<Response>): void
  /** A request without a body or arguments. */
  (request: Requests, status: number, expected?: Expected<Response>): void
}

/** The conditions of a rule. */
export interface RuleOptions<F extends FixtureName> {
  /** Options of the handlers of both styles. */
  readonly options?: object
  /** Replaces the Prisma client. */
  readonly orm?: (db: Database<F>) => unknown
  /** Changes the rows before the requests of each style. */
  readonly prepare?: (db: Database<F>) => unknown
  /** Omits the rule on other databases. */
  readonly on?: (db: Pick<Database, 'name' | 'provider'>) => boolean
  /** The number of SQL queries of each request, a pattern that each query matches, or the patterns of the queries in their order. */
  readonly queries?: number | RegExp | readonly RegExp[]
  /** Replaces the emitted routes. */
  readonly routes?: (db: Pick<Database, 'provider'>) => Routes
}

/** The factories of the handlers of both styles. */
export interface Routes {
  RestApiHandler(options: never): ApiHandler<never>
  RPCApiHandler(options?: never): ApiHandler<never>
}

/** The databases and the rows of a table. Default: the blog with the rows of `fillBlog`. */
export interface TableOptions<F extends FixtureName> extends DatabaseOptions<F> {
  readonly fill?: (db: Pick<Database<F>, 'orm'>) => Promise<unknown>
  /** Options of the handlers for all rules. */
  readonly handlers?: object
  /** Replaces the emitted routes for all rules. */
  readonly routes?: RuleOptions<F>['routes']
}

/** Adds rows to a table. */
export interface Table<F extends FixtureName = 'blog'> {
  /**
   * Starts a rule.
   * @param section the section of the contract, for example `7.1`, or of JSON:API
   * @param text completes the name of the test, for example `rejects an unknown field`
   */
  rule(section: string, text: string, options?: RuleOptions<F>): void
  readonly rest: Send<RestResponse>
  readonly rpc: Send<RpcResponse>
  /** Asserts what the database contains after the requests of the last rule, in each style. */
  finally(check: (db: Database<F>) => unknown): void
}

interface Exchange<Response> {
  readonly request: RawRequest
  readonly body: unknown
  readonly status: number
  readonly expected: Expected<Response> | undefined
}

/** The client and routes of a rule, if it replaces the emitted ones. */
interface Served {
  readonly orm: unknown
  readonly routes: Routes | undefined
}

interface Rule<F extends FixtureName> extends RuleOptions<F> {
  readonly name: string
  readonly rest: Exchange<RestResponse>[]
  readonly rpc: Exchange<RpcResponse>[]
  readonly checks: ((db: Database<F>) => unknown)[]
}

/** How requests appear in messages. */
const READABLE = { depth: 6, breakLength: Infinity }

/**
 * Runs each rule of a table in both styles, on every database: one test per style and rule. Each test starts with the same rows. If no
 * request of a test succeeds, the rows must be unchanged afterwards.
 *
 *     describeContract('unique values', ({ rule, rest, rpc }) => {
 *       rule('7.1, 7.3', 'rejects a duplicate with 409')
 *       rest('POST /tag', tag('news'), 409, 'unique-violation /data/attributes/name')
 *       rpc('tag.create', { data: { name: 'news' } }, 409, 'P2002')
 *     })
 */
export function describeContract<F extends FixtureName = 'blog'>(
  name: string,
  write: (table: Table<F>) => void,
  { fill, handlers, routes, ...options }: TableOptions<F> = {},
): void {
  const rules = rulesOf(write)
  describeDatabases<F>(
    `contract: ${name}`,
    (db) => {
      // Without a fixture, the database has the blog's client.
      beforeEach(async () => void (await db.fill(fill ?? (fillBlog as never))))
      const here = rules.filter(({ on }) => on?.(db) !== false)
      const optionsOf = (rule: Rule<F>) => ({ ...handlers, ...rule.options })
      const servedOf = (rule: Rule<F>): Served => ({
        orm: rule.orm?.(db) ?? db.orm,
        routes: (rule.routes ?? routes)?.(db),
      })
      testsOf('REST').each(here.filter(({ rest }) => rest.length > 0).map((rule) => [rule.name, rule] as const))(
        '%s [REST]',
        (_name, rule) => run(db, rule, rule.rest, restSender(db, optionsOf(rule), servedOf(rule))),
      )
      testsOf('RPC').each(here.filter(({ rpc }) => rpc.length > 0).map((rule) => [rule.name, rule] as const))(
        '%s [RPC]',
        (_name, rule) => run(db, rule, rule.rpc, rpcSender(db, optionsOf(rule), servedOf(rule))),
      )
    },
    options,
  )
}

/** The style to test. Set by `npm run test:changed` if only code of one style has changed. Default: both. */
const { TEST_STYLE } = process.env

function testsOf(style: 'REST' | 'RPC') {
  return TEST_STYLE === undefined || TEST_STYLE === style ? it : it.skip
}

function rulesOf<F extends FixtureName>(write: (table: Table<F>) => void): Rule<F>[] {
  const rules: Rule<F>[] = []
  const last = (): Rule<F> => {
    const rule = rules.at(-1)
    if (!rule) throw new Error('A table starts with a rule.')
    return rule
  }
  const toExchanges = <Response>(requests: Requests, ...more: readonly unknown[]): Exchange<Response>[] => {
    const [body, status, expected] = typeof more[0] === 'number' ? [undefined, ...more] : more
    return [requests].flat().map((request) => ({
      request: typeof request === 'string' ? { send: request } : request,
      body,
      status: Number(status),
      expected: expected as Expected<Response> | undefined,
    }))
  }
  write({
    rule: (section, text, options) =>
      void rules.push({ ...options, name: `${section}: ${text}`, rest: [], rpc: [], checks: [] }),
    rest: (...exchange: Parameters<typeof toExchanges>) => void last().rest.push(...toExchanges(...exchange)),
    rpc: (...exchange: Parameters<typeof toExchanges>) => void last().rpc.push(...toExchanges(...exchange)),
    finally: (check) => void last().checks.push(check),
  })
  return rules
}

async function run<F extends FixtureName, Response>(
  db: Database<F>,
  { prepare, checks, queries }: Rule<F>,
  exchanges: readonly Exchange<Response>[],
  send: (exchange: Exchange<Response>) => Promise<Response>,
): Promise<void> {
  await prepare?.(db)
  const isRejected = exchanges.every(({ status }) => status >= 400)
  const before = isRejected ? await rowsOf(db) : undefined
  for (const exchange of exchanges) {
    let response: Response | undefined
    const sent = await db.queriesOf(async () => void (response = await send(exchange)))
    if (typeof queries === 'number') expect(sent, exchange.request.send).toHaveLength(queries)
    else if (queries instanceof RegExp) for (const query of sent) expect(query).toMatch(queries)
    else if (queries) expect(sent).toEqual(queries.map((pattern): unknown => expect.stringMatching(pattern)))
    if (response !== undefined && typeof exchange.expected === 'function') await exchange.expected(response)
  }
  if (isRejected) expect(await rowsOf(db)).toEqual(before)
  for (const check of checks) await check(db)
}

function restSender<F extends FixtureName>(db: Database<F>, options: object, { orm, routes }: Served) {
  const rest =
    isBlog(db) && !routes ? restClient(db, options, orm) : fixtureClient({ ...served(db, routes), orm }, options)
  return async ({ request, body, status, expected }: Exchange<RestResponse>): Promise<RestResponse> => {
    const { send, headers = {}, raw } = request
    const [verb, path] = splitRequest(send)
    const method = verb?.toLowerCase() ?? 'get'
    const response = await (raw === undefined && isWrite(method)
      ? rest[method](path, body, headers)
      : rest.fetch(path, { method: method.toUpperCase(), ...withBody(raw, MEDIA_TYPE, headers) }))
    expect(response.status, `${send} ${inspect(body, READABLE)}\n${response.text}`).toBe(status)
    const errors = response.errors.map(({ code, source }) =>
      [code, source?.pointer ?? source?.parameter ?? source?.header].filter((part) => part !== undefined).join(' '),
    )
    if (expected === undefined || typeof expected === 'function') return response
    if (expected instanceof RegExp) expect(response.errors[0]?.detail).toMatch(expected)
    else if (typeof expected === 'string') expect(errors[0], response.text).toBe(expected)
    else if (Array.isArray(expected)) expect(status < 400 ? response.ids : errors, response.text).toEqual(expected)
    else expect(response.body).toMatchObject(Object(expected))
    return response
  }
}

function rpcSender<F extends FixtureName>(db: Database<F>, options: object, { orm, routes }: Served) {
  const rpc = isBlog(db) && !routes ? rpcClient(db, options, orm) : fixtureRpc(served(db, routes), options, orm)
  return async ({ request, body: args, status, expected }: Exchange<RpcResponse>): Promise<RpcResponse> => {
    const { send, headers = {}, raw } = request
    const [method, path] = splitRequest(send)
    const [model = '', operation = ''] = path.split('.')
    const response = await (path.startsWith('/')
      ? rpc.fetch(path, { method: method ?? 'GET', ...withBody(raw, 'application/json', headers) })
      : rpc.call(model, operation, args, method))
    const { body } = response
    expect(response.status, `${send} ${inspect(args, READABLE)}\n${JSON.stringify(body)}`).toBe(status)
    if (status >= 400 && method !== 'HEAD') checkRpcError(response, send, raw, args)
    if (expected === undefined || typeof expected === 'function') return response
    if (expected instanceof RegExp) expect(body.message).toMatch(expected)
    else if (status >= 400 && typeof expected === 'string') expect(body.code, body.message).toBe(expected)
    else if (status >= 400) expect(body).toMatchObject(Object(expected))
    else if (typeof expected === 'object' && expected !== null && !Array.isArray(expected))
      expect(body.data).toMatchObject(expected)
    else expect(body.data).toEqual(expected)
    return response
  }
}

/** Returns the method, if there is one, and the path, which may contain spaces. */
function splitRequest(send: string): readonly [method: string | undefined, path: string] {
  const [, method, path = send] = /^([A-Z]+) (.*)$/s.exec(send) ?? []
  return [method, path]
}

function withBody(raw: RawRequest['raw'], type: string, headers: Readonly<Record<string, string>>): RequestInit {
  if (raw === undefined) return { headers }
  const { 'Content-Type': sent = type, ...others } = headers
  const isStream = typeof raw === 'function'
  const init = { headers: sent === '' ? others : { 'Content-Type': sent, ...others }, body: isStream ? raw() : raw }
  return { ...init, ...(isStream && { duplex: 'half' }) }
}

function isWrite(method: string): method is 'post' | 'patch' | 'put' | 'delete' {
  return ['post', 'patch', 'put', 'delete'].includes(method)
}

function isBlog(db: Database<FixtureName>): db is Database {
  return 'Post' in modelNames(db) && 'Category' in modelNames(db)
}

function modelNames({ client }: Database<FixtureName>): object {
  return client.Prisma.ModelName
}

// Each fixture has its own option types.
function served(db: Database<FixtureName>, routes: Routes | undefined) {
  const { orm, client } = db
  return { orm, client, routes: routes ?? (db.routes as never) }
}

/** Returns all rows, and the tags of each post of the blog. */
async function rowsOf(db: Database<FixtureName>): Promise<unknown> {
  const orm: Record<string, { findMany(args: object): Promise<unknown> }> = Object(db.orm)
  const models = Object.keys(modelNames(db)).map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`)
  const include = (name: string) => (name === 'post' && isBlog(db) ? { include: { tags: true } } : {})
  return Promise.all(models.map((name) => orm[name]?.findMany(include(name)).catch(ignoreMissingTable)))
}

// Views exist only in the schema.
function ignoreMissingTable(error: unknown): void {
  if (Object(error).code !== 'P2021') throw error
}
