import { inspect } from 'node:util'

import { expect } from 'vitest'

import type { TestResponse } from '../rpc/client.js'

const MEMBERS = ['orm', 'rejectedByPolicy', 'code', 'message', 'reason', 'issues']
const LEAKS =
  /node_modules|invocation|\.ts\b|SELECT|INSERT|UPDATE|DELETE|`|_key|_pkey|fkey|prisma\.|at \w+ \(|main\.|SQLITE|secret-/g

/** Checks the body of an RPC error (contract 7.4). Its message contains internal names only if the request contains them. */
export function checkRpcError({ status, headers, body }: TestResponse, ...request: readonly unknown[]): void {
  const { error, ...members } = body
  const rejectReason = members.reason === 'RESULT_NOT_READABLE' ? 'cannot-read-back' : 'no-access'
  expect(error).toEqual({ status, ...members, ...(members.rejectedByPolicy && { rejectReason }) })
  expect(Object.keys(members).filter((key) => !MEMBERS.includes(key))).toEqual([])
  expect(members.message).toBeTypeOf('string')
  // A 405 names methods, such as DELETE.
  for (const [leak] of status === 405 ? [] : (members.message?.matchAll(LEAKS) ?? []))
    expect(inspect(request, { depth: null })).toContain(leak)
  if (members.orm) expect(members.message).not.toContain('password')
  // Custom routes can set their own codes.
  if (members.code !== undefined) expect(members.orm).toBe(/^P\d+$/.test(members.code) || undefined)
  expect(headers.get('content-type')).toBe('application/json')
}
