import {
  All,
  Controller,
  type DynamicModule,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Req,
  Res,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'

import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  type BaseAdapterOptions,
  type RequireContext,
} from '../http/create-request-context.js'
import { isPathUnder, joinPath, createMountMatcherOrPattern, mountPath } from '../http/routing/mount-path.js'
import { requestPath } from '../node-http/node-request.js'
import {
  nestLog,
  type NestResponse,
  serveNest,
  nestRequestId,
  type NestRequest,
  toNodeRequest,
  routePattern,
} from './nest/serve-nest.js'
import type { ApiHandler } from '../http/handler-types.js'

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

/** The result of `useFactory`: the adapter options without the prefix, which Nest needs before it injects anything. */
export type NestHandlerFactoryResult<O, R extends NestRequest = NestRequest, C = unknown> = Omit<
  BaseAdapterOptions<O, [req: R], C>,
  'prefix'
> &
  RequireContext<C>

/** The injection token of a provider of type `T`. A string or a symbol can identify any provider. */
export type NestToken<T> = string | symbol | (abstract new (...args: never) => T)

/** A provider to inject. It may be missing if `optional` is true. */
export type NestInjection<T> = NestToken<T> | { readonly token: NestToken<T>; readonly optional: boolean }

/** Options of the emitted `RoutesModule.forRootAsync`. `A` is the tuple of injected providers, `S` a {@link NestHandlerFactoryResult}. */
export interface NestModuleOptions<A extends readonly unknown[], S> {
  /** The path under which the module is served, after the app's global prefix. It may have parameters. Default: the root. */
  readonly prefix?: string
  /** The modules that export the providers for `useFactory` and the guards. */
  readonly imports?: DynamicModule['imports']
  /** The providers that are passed to `useFactory`, in this order. */
  readonly inject?: NoInfer<{ readonly [I in keyof A]: NestInjection<A[I]> }>
  /**
   * Returns `getOrm`, `context` if the handler needs it, and `handler` to serve REST instead of RPC. Called once. If an injected provider
   * is request-scoped (for example Nest's `REQUEST`), the factory is called for each request, before the guards run. Data that guards add
   * to the request is therefore only available later, in `getOrm`. Create handlers outside this function.
   * @throws errors for Nest's exception filters
   */
  readonly useFactory: (...injected: A) => S | Promise<S>
  /** Decorators of the controller: `UseGuards(…)`, `UseInterceptors(…)`, `SetMetadata(…)`. */
  readonly decorators?: readonly ClassDecorator[]
}

/**
 * Creates a Nest module that serves a handler. Supports guards, interceptors, filters and request scope, on Express and Fastify.
 * Called by the emitted `RoutesModule.forRootAsync`.
 * @param options see {@link NestModuleOptions}
 * @param fallback creates the handler, once, if `useFactory` does not return one
 */
export function nestModule<O, A extends readonly unknown[], R extends NestRequest, C>(
  options: NestModuleOptions<A, NestHandlerFactoryResult<O, R, C>>,
  fallback?: () => ApiHandler<O, C>,
): DynamicModule {
  const { prefix = '', imports = [], inject = [], useFactory, decorators = [] } = options
  const served = Symbol('routewright')
  const RoutesController = controllerFor<O, R, C>(fallback)
  Inject(served)(RoutesController, undefined, 0)
  for (const decorate of [Controller(prefix), ...decorators]) decorate(RoutesController)
  return {
    module: moduleFor(RoutesController),
    imports,
    controllers: [RoutesController],
    providers: [{ provide: served, inject: [...inject], useFactory }],
  }
}

type RoutesControllerType<O, R extends NestRequest, C> = new (served: NestHandlerFactoryResult<O, R, C>) => {
  serve(req: R, res: NestResponse): Promise<void>
}

/** Creates a separate class per module, because Nest registers routes, guards and dependencies by class. */
function controllerFor<O, R extends NestRequest, C>(fallback?: () => ApiHandler<O, C>): RoutesControllerType<O, R, C> {
  const log = nestLog()
  let fallbackHandler: ApiHandler<O, C> | undefined
  class RoutesController {
    readonly #served: NestHandlerFactoryResult<O, R, C>

    constructor(served: NestHandlerFactoryResult<O, R, C>) {
      this.#served = served
    }

    async serve(req: R, res: NestResponse): Promise<void> {
      const { handler = (fallbackHandler ??= fallback?.()) } = this.#served
      if (!handler) throw new Error('useFactory of RoutesModule must return a handler.')
      const mount = joinPath(routePattern(req).replace(CATCH_ALL, ''))
      const prefix = mountPath(requestPath(toNodeRequest(req)), mount)
      const received = { prefix, mount, log, requestId: () => nestRequestId(req) }
      await serveNest(handler, createRequestContext(this.#served, received, req), req, res)
    }
  }
  const { prototype } = RoutesController
  Req()(prototype, 'serve', 0)
  Res()(prototype, 'serve', 1)
  route(prototype, ON_EXPRESS)
  return RoutesController
}

/** The catch-all patterns of the two platforms. If Nest has to convert one to the other, it logs a warning each time. */
const [ON_EXPRESS, ON_FASTIFY] = ['*path', '*']
const CATCH_ALL = /\/\*(path)?$/

function route(prototype: object, pattern: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'serve')
  if (descriptor) All(pattern)(prototype, 'serve', descriptor)
}

/** Creates the module class. Nest calls `configure` after it has determined the platform and before it reads the routes. */
function moduleFor({ prototype }: { readonly prototype: object }): new (host: HttpAdapterHost) => NestModule {
  class RoutesModule implements NestModule {
    readonly #host: HttpAdapterHost

    constructor(host: HttpAdapterHost) {
      this.#host = host
    }

    configure(_consumer: MiddlewareConsumer): void {
      route(prototype, this.#host.httpAdapter.getType() === 'fastify' ? ON_FASTIFY : ON_EXPRESS)
    }
  }
  Inject(HttpAdapterHost)(RoutesModule, undefined, 0)
  Module({})(RoutesModule)
  return RoutesModule
}
