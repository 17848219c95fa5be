import { CACHE_CONTROL } from '../http/cache-control.js'
import { ERROR_CODES } from '../errors/codes.js'
import { toRequestError } from '../errors/to-request-error.js'
import type { Fault } from '../errors/request-error.js'
import type { Log } from '../http/handler.js'
import type { Schema } from '../schema/schema.js'

/** The body of an error in the RPC style (contract 7.4). */
interface RpcErrorBody extends Pick<Fault, 'orm' | 'rejectedByPolicy' | 'reason'> {
  /** Prisma's own error code. */
  readonly code?: string
  readonly message: string
  /** Each fault with its place in the arguments, where there is one. */
  readonly issues?: readonly RpcIssue[]
}

/** One thing that is wrong with the arguments. */
interface RpcIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Zod's code of the rule that was not fulfilled. */
  readonly code?: string
}

/** Headers of every answer. */
export const HEADERS = { 'Content-Type': 'application/json', ...CACHE_CONTROL } as const

/** Makes whatever was thrown the answer in the format of contract 7.4. */
export function renderFailure(error: unknown, schema: Schema, log: Log | undefined): Response {
  const { faults, headers } = toRequestError(error, schema, log)
  const [{ code, ormCode, orm, rejectedByPolicy, reason }] = faults
  const issues = faults.flatMap(({ path, detail, rule }): RpcIssue[] => {
    return path ? [{ path, message: detail, ...(rule && { code: rule.rule }) }] : []
  })
  const body: RpcErrorBody = {
    ...(orm && { orm }),
    ...(rejectedByPolicy && { rejectedByPolicy }),
    ...(ormCode !== undefined && { code: ormCode }),
    message: [...new Set(faults.map((fault) => fault.detail))].join(' '),
    ...(reason !== undefined && { reason }),
    ...(issues.length > 0 && { issues }),
  }
  return new Response(JSON.stringify(body), {
    status: ERROR_CODES[code].status,
    headers: { ...HEADERS, ...headers },
  })
}
