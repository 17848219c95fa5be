import type { Reference } from '../document.js'
import { closed } from '../schemas/shapes.js'
import { type RpcDescription, shared } from './describe.js'

/** What JSON cannot say of the arguments. */
export function requestMetaSchema(described: RpcDescription): Reference {
  return shared(described, 'RequestMeta', () =>
    closed({
      serialization: {
        ...closed({
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
