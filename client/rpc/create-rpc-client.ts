import type { AnyApi } from '../api.js'
import type { ReadDecimal } from '../codec/decode.js'
import type { CallOptions, HttpOptions } from '../http/options.js'
import { createTransport } from '../http/transport.js'
import { lazyMembers } from '../lazy-members.js'
import { type Caller, createCaller, type PendingCall } from './call.js'
import type { RpcClient } from './methods.js'
import { RpcError } from './rpc-error.js'

/** Options of {@link createRpcClient}. */
export interface RpcClientOptions extends HttpOptions {
  /** Maximum URL length of a read, in characters. Longer reads send their arguments in the body of a POST. Default: 2000. */
  readonly maxUrlLength?: number | undefined
  /** Converts a Decimal from its string form: `(text) => new Decimal(text)`. Default: Decimals stay strings. */
  readonly decimal?: ReadDecimal | undefined
}

/** {@link RpcClientOptions} with a `decimal` that returns `D`. */
export type RpcClientOptionsFor<A extends AnyApi, D> = 'rpc' extends A['styles']
  ? RpcClientOptions & ([string] extends [D] ? unknown : { readonly decimal: (text: string) => D })
  : 'The RPC routes are not generated: see the generator option `styles`.'

/**
 * Creates an RPC client. It sends no request until an operation is called. `D` is the type of Decimals if the option `decimal` converts
 * them.
 * @example
 * ```ts
 * import { createRpcClient } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * const api = createRpcClient<Api>({ url: '/api/rpc' })
 * const posts = await api.post.findMany({ where: { status: 'PUBLISHED' }, include: { author: true } })
 * ```
 * @see [RPC client](docs/rpc-client.md#options)
 */
export function createRpcClient<A extends AnyApi, D = string>(options: RpcClientOptionsFor<A, D>): RpcClient<A, D>
export function createRpcClient(options: RpcClientOptions): object {
  const { call, transact } = createCaller(
    createTransport(options, (message, details) => new RpcError(message, details)),
    options,
  )
  return lazyMembers((model) => {
    if (model === '$transaction') return transact
    // For `withRpcRoutes`.
    return model === '$call' ? call : lazyMembers((operation) => createMethod(call, model, operation))
  })
}

function createMethod(call: Caller['call'], model: string, op: string) {
  const send = (args?: unknown, options?: CallOptions): Promise<unknown> => call(model, op, args, options)
  return Object.assign(send, { call: (args?: unknown): PendingCall => ({ model, op, args }) })
}
