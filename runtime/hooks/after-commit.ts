import { logTo } from '../errors/reports.js'
import type { LateHook } from './row-hooks.js'
import type { Session } from './session.js'

/** Calls what waited for a transaction to be committed, in the order of the writes. What fails is logged; the rest is called. */
export async function callLater(waiting: readonly LateHook[], { log }: Session): Promise<void> {
  for (const { at, call } of waiting) {
    try {
      await call()
    } catch (error) {
      logTo({ log }, `[routewright] the hook ${at} failed:`, error)
    }
  }
}
