import type { AnyApi } from '../api.js'
import type { ReadDecimal } from '../codec/decode.js'
import type { CallOptions, HttpOptions } from '../http/options.js'
import { createTransport } from '../http/transport.js'
import { lazyMembers } from '../lazy-members.js'
import { type Caller, createCaller, type PendingCall } from './call.js'
import type { RpcClient } from './methods.js'
import { RpcError } from './rpc-error.js'

/** The options of {@link createRpcClient}. */
export interface RpcClientOptions extends HttpOptions {
  /** How long the URL of a read may be before its arguments go into the body of a POST. Default: 2000 characters */
  readonly maxUrlLength?: number | undefined
  /** Makes Decimals of their digits: `(text) => new Decimal(text)`. Without it they are texts. */
  readonly decimal?: ReadDecimal | undefined
}

/** The options with a `decimal` that makes what the types of results say. */
export type RpcClientOptionsFor<A extends AnyApi, D> = 'rpc' extends A['styles']
  ? RpcClientOptions & ([string] extends [D] ? unknown : { readonly decimal: (text: string) => D })
  : 'The RPC style is not emitted: see the option `styles` of the generator.'

/**
 * Makes a client of the RPC style. Nothing is asked until an operation is called.
 *
 *     const api = createRpcClient<Api>({ url: '/api/rpc' })
 *     const posts = await api.post.findMany({ where: { status: 'PUBLISHED' }, include: { author: true } })
 *
 * `D` is the type of Decimals, where the option `decimal` makes something else of them than texts.
 */
export function createRpcClient<A extends AnyApi, D = string>(options: RpcClientOptionsFor<A, D>): RpcClient<A, D>
export function createRpcClient(options: RpcClientOptions): object {
  const { call, transact } = createCaller(
    createTransport(options, (message, details) => new RpcError(message, details)),
    options,
  )
  return lazyMembers((model) => {
    return model === '$transaction' ? transact : lazyMembers((operation) => operationOf(call, model, operation))
  })
}

function operationOf(call: Caller['call'], model: string, op: string) {
  const now = (args?: unknown, options?: CallOptions): Promise<unknown> => call(model, op, args, options)
  return Object.assign(now, { call: (args?: unknown): PendingCall => ({ model, op, args }) })
}
