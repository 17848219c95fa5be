import type { Context } from 'hono'

import type { ModelName, TypeMap } from '../../orm/client-types.js'
import type { Parser } from '../../values/parser.js'

/**
 * The API that custom routes receive in addition to the app. It does what emitted routes do. `O` is the type of the client, `C` of the
 * app's context. Errors thrown by its functions are rendered like those of emitted routes.
 */
export interface RpcApi<T extends TypeMap, N extends ModelName<T>, O, C> {
  /** Returns the app's context of the request, from the adapter's `context`. */
  context(c: Context): Promise<C>
  /** Returns the client of the request that emitted routes also use, from the adapter's `getOrm`. */
  orm(c: Context): Promise<O>
  /**
   * Reads the arguments like emitted routes: from the body, or from `q` and `meta` for GET and DELETE. Limits apply, and `meta` specifies
   * the types of values. The optional parser is a zod schema.
   * @throws RequestError 400, with `issues` if the parser rejects the arguments; 413 or 415
   */
  args(c: Context): Promise<Readonly<Record<string, unknown>>>
  args<V>(c: Context, parser: Parser<V>): Promise<V>
  /**
   * Responds with rows of a model, as emitted routes do. Hidden members are removed, at any depth, and `mask` hooks are applied, also to
   * rows that the app loaded with another client.
   * @param status Status of the response. Default: 200.
   */
  reply<M extends N>(
    c: Context,
    model: M,
    rows: object | readonly object[] | null,
    status?: 200 | 201,
  ): Promise<Response>
  /**
   * Responds with a value that is not a row, such as `{ count: 3 }`. The response contains all of it.
   * @param status Status of the response. Default: 200.
   */
  value(c: Context, value: unknown, status?: 200 | 201): Response
}

/** An {@link RpcApi} without the client's types, which only the emitted code knows. */
export interface ErasedRpcApi {
  context(c: Context): Promise<unknown>
  orm(c: Context): Promise<unknown>
  args(c: Context, parser?: Parser<unknown>): Promise<unknown>
  reply(c: Context, model: string, rows: unknown, status?: 200 | 201): Promise<Response>
  value(c: Context, value: unknown, status?: 200 | 201): Response
}
