import type { Route } from '../../http/route.js'
import type { RestModel } from '../../rest/model.js'
import { ATOMIC_MEDIA_TYPE } from '../../rest/operations/media-type.js'
import { OPERATIONS, RESULTS } from '../../rest/operations/members.js'
import type { PathItem, Reference } from '../document.js'
import { anyOf, closed } from '../schemas/shapes.js'
import { atomicResultSchema, offeredBy, operationSchemas } from './atomic-data.js'
import { type RestDescription, shared } from './describe.js'
import { keyParameters } from '../keys.js'

const DESCRIPTION =
  'Several changes in one transaction: all of them, or none. Each is what a request of its own would be; `data` may name a resource that an ' +
  'earlier operation adds by its `lid`. Errors point into the list.'

/**
 * The path of atomic operations.
 * @param path below the prefix
 * @param routes of each model: what they offer, operations may do
 * @param failures the error answers
 */
export function atomicOperationsPath(
  path: string,
  described: RestDescription,
  routes: ReadonlyMap<RestModel, readonly Route[]>,
  failures: Readonly<Record<string, Reference>>,
): readonly [path: string, item: PathItem] {
  const most = described.context.settings.limits.operations
  const offered = offeredBy(described.models, routes)
  const operation = shared(described, 'AtomicOperation', () => anyOf(...operationSchemas(offered, described)))
  const request = shared(described, 'AtomicOperations', () => ({
    type: 'object',
    properties: {
      [OPERATIONS]: { type: 'array', items: operation, minItems: 1, ...(most < Infinity && { maxItems: most }) },
    },
    required: [OPERATIONS],
  }))
  const result = shared(described, 'AtomicResult', () =>
    closed({ data: atomicResultSchema(offered, described), meta: { type: 'object' } }),
  )
  const answer = shared(described, 'AtomicResults', () =>
    closed(
      {
        [RESULTS]: { type: 'array', items: result, description: 'One for each operation, in their order.' },
        jsonapi: closed({ version: { const: '1.1' }, ext: { type: 'array', items: { type: 'string' } } }),
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
          200: { description: 'All is done.', content: { [ATOMIC_MEDIA_TYPE]: { schema: answer } } },
          204: { description: 'All is done, and there is nothing to say of it.' },
          ...failures,
        },
      },
    },
  ]
}
