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

import type { ApiHandler } from '../../http/api-handler.js'
import {
  createRequestContext,
  type BaseAdapterOptions,
  type RequireContext,
  joinPath,
  mountPath,
} from '../../http/adapter-options.js'
import { requestPath } from '../../node-http/request.js'
import {
  nestLog,
  nestRequestId,
  type NestRequest,
  type NestResponse,
  toNodeRequest,
  routePattern,
  serveNest,
} from './serve.js'

/** What `useFactory` gives: the options of every adapter but the prefix, which Nest has to know before it injects anything. */
export type NestHandlerFactoryResult<O, R extends NestRequest = NestRequest, C = unknown> = Omit<
  BaseAdapterOptions<O, [req: R], C>,
  'prefix'
> &
  RequireContext<C>

/** What names a provider that gives a `T`. A text or a symbol may name anything. */
export type NestToken<T> = string | symbol | (abstract new (...args: never) => T)

/** A provider to inject, which may be missing where it is `optional`. */
export type NestInjection<T> = NestToken<T> | { readonly token: NestToken<T>; readonly optional: boolean }

/** Options of the emitted `RoutesModule.forRootAsync`. `A` is what is injected, `S` a {@link NestHandlerFactoryResult}. */
export interface NestModuleOptions<A extends readonly unknown[], S> {
  /** The path below which the module serves, behind the app's global prefix; it may have parameters. Default: the root. */
  readonly prefix?: string
  /** The modules that export what `useFactory` and the guards are injected with. */
  readonly imports?: DynamicModule['imports']
  /** The providers that `useFactory` is called with, in this order. */
  readonly inject?: NoInfer<{ readonly [I in keyof A]: NestInjection<A[I]> }>
  /**
   * Gives `getOrm`, `context` where the handler needs it, and `handler` for another style than RPC. Called once; where something injected belongs to a request
   * (Nest's `REQUEST`, a provider of request scope), for each request, and before its guards: what these put on the request is
   * there when `getOrm` is called. Handlers are best made outside.
   * @throws for Nest's exception filters
   */
  readonly useFactory: (...injected: A) => S | Promise<S>
  /** Decorators for the controller: `UseGuards(…)`, `UseInterceptors(…)`, `SetMetadata(…)`. */
  readonly decorators?: readonly ClassDecorator[]
}

/**
 * A module of Nest's that serves a handler, with what Nest injects: guards, interceptors and filters hold, request scope works.
 * On Express and on Fastify.
 * @param options see {@link NestModuleOptions}
 * @param fallback makes the handler, once, where `useFactory` gives none
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

/** A class of its own for each module: Nest keeps routes, guards and what is injected by class. */
function controllerFor<O, R extends NestRequest, C>(fallback?: () => ApiHandler<O, C>): RoutesControllerType<O, R, C> {
  const log = nestLog()
  let made: ApiHandler<O, C> | undefined
  class RoutesController {
    readonly #served: NestHandlerFactoryResult<O, R, C>

    constructor(served: NestHandlerFactoryResult<O, R, C>) {
      this.#served = served
    }

    async serve(req: R, res: NestResponse): Promise<void> {
      const { handler = (made ??= fallback?.()) } = this.#served
      if (!handler) throw new Error('useFactory of the RoutesModule gave no handler.')
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

/** The platforms' routers write "everything below" differently. Nest's own conversion warns whenever it is used. */
const [ON_EXPRESS, ON_FASTIFY] = ['*path', '*']
const CATCH_ALL = /\/\*(path)?$/

function route(prototype: object, pattern: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'serve')
  if (descriptor) All(pattern)(prototype, 'serve', descriptor)
}

/** Nest calls `configure` when it knows the platform, and before it reads the routes. */
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
