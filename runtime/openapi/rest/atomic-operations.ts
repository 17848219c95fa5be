import { ATOMIC_MEDIA_TYPE } from '../../rest/operations/media-type.js'
import { OPERATIONS, RESULTS } from '../../rest/operations/members.js'
import type { JsonSchema, PathItem, Reference } from '../document.js'
import { type RestDescription, shared } from './describe.js'
import { closed } from '../schemas/shapes.js'

const DESCRIPTION =
  'Several changes in one transaction: all of them, or none. Each is what a request of its own would be; `data` is as the schemas of those ' +
  'requests have it, and may name a resource that an earlier operation adds by its `lid`. Errors point into the list.'

/**
 * The path of atomic operations.
 * @param path below the prefix
 * @param failures the error answers
 */
export function atomicOperationsPath(
  path: string,
  described: RestDescription,
  failures: Readonly<Record<string, Reference>>,
): readonly [path: string, item: PathItem] {
  const { models, context } = described
  const most = context.settings.limits.operations
  const type: JsonSchema = { enum: models.map((model) => model.type) }
  const ref = shared(described, 'OperationRef', () =>
    closed({ type, id: { type: ['string', 'number'] }, lid: { type: 'string' }, relationship: { type: 'string' } }, [
      'type',
    ]),
  )
  const operation = shared(described, 'AtomicOperation', () =>
    closed(
      {
        op: { enum: ['add', 'update', 'remove'] },
        ref,
        href: { type: 'string', format: 'uri-reference', description: 'In place of `ref`.' },
        data: { description: 'A resource, or linkage.' },
        meta: { type: 'object' },
      },
      ['op'],
    ),
  )
  const request = shared(described, 'AtomicOperations', () => ({
    type: 'object',
    properties: {
      [OPERATIONS]: { type: 'array', items: operation, minItems: 1, ...(most < Infinity && { maxItems: most }) },
    },
    required: [OPERATIONS],
  }))
  const result = closed({ data: {}, meta: { type: 'object' } })
  const answer = shared(described, 'AtomicResults', () =>
    closed(
      {
        [RESULTS]: { type: 'array', items: result, description: 'One for each operation, in their order.' },
        jsonapi: closed({ version: { const: '1.1' }, ext: { type: 'array', items: { type: 'string' } } }),
      },
      [RESULTS, 'jsonapi'],
    ),
  )
  return [
    path,
    {
      post: {
        operationId: 'atomicOperations',
        summary: 'Several changes at once',
        description: DESCRIPTION,
        tags: ['Operations'],
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
