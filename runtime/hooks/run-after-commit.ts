import { writeLog } from '../errors/logging.js'
import type { DeferredHook } from './create-row-hooks.js'
import type { HookSession } from './hook-session.js'

/**
 * Calls the deferred hooks of a committed transaction, in the order of the writes. If a hook fails, the error is logged, and the remaining
 * hooks are still called.
 */
export async function runAfterCommit(deferred: readonly DeferredHook[], { log }: HookSession): Promise<void> {
  for (const { name, call } of deferred) {
    try {
      await call()
    } catch (error) {
      writeLog({ log }, `[routewright] the hook ${name} failed:`, error)
    }
  }
}
