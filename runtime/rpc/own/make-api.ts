import type { Context } from 'hono'

import { readable } from '../../http/body.js'
import { withHeadersOf } from '../../http/headers.js'
import { bindingsOf, requestClient } from '../../http/own-routes.js'
import { type Fault, RequestError } from '../../errors/request-error.js'
import { jsonPath, type Parser } from '../../values/parser.js'
import type { RouterContext } from '../build-router.js'
import { success, written } from '../build-router.js'
import { refuseAll } from '../guard/refuse.js'
import { readArguments } from '../request.js'
import { exposed } from './exposed.js'
import type { ErasedRpcApi } from './rpc-api.js'

/** What routes of the user's own have to know of a handler. */
export type OwnContext = Pick<RouterContext, 'schema' | 'limits' | 'names'>

/** Makes what routes of the user's own are given in the RPC style. */
export function rpcApi(shared: OwnContext): ErasedRpcApi {
  const { schema, limits } = shared
  const answer = (c: Context, value: unknown, status: 200 | 201) => {
    const made = () => success(value, status, shared)
    const { method } = c.req
    return withHeadersOf(c, method === 'GET' || method === 'HEAD' ? made() : written(made))
  }
  return {
    context: (c) => bindingsOf(c).getContext(),
    orm: requestClient,
    async args(c, parser) {
      const args = await readArguments(await readable(c.req), undefined, limits)
      return parser ? parsed(args, parser) : args
    },
    reply(c, name, rows, status = 200) {
      const model = schema.get(name)
      if (model) return answer(c, exposed(rows, model), status)
      throw new Error(`"${name}" is no model that is served here. There are: ${[...schema.keys()].join(', ')}.`)
    },
    value: (c, value, status = 200) => answer(c, value, status),
  }
}

/** @throws RequestError 400 with all that the parser found */
function parsed(args: unknown, parser: Parser<unknown>): unknown {
  const result = parser.safeParse(args)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ message, path }): Fault => {
    return { code: 'invalid-arguments', detail: message, path: jsonPath(path) }
  })
  refuseAll(faults)
  throw new RequestError({ code: 'invalid-arguments', detail: 'The arguments are not what they must be.' })
}
