import type { Session } from './session.js'

/** Calls what waited for a transaction to be committed, in the order of the writes. What fails is logged; the rest is called. */
export async function callLater(tasks: readonly (() => Promise<void>)[], { log }: Session): Promise<void> {
  for (const task of tasks) {
    try {
      await task()
    } catch (error) {
      log('[routewright] a hook failed after the commit:', error)
    }
  }
}
