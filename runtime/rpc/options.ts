import type { Hooks } from '../http/hooks-mount.js'
import type { Idempotency } from '../http/idempotency-middleware.js'
import type { LifecycleOptions } from '../http/lifecycle/options.js'
import type { Limits } from '../limits.js'
import type { ComputedNames } from '../schema/computed.js'
import type { CustomRpcRoutes } from './custom/define.js'
import type { RpcRoutesByModel } from './routes.js'
import type { DescribeRpc } from './handler-info.js'

/**
 * Options of the emitted `RPCApiHandler`. The contract has none; all of these may be left out. `C` is what the app says of a request.
 */
export interface RpcOptions<C = unknown, M extends RpcRoutesByModel = RpcRoutesByModel> extends LifecycleOptions {
  /**
   * Model name → computed fields of the client (`$extends({ result })`) that its rows are answered with, and that can be selected. The
   * emitted `exposeComputed` checks the names against a client. Default: none.
   */
  readonly computed?: ComputedNames<keyof M & string>
  /**
   * Routes of your own, at paths below the prefix. They come before the emitted ones, and see the same client; what
   * they do not answer, or leave to `next`, the emitted ones answer. Made with the emitted `defineRpcRoutes`. Default: none.
   */
  readonly routes?: CustomRpcRoutes<C>
  /**
   * Serves transactions at `POST /$transaction/sequential` below the prefix: a list of operations that are done in order, all of them or none.
   * Default: none are served.
   */
  readonly transactions?: boolean
  /**
   * Whether the error of a CHECK constraint, an exclusion constraint, a check option or a trigger has the database's own message instead of
   * a fixed one. The message may name tables, columns and constraints. Default: false.
   */
  readonly databaseMessages?: boolean
  /** What a request may ask for; the defaults for those left out. */
  readonly limits?: Partial<Limits>
  /**
   * Serves a description of the API as OpenAPI 3.1 at `/openapi.json` below the prefix, and a page to read it where it says so: `openApi({ … })` of
   * `@routewright/runtime/openapi`. Default: none is served.
   */
  readonly openapi?: DescribeRpc
  /**
   * Lets callers send a request that writes again without its being done twice, by the header `Idempotency-Key`: `idempotency({ … })` of
   * `@routewright/runtime/idempotency`. Default: the header is not looked at.
   */
  readonly idempotency?: Idempotency<C>
  /** What the app does around reads and writes, made with the emitted `defineHooks`. Default: nothing. */
  readonly hooks?: Hooks<C>
}
