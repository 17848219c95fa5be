import type { Hono } from 'hono'

import type { Feature } from '../http/feature.js'
import type { ApiEnv } from '../http/handler-types.js'
import type { CreateLifecycle } from '../http/lifecycle.js'
import type { PostEndpoint } from '../http/routing/endpoints.js'
import type { WithSafeStrategy } from '../prisma/load-strategy.js'
import type { ComputedFeature } from '../schema/computed-names.js'
import type { VersionChecks } from '../schema/model.js'
import type { Version } from '../schema/version-field.js'
import type { TransactionRoutes } from './custom/custom-rpc-routes.js'
import type { RouterContext, VersionedWrites } from './rpc-router.js'

/**
 * The implementations of RPC features, by name. The core contains only these types, so an API without a feature does not load its code.
 */
export interface RpcFeatures {
  readonly computed?: ComputedFeature
  readonly conditionalRequests?: VersionedWrites & {
    readonly createVersionChecks: (model: string, version: Version) => VersionChecks
  }
  readonly lifecycle?: CreateLifecycle
  readonly loadStrategy?: WithSafeStrategy
  /**
   * Creates the endpoint for transactions.
   * @param routers the routers of the models, by each accepted spelling of a model's name
   * @param routes the declared routes that transactions can call
   */
  readonly transactions?: (
    routers: ReadonlyMap<string, Hono<ApiEnv>>,
    context: RouterContext,
    routes?: TransactionRoutes,
  ) => PostEndpoint
}

/** The name of an RPC feature. */
export type RpcFeatureName = keyof RpcFeatures

/** Creates a feature. Called by its factory. */
export function rpcFeature<N extends RpcFeatureName>(name: N, implementation: NonNullable<RpcFeatures[N]>): Feature<N> {
  return { name, implementation }
}

/** The path of transactions, relative to the prefix. ZenStack's clients use the same path. */
export const TRANSACTION_PATH = '/$transaction/sequential'
