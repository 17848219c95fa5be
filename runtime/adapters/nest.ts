import { type AdapterOptions, type WithHandler, createRequestContext } from '../http/create-request-context.js'
import { isPathUnder, joinPath, createMountMatcherOrPattern } from '../http/routing/mount-path.js'
import { requestPath } from '../node-http/node-request.js'
import {
  nestLog,
  type NestResponse,
  serveNest,
  nestRequestId,
  type NestRequest,
  toNodeRequest,
} from './nest/serve-nest.js'

export {
  type NestInjection,
  nestModule,
  type NestModuleOptions,
  type NestHandlerFactoryResult,
  type NestToken,
} from './nest/nest-module.js'
export type { NestResponse, NestExpressRequest, NestFastifyRequest, NestRequest } from './nest/serve-nest.js'

/** Options of the emitted `createNestHandler`. */
export type NestHandlerOptions<O, R extends NestRequest = NestRequest, C = unknown> = AdapterOptions<O, [req: R], C>

/**
 * Handles a Nest request. Without `next`, requests outside the prefix receive a 404.
 * @throws unhandled errors, for Nest's exception filters
 */
export type NestHandler<R extends NestRequest = NestRequest> = (
  req: R,
  res: NestResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

/**
 * Creates a function for the catch-all route of a controller, or for `consumer.apply(…)` as middleware. Guards and interceptors apply only
 * in a controller. Works on Express and Fastify. `prefix` is the whole path, including the app's global prefix.
 * Called by the emitted `createNestHandler`.
 *
 *     @All('*path') // on Fastify: @All('*')
 *     serve(@Req() req: Request, @Res() res: Response) { return this.api(req, res) }
 *
 * @param options see {@link AdapterOptions}
 */
export function nestHandler<O, R extends NestRequest, C>(
  options: WithHandler<O, NestHandlerOptions<O, R, C>, C>,
): NestHandler<R> {
  const { handler } = options
  const mountIn = createMountMatcherOrPattern(options.prefix)
  const mount = joinPath(options.prefix)
  const log = nestLog()
  return async (req, res, next) => {
    const path = requestPath(toNodeRequest(req))
    const prefix = mountIn(path)
    if (next && !isPathUnder(path, prefix)) return next()
    return serveNest(
      handler,
      createRequestContext(options, { prefix, mount, log, requestId: () => nestRequestId(req) }, req),
      req,
      res,
    )
  }
}
