import type { Context } from 'hono'

import { readableRequest } from '../../http/body.js'
import { mergeContextHeaders } from '../../http/merge-headers.js'
import { getBindings, getRequestClient } from '../../http/custom-routes.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { maskRows } from '../../orm/mask.js'
import { jsonPath, type Parser } from '../../values/parser.js'
import type { RouterContext } from '../build-router.js'
import { writeResponse } from '../../errors/result-not-readable.js'
import { successResponse } from '../build-router.js'
import { parseArguments } from '../request.js'
import { exposeRows } from './expose-rows.js'
import type { ErasedRpcApi } from './rpc-api.js'

/** What routes of the user's own have to know of a handler. */
export interface CustomRouteContext extends Pick<RouterContext, 'schema' | 'limits' | 'names'> {
  /** Whether the request's client may mask rows. */
  readonly hasHooks: boolean
}

/** Makes what routes of the user's own are given in the RPC style. */
export function createRpcApi(shared: CustomRouteContext): ErasedRpcApi {
  const { schema, limits } = shared
  const answer = (c: Context, value: unknown, status: 200 | 201) => {
    const made = () => successResponse(value, status, shared)
    const { method } = c.req
    return mergeContextHeaders(c, method === 'GET' || method === 'HEAD' ? made() : writeResponse(made))
  }
  return {
    context: (c) => getBindings(c).getContext(),
    orm: getRequestClient,
    async args(c, parser) {
      const args = await parseArguments(await readableRequest(c.req), undefined, limits)
      return parser ? parsed(args, parser) : args
    },
    async reply(c, name, rows, status = 200) {
      const model = schema.get(name)
      const shown = shared.hasHooks ? maskRows(await getRequestClient(c), name, rows) : rows
      if (model) return answer(c, exposeRows(shown, model), status)
      throw new Error(`"${name}" is no model that is served here. There are: ${[...schema.keys()].join(', ')}.`)
    },
    value: (c, value, status = 200) => answer(c, value, status),
  }
}

/** @throws RequestError 400 with all that the parser found */
function parsed(args: unknown, parser: Parser<unknown>): unknown {
  const result = parser.safeParse(args)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ message, path }): ErrorDetail => {
    return { code: 'invalid-arguments', detail: message, path: jsonPath(path) }
  })
  throwErrors(faults)
  throw new RequestError({ code: 'invalid-arguments', detail: 'The arguments are not what they must be.' })
}
