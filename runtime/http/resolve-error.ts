import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from './api-handler.js'
import type { AssertActive } from './lifecycle/deadline.js'

/** What a failure is answered with: what the route itself knows of it, if it does. */
export async function resolveError(
  error: unknown,
  { explain, alive }: Pick<ApiEnv['Bindings'], 'explain' | 'alive'>,
): Promise<unknown> {
  if (!explain || error instanceof RequestError || !isAlive(alive)) return error
  try {
    return await explain(error)
  } catch (better) {
    // Where the look at the reason fails too, as in a transaction that has ended, the first failure is the answer.
    return better instanceof RequestError ? better : error
  }
}

/** Whether anybody waits for the reason of a failure. */
function isAlive(alive: AssertActive): boolean {
  try {
    alive()
    return true
  } catch {
    return false
  }
}
