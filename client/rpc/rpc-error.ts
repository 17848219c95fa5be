import { ApiError, type ApiErrorDetails } from '../http/api-error.js'

/** One thing that is wrong with the arguments. */
export interface RpcIssue {
  /** Where in the arguments: keys and indices. */
  readonly path: readonly (string | number)[]
  /** Message for a form to show next to the field. It does not name the field. */
  readonly message: string
  /** Zod's code of the rule that was not fulfilled. */
  readonly code?: string
  /** Parameters of that rule: `{ minimum: 3 }`. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** What an {@link RpcError} tells beside its message. */
export interface RpcErrorDetails extends ApiErrorDetails {
  readonly issues?: readonly RpcIssue[] | undefined
  readonly rejectedByPolicy?: boolean | undefined
  readonly reason?: string | undefined
}

/** A call of the RPC style that failed. */
export class RpcError extends ApiError {
  override readonly name = 'RpcError'
  /** Each fault with its place in the arguments; empty where there is none. */
  readonly issues: readonly RpcIssue[]
  /** Whether an access policy denied it. */
  readonly rejectedByPolicy: boolean
  /** `RESULT_NOT_READABLE` where a write succeeded, and its result may not be read. */
  readonly reason: string | undefined

  constructor(message: string, { issues = [], rejectedByPolicy = false, reason, ...details }: RpcErrorDetails) {
    super(message, details)
    this.issues = issues
    this.rejectedByPolicy = rejectedByPolicy
    this.reason = reason
  }
}
