import { idempotency, type IdempotencyOptions } from '../../runtime/idempotency/index.js'
import type { Database } from '../support/databases.js'

export type Payments = Database<'payments'>

/** The app's context of a request. */
export interface Caller {
  readonly caller: string
}

/** A response with its text. */
export interface TestResponse {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly body: any
}

/** Sends requests to both styles of an app, mounted at `/rest` and `/rpc`. */
export interface Api {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  /** Pays into account 1 by REST. */
  pay(reference: string, key?: string, headers?: Record<string, string>): Promise<TestResponse>
  /** Pays into account 1 by RPC. */
  rpcPay(reference: string, key?: string, headers?: Record<string, string>): Promise<TestResponse>
}

/** Options for an app. */
export interface AppOptions {
  readonly idempotency?: Partial<IdempotencyOptions<Caller>>
  /** Additional options of each style. */
  readonly rest?: object
  readonly rpc?: object
  /** The client of the request. Default: the database's client. */
  readonly orm?: (context: Caller) => unknown
  readonly log?: (line: string, error: unknown) => void
}

/** The idempotency option of most tests. */
export function keys(options: Partial<IdempotencyOptions<Caller>> = {}) {
  return idempotency<Caller>({ model: 'idempotencyKey', scope: ({ context }) => context.caller, ...options })
}

/** Creates an app whose callers send their name in a header. */
export function appOf(db: Payments, options: AppOptions = {}): Api {
  const shared = { idempotency: keys(options.idempotency) }
  const rest = db.routes.RestApiHandler<Caller>({
    endpoint: 'http://localhost/rest',
    ...shared,
    atomicOperations: true,
    ...options.rest,
  })
  const rpc = db.routes.RPCApiHandler<Caller>({ ...shared, transactions: true, ...options.rpc })
  const mounted = (handler: typeof rest, prefix: string) =>
    db.hono.createHonoHandler<Caller>({
      context: (c) => ({ caller: c.req.header('X-Caller') ?? 'nobody' }),
      getOrm: (_c, context) => (options.orm?.(context) ?? db.orm) as typeof db.orm,
      handler,
      prefix,
      log: options.log ?? (() => undefined),
    })
  const apps = { rest: mounted(rest, '/rest'), rpc: mounted(rpc, '/rpc') }
  const send: Api['send'] = async (method, path, body, headers = {}) => {
    const isRest = path.startsWith('/rest')
    const type = isRest ? 'application/vnd.api+json' : 'application/json'
    const init = { method, headers: { ...(body !== undefined && { 'Content-Type': type }), ...headers } }
    const response = await apps[isRest ? 'rest' : 'rpc'].fetch(
      new Request(`http://localhost${path}`, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    )
    const text = await response.text()
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return {
    send,
    pay: (reference, key, headers) => send('POST', '/rest/payment', payment(reference), { ...keyed(key), ...headers }),
    rpcPay: (reference, key, headers) =>
      send(
        'POST',
        '/rpc/payment/create',
        { data: { reference, amount: 5, accountId: 1 } },
        { ...keyed(key), ...headers },
      ),
  }
}

/** Returns the header with a key. */
export function keyed(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'Idempotency-Key': JSON.stringify(key) }
}

/** Returns a document that creates a payment into account 1. */
export function payment(reference: string, account = '1') {
  const relationships = { account: { data: { type: 'account', id: account } } }
  return { data: { type: 'payment', attributes: { reference, amount: 5 }, relationships } }
}

/** Creates two accounts. */
export async function fillPayments({ orm }: Pick<Payments, 'orm'>): Promise<void> {
  await orm.account.createMany({ data: [{ owner: 'ann' }, { owner: 'ben' }] })
  await orm.label.create({ data: { name: 'rent' } })
}
