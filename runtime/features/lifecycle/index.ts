import type { Feature } from '../../http/feature.js'
import { createLifecycle } from './create-lifecycle.js'

/**
 * Enables timeouts, a limit on concurrent requests and a health check: the handler options `timeout`, `maxInFlight` and `health`.
 * Called by the emitted `index.ts`.
 */
export function lifecycle(): Feature<'lifecycle'> {
  return { name: 'lifecycle', implementation: createLifecycle }
}
