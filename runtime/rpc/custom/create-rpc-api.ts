import type { Context } from 'hono'

import { readableRequest } from '../../http/read-body.js'
import { mergeContextHeaders } from '../../http/merge-headers.js'
import { getBindings, getRequestClient } from '../../http/custom-routes.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { maskRows } from '../../prisma/mask-rows.js'
import { jsonPath, type Parser } from '../../values/parser.js'
import type { RouterContext } from '../router-context.js'
import { respondToWrite } from '../../errors/respond-to-write.js'
import { successResponse } from '../success-response.js'
import { parseArguments } from '../parse-arguments.js'
import { exposeRows } from './expose-rows.js'
import type { ErasedRpcApi } from './rpc-api.js'

/** The parts of a handler that custom routes need. */
export interface CustomRouteContext extends Pick<RouterContext, 'schema' | 'limits' | 'names'> {
  /** Whether the request's client may mask rows. */
  readonly hasHooks: boolean
}

/** Creates the {@link ErasedRpcApi} of custom routes. */
export function createRpcApi(routeContext: CustomRouteContext): ErasedRpcApi {
  const { schema, limits } = routeContext
  const respond = (c: Context, value: unknown, status: 200 | 201) => {
    const createResponse = () => successResponse(value, status, routeContext)
    const { method } = c.req
    return mergeContextHeaders(
      c,
      method === 'GET' || method === 'HEAD' ? createResponse() : respondToWrite(createResponse),
    )
  }
  return {
    context: (c) => getBindings(c).getContext(),
    orm: getRequestClient,
    async args(c, parser) {
      const args = await parseArguments(await readableRequest(c.req), undefined, limits)
      return parser ? applyParser(args, parser) : args
    },
    async reply(c, name, rows, status = 200) {
      const model = schema.get(name)
      const maskedRows = routeContext.hasHooks ? maskRows(await getRequestClient(c), name, rows) : rows
      if (model) return respond(c, exposeRows(maskedRows, model), status)
      throw new Error(`"${name}" is not an exposed model. Models: ${[...schema.keys()].join(', ')}.`)
    },
    value: (c, value, status = 200) => respond(c, value, status),
  }
}

/** @throws RequestError 400 with all issues that the parser found */
function applyParser(args: unknown, parser: Parser<unknown>): unknown {
  const result = parser.safeParse(args)
  if (result.success) return result.data
  const errors = result.error.issues.map(({ message, path }): ErrorDetail => {
    return { code: 'invalid-arguments', detail: message, path: jsonPath(path) }
  })
  throwErrors(errors)
  throw new RequestError({ code: 'invalid-arguments', detail: 'The arguments are invalid.' })
}
