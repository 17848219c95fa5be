import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from './handler-types.js'
import type { AssertActive } from './active-request.js'

/** Returns the error to respond with. If the route has set `explain`, it can replace the error with a more specific one. */
export async function explainError(
  error: unknown,
  { explain, assertActive }: Pick<ApiEnv['Bindings'], 'explain' | 'assertActive'>,
): Promise<unknown> {
  if (!explain || error instanceof RequestError || !isActive(assertActive)) return error
  try {
    return await explain(error)
  } catch (explained) {
    // If finding the cause fails too, for example in a transaction that has ended, the original error is used.
    return explained instanceof RequestError ? explained : error
  }
}

function isActive(assertActive: AssertActive): boolean {
  try {
    assertActive()
    return true
  } catch {
    return false
  }
}
