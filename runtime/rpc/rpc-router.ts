import type { RequestError } from '../errors/request-error.js'
import type { App } from '../http/handler-types.js'
import type { PreparedRoute } from '../http/routing/execute-prepared-route.js'
import type { Limits } from '../limits.js'
import type { AdjustArgs } from '../prisma/computed-fields.js'
import type { Member, ModelName, TypeMap } from '../prisma/client-types.js'
import type { Dialect } from '../prisma/dialect.js'
import type { WithSafeStrategy } from '../prisma/load-strategy.js'
import type { LockableOf } from '../prisma/transactions/owner-locks.js'
import type { Model, Schema } from '../schema/model.js'
import type { FitsModel, Resource } from '../schema/resource.js'
import type { Version } from '../schema/version-field.js'
import type { Args } from './guard/argument-helpers.js'

declare const TYPES: unique symbol

/**
 * The API of a model that the actions of its RPC routes receive. It connects a route to its handler's options and to the types of the
 * Prisma client.
 */
export interface RpcModelApi<T extends TypeMap, N extends ModelName<T>> {
  readonly [TYPES]?: (types: T) => N
}

/** The RPC routes of one model. The emitted `rpc.ts` exports them, and the emitted `RPCApiHandler` mounts them. */
export interface RpcRouter<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (app: App, api: RpcModelApi<T, N>) => void
}

/**
 * Defines the RPC routes of a model. Called by the emitted `rpc.ts`.
 * @param resource the exposed fields and relations of the model
 * @param build registers the routes on a Hono app; called once per handler
 */
export function router<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R & NoInfer<FitsModel<R, Member<T['model'][N], 'payload'>>>,
  build: (app: App, api: RpcModelApi<T, N>) => void,
): RpcRouter<R, T, N> {
  return { resource, build }
}

/** The RPC routers of a schema, by model name. The emitted `index.ts` mounts them. */
export type RpcRouters = Readonly<
  // Accepts the router of any model. Its types exist only in the emitted code.
  Record<string, { readonly resource: Resource; readonly build: (app: App, api: never) => void }>
>

/** The context that the routers of all models share. */
export interface RouterContext {
  /** All property names that results can contain. */
  readonly names: ReadonlySet<string>
  readonly schema: Schema
  readonly limits: Limits
  readonly dialect: Dialect
  readonly adjust: AdjustArgs
  readonly lockableOf: LockableOf
  /** Undefined if the client loads relations only with separate queries. */
  readonly withSafeStrategy: WithSafeStrategy | undefined
  /** Undefined if no model has a version. */
  readonly versionedWrites: VersionedWrites | undefined
}

/** An update or a delete of one row. */
interface WriteCall {
  readonly orm: unknown
  readonly model: Model
  readonly args: Args
}

/** Writes that compare the version of a row with the one in `where`. */
export interface VersionedWrites {
  /**
   * Makes an update or a delete of a row conditional if its `where` contains a version. If the row has a different version, the call fails
   * with a 412. If the row does not exist, it fails with a 404.
   * @param run a function that wraps the call, for example in a lock; if undefined, the call is made directly
   * @returns `run` if `where` contains no version
   */
  withVersionCheck(
    call: WriteCall,
    run: PreparedRoute['run'],
    dialect: Dialect,
    lockableOf: LockableOf,
  ): PreparedRoute['run']
  /** Compares the version in `where` with that of the row. */
  compareVersion(row: VersionedRow): Promise<VersionState>
  /**
   * Returns the 412 for an outdated version.
   * @param path the path of the version in the arguments
   */
  versionConflictError(model: Model, path: string): RequestError
}

/** Whether a row has the expected version. */
export type VersionState = 'current' | 'outdated' | 'missing'

/** A row that a request expects to have a version. */
export interface VersionedRow {
  readonly orm: unknown
  readonly model: Model
  /** The version field of the model. */
  readonly version: Version
  /** The unique criteria of the row, with its version. */
  readonly where: Args
}
