import type { Context } from 'hono'

import type { ModelName, TypeMap } from '../../orm/client-types.js'
import type { Parser } from '../../values/parser.js'

/**
 * What routes of your own are given, beside the app that they are put on: the means of the emitted ones. `O` is the client, `C` what
 * the app says of a request. Whatever these functions throw is answered as it would be in an emitted route.
 */
export interface RpcApi<T extends TypeMap, N extends ModelName<T>, O, C> {
  /** What the app says of this request: the adapter's `context`. */
  context(c: Context): Promise<C>
  /** The client of this request, the same one that emitted routes are given: the adapter's `getOrm`. */
  orm(c: Context): Promise<O>
  /**
   * Reads the arguments as emitted routes do: from the body, or with GET and DELETE from `q` and `meta`; within the limits, with the values
   * that `meta` tells the types of.
   * @param parser what they must be, as a zod schema
   * @throws 400, with `issues` for what the parser refuses; 413, 415
   */
  args(c: Context): Promise<Readonly<Record<string, unknown>>>
  args<V>(c: Context, parser: Parser<V>): Promise<V>
  /**
   * Responds with rows of a model, as emitted routes do. Hidden members are removed, at any depth, and `mask` hooks are applied, also to rows
   * that the app loaded with another client.
   * @param status Status of the response. Default: 200.
   */
  reply<M extends N>(
    c: Context,
    model: M,
    rows: object | readonly object[] | null,
    status?: 200 | 201,
  ): Promise<Response>
  /**
   * Answers with a value that is no row: `{ count: 3 }`. All of it is in the answer.
   * @param status of the answer. Default: 200
   */
  value(c: Context, value: unknown, status?: 200 | 201): Response
}

/** The same without the client's types, which emitted code alone knows. */
export interface ErasedRpcApi {
  context(c: Context): Promise<unknown>
  orm(c: Context): Promise<unknown>
  args(c: Context, parser?: Parser<unknown>): Promise<unknown>
  reply(c: Context, model: string, rows: unknown, status?: 200 | 201): Promise<Response>
  value(c: Context, value: unknown, status?: 200 | 201): Response
}
