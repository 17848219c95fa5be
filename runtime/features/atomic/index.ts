import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { operationsService } from './operations-service.js'

/**
 * Enables atomic operations, the JSON:API extension: one request contains several changes, which succeed or fail together.
 * Called by the emitted `index.ts`.
 */
export function atomicOperations(): Feature<'atomic'> {
  return restFeature('atomic', operationsService)
}
