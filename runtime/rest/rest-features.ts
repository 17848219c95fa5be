import type { Hono } from 'hono'

import type { Feature } from '../http/feature.js'
import type { ApiEnv } from '../http/handler-types.js'
import type { CreateLifecycle } from '../http/lifecycle.js'
import type { PostEndpoint } from '../http/routing/endpoints.js'
import type { WithSafeStrategy } from '../prisma/load-strategy.js'
import type { ComputedFeature } from '../schema/computed-names.js'
import type { ConditionalRequests } from './conditional-requests.js'
import type { OperationRoutes } from './custom/custom-rest-routes.js'
import type { AttributeWriter } from './document/attribute-writer.js'
import type { JoinLimitedLists } from './orm/loading-types.js'
import type { RestContext } from './rest-context.js'
import type { RestModel } from './rest-model.js'
import type { RequestFeatures } from './settings.js'

/**
 * The implementations of REST features, by name. The core contains only these types, so an API without a feature does not load its code.
 */
export interface RestFeatures extends RequestFeatures {
  /**
   * Creates the functions for ETags and preconditions.
   * @param models all exposed models
   */
  readonly conditionalRequests?: (models: Iterable<RestModel>) => ConditionalRequests
  readonly computed?: ComputedFeature & {
    /** Creates the writer of a computed field's value. */
    readonly createWriter: (name: string) => AttributeWriter
  }
  readonly lifecycle?: CreateLifecycle
  readonly loadStrategy?: WithSafeStrategy
  /**
   * Creates the endpoint for atomic operations.
   * @param option the option `atomicOperations`: whether to serve the endpoint, or its path
   * @param isReserved whether another endpoint is served at paths that begin with a segment
   * @param declaredRoutes the declared routes that operations can call
   * @throws Error if the path is invalid or taken
   */
  readonly atomic?: (
    option: unknown,
    isReserved: (segment: string) => boolean,
    routers: ReadonlyMap<RestModel, Hono<ApiEnv>>,
    context: RestContext,
    declaredRoutes?: OperationRoutes,
  ) => PostEndpoint | undefined
  /** Creates the function that loads the limited lists of several rows together. */
  readonly joinedLists?: () => JoinLimitedLists
}

/** The name of a REST feature. */
export type RestFeatureName = keyof RestFeatures

/** Creates a feature. Called by its factory. */
export function restFeature<N extends RestFeatureName>(
  name: N,
  implementation: NonNullable<RestFeatures[N]>,
): Feature<N> {
  return { name, implementation }
}
