import type { Reference } from '../document-types.js'
import { closedObject } from '../schemas/schema-builders.js'
import { type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'

/** Returns the schema of the arguments' `meta`. */
export function requestMetaSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'RequestMeta', () =>
    closedObject({
      serialization: {
        ...closedObject({
          values: { type: 'object', additionalProperties: { type: 'array', items: {} } },
          referentialEqualities: { type: 'object' },
          v: { enum: [0, 1] },
        }),
        description:
          "superjson's annotations of dates, bigints, decimals and bytes, by path in the arguments. " +
          'Not needed for values that match the schemas.',
      },
    }),
  )
}
