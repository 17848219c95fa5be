/** The reason for a denial by an access policy, in `meta.reason` of a {@link PolicyError}. */
export type PolicyReason = 'ACCESS_POLICY_VIOLATION' | 'RESULT_NOT_READABLE'

/**
 * A denial by an access policy. The response is a 403 (design, section 6). The message is shown to the caller.
 * @example
 * ```ts
 * import { PolicyError } from '@routewright/runtime/policy'
 *
 * export function describeDenial(error: unknown): string {
 *   if (!(error instanceof PolicyError)) throw error
 *   return error.meta.reason === 'RESULT_NOT_READABLE' ? 'Saved, but not visible to you.' : error.message
 * }
 * ```
 * @see [Errors of access policies](docs/policies.md#errors)
 */
export class PolicyError extends Error {
  /** Prisma's code for a violated constraint. */
  readonly code = 'P2004'
  readonly meta: { readonly reason: PolicyReason }

  constructor(message: string, reason: PolicyReason = 'ACCESS_POLICY_VIOLATION') {
    super(message)
    this.name = 'PolicyError'
    this.meta = { reason }
  }
}

/** Denies a call by throwing a {@link PolicyError}. */
export function deny(message: string): never {
  throw new PolicyError(message)
}
