import type { Feature } from '../../http/feature.js'
import type { CreateLifecycle } from '../../http/lifecycle.js'
import { createLifecycle } from './create-lifecycle.js'

/**
 * Enables timeouts, a maximum of concurrent requests and a health check: the handler options `timeout`, `maxInFlight` and `health`.
 * Called by the emitted `index.ts`.
 */
export function lifecycle(): Feature<'lifecycle'> {
  const implementation: CreateLifecycle = createLifecycle
  return { name: 'lifecycle', implementation }
}
