import type { Context } from 'hono'

import type { ArgsOf, Member, ModelName, TypeMap } from '../../prisma/client-types.js'
import type { OutputOf, StandardSchema } from '../../http/standard-schema.js'
import type { JsonObject } from '../request/request-errors.js'

/**
 * The API that custom routes receive in addition to the Hono app. It provides the building blocks of the emitted routes. `O` is the type of
 * the client, and `C` is the type of the app's context. Errors thrown by these functions are rendered as in emitted routes.
 */
export interface RestApi<T extends TypeMap, N extends ModelName<T>, O, C> {
  /** Returns the context of this request, as returned by the adapter's `context` option. */
  context(c: Context): Promise<C>
  /** Returns the client of this request, as returned by the adapter's `getOrm` option. Emitted routes use the same client. */
  orm(c: Context): Promise<O>
  /**
   * Parses the id in a path parameter and returns it as a unique `where`.
   * @param parameter the parameter's name. Default: `id`
   * @throws RequestError 404 if no row can have this id
   */
  id<M extends N>(c: Context, model: M, parameter?: string): WhereOf<T, M, 'findUnique'>
  /**
   * Parses the parameters that determine the response (`include`, `fields`, `Accept`) and returns the arguments that load it. If these
   * arguments are spread into a call that returns one row, `reply` does not need an additional query. The request selects the row's fields,
   * so the row's type has no properties.
   * @throws RequestError 400, 406
   */
  select<M extends N>(c: Context, model: M): SelectedArgs
  /**
   * Returns the arguments of `findMany` for the request's `filter`, `sort` and `page`, including those of `select`.
   * @throws RequestError 400, 406, 422
   */
  query<M extends N>(c: Context, model: M): SelectedArgs & WindowOf<T, M>
  /**
   * Reads and parses the JSON body, within the limits.
   * @param schema a zod schema, or another Standard Schema, that the body must match
   * @throws RequestError 400, 413, 415; 422 with pointers if the schema rejects the body
   */
  body(c: Context): Promise<JsonObject>
  body<S extends StandardSchema>(c: Context, schema: S): Promise<OutputOf<S>>
  /**
   * Responds with a document, as emitted routes do: a resource for one row, a collection for a list, or `data: null` if `rows` is null. The
   * document contains what the request selects (`include`, `fields`) but no hidden fields, even if the rows contain them. Missing fields
   * are loaded. `mask` hooks are applied, even if the app loaded the rows with a different client.
   * @param rows the rows, each with its id
   * @throws RequestError 400, 406; 404 if a row that must be loaded does not exist, or 403 if the request is a write
   */
  reply<M extends N>(
    c: Context,
    model: M,
    rows: object | readonly object[] | null,
    options?: ReplyOptions,
  ): Promise<Response>
}

/** Options for `reply` of {@link RestApi}. */
export interface ReplyOptions {
  /** Status of the response. Default: 200. */
  readonly status?: 200 | 201 | 202
  /** Total number of rows in the list. If `query` selected the rows, the document then contains links to the other pages. */
  readonly total?: number
}

/** Arguments that load the fields of a response. */
export interface SelectedArgs {
  // The caller of the API selects the fields, so code cannot rely on any of them.
  readonly select: Readonly<Record<never, true>>
}

/** The `where` of an operation. */
type WhereOf<T extends TypeMap, N extends ModelName<T>, O extends string> = Member<ArgsOf<T, N, O>, 'where'>

/** The rows of a collection that a request selects. */
interface WindowOf<T extends TypeMap, N extends ModelName<T>> {
  readonly where: NonNullable<WhereOf<T, N, 'findMany'>>
  readonly orderBy: NonNullable<Member<ArgsOf<T, N, 'findMany'>, 'orderBy'>>
  readonly skip: number
  readonly take?: number
}

/** The options of `reply`, including those that only declared routes set. */
export interface ErasedReplyOptions extends ReplyOptions {
  /** The query parameters of the route itself, for the `self` link. */
  readonly parameters?: readonly { readonly name: string; readonly value: string }[]
}

/** A {@link RestApi} without the client's types, which exist only in the emitted code. */
export interface ErasedRestApi {
  context(c: Context): Promise<unknown>
  orm(c: Context): Promise<unknown>
  id(c: Context, model: string, parameter?: string): object
  select(c: Context, model: string): object
  query(c: Context, model: string): object
  body(c: Context, schema?: StandardSchema): Promise<unknown>
  reply(c: Context, model: string, rows: unknown, options?: ErasedReplyOptions): Promise<Response>
}
