import type { Route } from '../../http/route.js'
import type { RestModel } from '../../rest/rest-model.js'
import { ATOMIC_MEDIA_TYPE } from '../../features/atomic/atomic-media-type.js'
import { OPERATIONS, RESULTS } from '../../features/atomic/member-names.js'
import type { PathItem, Reference } from '../document-types.js'
import { anyOf, closedObject } from '../schemas/schema-builders.js'
import { atomicResultSchema, allowedOperations, operationSchemas } from './atomic-operation-schemas.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { keyParameters } from '../idempotency-key.js'

const DESCRIPTION =
  'Runs several changes in one transaction: either all of them succeed, or none do. Each operation has the same effect as a separate request. `data` can use a `lid` to refer to ' +
  'a resource that an earlier operation adds. The pointer of an error contains the index of its operation.'

/**
 * Returns the path of atomic operations.
 * @param path the path, relative to the prefix
 * @param routes the routes of each model, which determine the allowed operations
 * @param failures the error responses
 */
export function atomicOperationsPath(
  path: string,
  doc: RestDocumentContext,
  routes: ReadonlyMap<RestModel, readonly Route[]>,
  failures: Readonly<Record<string, Reference>>,
): readonly [path: string, item: PathItem] {
  const maxOperations = doc.context.settings.limits.operations
  const allowed = allowedOperations(doc.models, routes)
  const operation = sharedSchema(doc, 'AtomicOperation', () => anyOf(...operationSchemas(allowed, doc)))
  const request = sharedSchema(doc, 'AtomicOperations', () => ({
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
  const result = sharedSchema(doc, 'AtomicResult', () =>
    closedObject({ data: atomicResultSchema(allowed, doc), meta: { type: 'object' } }),
  )
  const response = sharedSchema(doc, 'AtomicResults', () =>
    closedObject(
      {
        [RESULTS]: { type: 'array', items: result, description: 'One result per operation, in the same order.' },
        jsonapi: closedObject({ version: { const: '1.1' }, ext: { type: 'array', items: { type: 'string' } } }),
      },
      [RESULTS, 'jsonapi'],
    ),
  )
  const keys = keyParameters(doc, 'post')
  return [
    path,
    {
      post: {
        operationId: 'atomicOperations',
        summary: 'Atomic operations',
        description: DESCRIPTION,
        tags: ['Operations'],
        ...(keys.length > 0 && { parameters: keys }),
        requestBody: { required: true, content: { [ATOMIC_MEDIA_TYPE]: { schema: request } } },
        responses: {
          200: { description: 'All operations succeeded.', content: { [ATOMIC_MEDIA_TYPE]: { schema: response } } },
          204: { description: 'All operations succeeded and have no results.' },
          ...failures,
        },
      },
    },
  ]
}
