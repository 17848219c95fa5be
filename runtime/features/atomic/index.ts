import type { Feature } from '../../http/feature.js'
import { parseEndpointPath } from '../../http/routing/endpoints.js'
import { restFeature } from '../../rest/rest-features.js'
import { operationsService } from './operations-service.js'

/**
 * Enables atomic operations, the JSON:API extension: one request contains several changes, which succeed or fail together.
 * Called by the emitted `index.ts`.
 */
export function atomicOperations(): Feature<'atomic'> {
  return restFeature('atomic', (option, isReserved, routers, context, declaredRoutes) => {
    const path = parseEndpointPath(option, { ...OPERATIONS_PATH, isReserved })
    return path === undefined ? undefined : operationsService(path, routers, context, declaredRoutes)
  })
}

const OPERATIONS_PATH = { option: 'atomicOperations', fallback: '/operations', example: '/atomic-operations' } as const
