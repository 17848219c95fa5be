import type { Context } from 'hono'

import type { ArgsOf, Member, ModelName, TypeMap } from '../../orm/client-types.js'
import type { Parser } from '../../values/parser.js'
import type { JsonObject } from '../request/body.js'

/**
 * What routes of your own are given, beside the app that they are put on: the means of the emitted ones. `O` is the client, `C` what
 * the app says of a request. Whatever these functions throw is answered as it would be in an emitted route.
 */
export interface RestApi<T extends TypeMap, N extends ModelName<T>, O, C> {
  /** What the app says of this request: the adapter's `context`. */
  context(c: Context): Promise<C>
  /** The client of this request, the same one that emitted routes are given: the adapter's `getOrm`. */
  orm(c: Context): Promise<O>
  /**
   * The id that a parameter of the path holds, as a unique `where`.
   * @param parameter its name. Default: `id`
   * @throws 404 where no row can have it
   */
  id<M extends N>(c: Context, model: M, parameter?: string): WhereOf<T, M, 'findUnique'>
  /**
   * Checks what the request says of the answer (`include`, `fields`, `Accept`), and gives the arguments that load it. Spread into a call that
   * gives one row, it saves `reply` the query. Of such a row only what the answer shows is known, so its type has no members.
   * @throws 400, 406
   */
  select<M extends N>(c: Context, model: M): SelectedArgs
  /**
   * The arguments of `findMany` that the request's `filter`, `sort` and `page` ask for, with those of `select`.
   * @throws 400, 406, 422
   */
  query<M extends N>(c: Context, model: M): SelectedArgs & WindowOf<T, M>
  /**
   * Reads the body: JSON, within the limits.
   * @param parser what it must be, as a zod schema
   * @throws 400, 413, 415; 422 for what the parser refuses, with pointers
   */
  body(c: Context): Promise<JsonObject>
  body<V>(c: Context, parser: Parser<V>): Promise<V>
  /**
   * Answers with a document, as emitted routes do: one row as GET of it, a list as a collection, null as an empty answer. It shows what the
   * request asks for (`include`, `fields`), and nothing that is hidden, whatever the rows hold; what they lack is loaded.
   * `mask` hooks are applied, also to rows that the app loaded with another client.
   * @param rows each with its id
   * @throws 400, 406; 404 where a row that is to be loaded is not there
   */
  reply<M extends N>(
    c: Context,
    model: M,
    rows: object | readonly object[] | null,
    options?: ReplyOptions,
  ): Promise<Response>
}

/** How a {@link RestApi} replies. */
export interface ReplyOptions {
  /** Status of the answer. Default: 200. */
  readonly status?: 200 | 201 | 202
  /** Of a list: how many rows there are in all. With `query`, the document has the links of its page. */
  readonly total?: number
}

/** Arguments that load what an answer shows. */
export interface SelectedArgs {
  // What is loaded is the caller's choice: nothing that code could rely on.
  readonly select: Readonly<Record<never, true>>
}

/** The condition of an operation. */
type WhereOf<T extends TypeMap, N extends ModelName<T>, O extends string> = Member<ArgsOf<T, N, O>, 'where'>

/** Which rows of a collection a request asks for. */
interface WindowOf<T extends TypeMap, N extends ModelName<T>> {
  readonly where: NonNullable<WhereOf<T, N, 'findMany'>>
  readonly orderBy: NonNullable<Member<ArgsOf<T, N, 'findMany'>, 'orderBy'>>
  readonly skip: number
  readonly take?: number
}

/** The same without the client's types, which emitted code alone knows. */
export interface ErasedRestApi {
  context(c: Context): Promise<unknown>
  orm(c: Context): Promise<unknown>
  id(c: Context, model: string, parameter?: string): object
  select(c: Context, model: string): object
  query(c: Context, model: string): object
  body(c: Context, parser?: Parser<unknown>): Promise<unknown>
  reply(c: Context, model: string, rows: unknown, options?: ReplyOptions): Promise<Response>
}
