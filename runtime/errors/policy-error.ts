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

/** The part of a write that did not find a row, with the names of Prisma's `meta`. */
export interface MissingRowMeta {
  /** The model of the call, if the call did not find its own row. */
  readonly modelName?: string
  readonly operation?: 'an update' | 'a delete' | 'a nested connect'
  /** The model of the row, if a nested write needs it. */
  readonly model?: string
  /** The number of rows that should be connected to a to-many relation. */
  readonly expectedRows?: number
}

/**
 * Thrown for a row that does not exist or that the caller may not read. Uses Prisma's codes, so that both cases result in the same
 * response: `P2025` for a missing row, `P2003` for a dangling foreign key, `P2014` for a row that would lose a required relation.
 */
export class MissingRowError extends Error {
  readonly code: 'P2025' | 'P2003' | 'P2014'
  /** Describes the missing row as Prisma does, if known. */
  readonly meta: MissingRowMeta

  constructor(code: 'P2025' | 'P2003' | 'P2014', message: string, meta: MissingRowMeta = {}) {
    super(message)
    this.name = 'MissingRowError'
    this.code = code
    this.meta = meta
  }
}

/**
 * Thrown if a row met the conditions when it was read, but the write did not find it. Its Prisma code causes a retry, which reads the row
 * again.
 */
export class ChangedRowError extends Error {
  readonly code = 'P2034'

  constructor(model: string) {
    super(`A row of ${model} was not written. Another write may have changed it.`)
    this.name = 'ChangedRowError'
  }
}
