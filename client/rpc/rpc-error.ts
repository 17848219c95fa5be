import { ApiError, type ApiErrorDetails } from '../http/api-error.js'

/** An issue with the arguments. */
export interface RpcIssue {
  /** The path in the arguments: keys and indices. */
  readonly path: readonly (string | number)[]
  /** Message for a form to show next to the field. It does not name the field. */
  readonly message: string
  /** The code of the violated rule: `required`, or zod's `too_small`. */
  readonly code?: string
  /** The rule's parameters: `{ minimum: 3 }`. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** The details of an {@link RpcError}. */
export interface RpcErrorDetails extends ApiErrorDetails {
  readonly issues?: readonly RpcIssue[] | undefined
  readonly rejectedByPolicy?: boolean | undefined
  readonly reason?: string | undefined
  readonly isCustomRoute?: boolean | undefined
}

/**
 * A failed RPC call.
 * @example
 * ```ts
 * import { createRpcClient, RpcError } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * const api = createRpcClient<Api>({ url: '/api/rpc' })
 * await api.tag.create({ data: { name: 'news' } }).catch((error: unknown) => {
 *   if (!(error instanceof RpcError) || error.status !== 409) throw error
 * })
 * ```
 * @see [Errors of the RPC client](docs/rpc-client.md#errors)
 */
export class RpcError extends ApiError {
  override readonly name = 'RpcError'
  /** The issues with the arguments. Empty if the error has other causes. */
  readonly issues: readonly RpcIssue[]
  /** Whether an access policy rejected the call. */
  readonly rejectedByPolicy: boolean
  /** `RESULT_NOT_READABLE` if a write succeeded but its result is not readable by the caller. */
  readonly reason: string | undefined
  /** Whether the call was of a declared custom route. The paths of its issues then begin with a property of its body or query. */
  readonly isCustomRoute: boolean

  constructor(
    message: string,
    { issues = [], rejectedByPolicy = false, reason, isCustomRoute = false, ...details }: RpcErrorDetails,
  ) {
    super(message, details)
    this.issues = issues
    this.rejectedByPolicy = rejectedByPolicy
    this.reason = reason
    this.isCustomRoute = isCustomRoute
  }
}
