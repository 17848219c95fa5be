import type { Route } from '../../http/route.js'
import type { RestModel } from '../../rest/model.js'
import { ATOMIC_MEDIA_TYPE } from '../../rest/operations/media-type.js'
import { OPERATIONS, RESULTS } from '../../rest/operations/member-names.js'
import type { PathItem, Reference } from '../document.js'
import { anyOf, closedObject } from '../schemas/shapes.js'
import { atomicResultSchema, allowedOperations, operationSchemas } from './atomic-data.js'
import { type RestDocumentContext, sharedSchema } from './context.js'
import { keyParameters } from '../idempotency-key.js'

const DESCRIPTION =
  'Several changes in one transaction: all of them, or none. Each is what a request of its own would be; `data` may name a resource that an ' +
  'earlier operation adds by its `lid`. Errors point into the list.'

/**
 * Returns the path of atomic operations.
 * @param path the path below the prefix
 * @param routes the routes of each model, which determine the allowed operations
 * @param failures the error responses
 */
export function atomicOperationsPath(
  path: string,
  described: RestDocumentContext,
  routes: ReadonlyMap<RestModel, readonly Route[]>,
  failures: Readonly<Record<string, Reference>>,
): readonly [path: string, item: PathItem] {
  const maxOperations = described.context.settings.limits.operations
  const offered = allowedOperations(described.models, routes)
  const operation = sharedSchema(described, 'AtomicOperation', () => anyOf(...operationSchemas(offered, described)))
  const request = sharedSchema(described, 'AtomicOperations', () => ({
    type: 'object',
    properties: {
      [OPERATIONS]: {
        type: 'array',
        items: operation,
        minItems: 1,
        ...(maxOperations < Infinity && { maxItems: maxOperations }),
      },
    },
    required: [OPERATIONS],
  }))
  const result = sharedSchema(described, 'AtomicResult', () =>
    closedObject({ data: atomicResultSchema(offered, described), meta: { type: 'object' } }),
  )
  const response = sharedSchema(described, 'AtomicResults', () =>
    closedObject(
      {
        [RESULTS]: { type: 'array', items: result, description: 'One for each operation, in their order.' },
        jsonapi: closedObject({ version: { const: '1.1' }, ext: { type: 'array', items: { type: 'string' } } }),
      },
      [RESULTS, 'jsonapi'],
    ),
  )
  const keys = keyParameters(described, 'post')
  return [
    path,
    {
      post: {
        operationId: 'atomicOperations',
        summary: 'Several changes at once',
        description: DESCRIPTION,
        tags: ['Operations'],
        ...(keys.length > 0 && { parameters: keys }),
        requestBody: { required: true, content: { [ATOMIC_MEDIA_TYPE]: { schema: request } } },
        responses: {
          200: { description: 'All is done.', content: { [ATOMIC_MEDIA_TYPE]: { schema: response } } },
          204: { description: 'All is done, and there is nothing to say of it.' },
          ...failures,
        },
      },
    },
  ]
}
