import { writeLog } from '../errors/logging.js'
import type { DeferredHook } from './row-hooks.js'
import type { HookSession } from './session.js'

/** Calls what waited for a transaction to be committed, in the order of the writes. What fails is logged; the rest is called. */
export async function runAfterCommit(waiting: readonly DeferredHook[], { log }: HookSession): Promise<void> {
  for (const { at, call } of waiting) {
    try {
      await call()
    } catch (error) {
      writeLog({ log }, `[routewright] the hook ${at} failed:`, error)
    }
  }
}
