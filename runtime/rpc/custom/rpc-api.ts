import type { Context } from 'hono'

import type { ModelName, TypeMap } from '../../prisma/client-types.js'
import type { OutputOf, StandardSchema } from '../../http/standard-schema.js'

/**
 * The API that custom routes receive in addition to the Hono app. It provides the building blocks of the emitted routes. `O` is the type of
 * the client, and `C` is the type of the app's context. Errors thrown by its functions are rendered as in emitted routes.
 */
export interface RpcApi<T extends TypeMap, N extends ModelName<T>, O, C> {
  /** Returns the context of the request, as returned by the adapter's `context` option. */
  context(c: Context): Promise<C>
  /** Returns the client of the request, as returned by the adapter's `getOrm` option. Emitted routes use the same client. */
  orm(c: Context): Promise<O>
  /**
   * Reads the arguments as emitted routes do: from the body, or from `q` and `meta` for GET and DELETE. Limits apply, and `meta` specifies
   * the types of values. The optional schema is a zod schema or another Standard Schema.
   * @throws RequestError 400, with `issues` if the schema rejects the arguments; 413 or 415
   */
  args(c: Context): Promise<Readonly<Record<string, unknown>>>
  args<S extends StandardSchema>(c: Context, schema: S): Promise<OutputOf<S>>
  /**
   * Responds with rows of a model, as emitted routes do. Hidden fields and relations are removed at any depth, and `mask` hooks are
   * applied, even if the app loaded the rows with a different client.
   * @param status Status of the response. Default: 200.
   */
  reply<M extends N>(
    c: Context,
    model: M,
    rows: object | readonly object[] | null,
    status?: 200 | 201,
  ): Promise<Response>
  /**
   * Responds with a value that is not a row, such as `{ count: 3 }`. The response contains all of its properties.
   * @param status Status of the response. Default: 200.
   */
  value(c: Context, value: unknown, status?: 200 | 201): Response
}

/** An {@link RpcApi} without the client's types, which exist only in the emitted code. */
export interface ErasedRpcApi {
  context(c: Context): Promise<unknown>
  orm(c: Context): Promise<unknown>
  args(c: Context, schema?: StandardSchema): Promise<unknown>
  reply(c: Context, model: string, rows: unknown, status?: 200 | 201): Promise<Response>
  value(c: Context, value: unknown, status?: 200 | 201): Response
}
