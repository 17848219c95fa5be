import type { Reference } from '../document.js'
import { closedObject } from '../schemas/shapes.js'
import { type RpcDocumentContext, sharedSchema } from './context.js'

/** Returns the schema of the arguments' `meta`. */
export function requestMetaSchema(described: RpcDocumentContext): Reference {
  return sharedSchema(described, 'RequestMeta', () =>
    closedObject({
      serialization: {
        ...closedObject({
          values: { type: 'object', additionalProperties: { type: 'array', items: {} } },
          referentialEqualities: { type: 'object' },
          v: { enum: [0, 1] },
        }),
        description:
          "superjson's annotations of dates, bigints, decimals and bytes, by their paths in the arguments. A client that sends values as " +
          'the schemas say needs none.',
      },
    }),
  )
}
