import type { InputOf, OutputOf, StandardSchema } from '../http/standard-schema.js'
import type { ArgsOf, Member, ModelName, TypeMap } from '../prisma/client-types.js'
import type { SelectedArgs } from '../rest/custom/rest-api.js'

/**
 * The functions that implement declared routes. `M` are the models of the emitted `Api`, `O` is the type of the client, and `C` the type of
 * the app's context.
 */
export type RouteImplementations<T extends TypeMap, M, R, O, C> = {
  readonly [G in keyof R]: {
    readonly [A in keyof R[G]]: (
      call: RouteCall<T, Member<M, ModelOf<keyof M & string, G>>, R[G][A], O, C>,
    ) => ResultOf<M, R[G][A]> | PromiseLike<ResultOf<M, R[G][A]>>
  }
}

/** The argument of a function that implements a route. `Model` is the model of the group. */
type RouteCall<T extends TypeMap, Model, R, O, C> = {
  /** The client of the request, as returned by the adapter's `getOrm` option. */
  readonly orm: O
  /** The context of the request, as returned by the adapter's `context` option. */
  readonly context: C
} & (R extends { readonly path: `${string}/:id` | `${string}/:id/${string}` }
  ? {
      /** The id in the request, as a unique `where`, and the version, if the request contains it. The row may not exist. */
      readonly where: UniqueWhere<Model>
    }
  : unknown) &
  (R extends { readonly body: infer S extends StandardSchema } ? { readonly body: OutputOf<S> } : unknown) &
  (R extends { readonly query: infer S extends StandardSchema } ? { readonly query: OutputOf<S> } : unknown) &
  (R extends { readonly list: true; readonly result: readonly [infer E extends ModelName<T>] }
    ? {
        /**
         * The arguments of `findMany` for the request. To add a condition, keep `args.where`:
         * `findMany({ ...args, where: { AND: [args.where, …] } })`. The rows have no typed properties, because the request selects them.
         */
        readonly args: ListArgs<T, E>
      }
    : unknown) &
  (R extends { readonly errors: infer E }
    ? {
        /**
         * Creates one of the declared errors: `throw fail('already-published', 'The post is already published.')`. The third argument is the
         * property of the body or query that caused it, or its path, such as `['items', 1, 'quantity']`. Forms show the error next to this
         * field.
         */
        readonly fail: (
          code: keyof E & string,
          detail: string,
          field?: InputName<R> | readonly [InputName<R>, ...(string | number)[]],
        ) => Error
      }
    : unknown)

/** The names of the properties of a route's body or query. */
type InputName<R> = R extends
  { readonly body: infer S extends StandardSchema } | { readonly query: infer S extends StandardSchema }
  ? keyof InputOf<S> & string
  : never

/** The arguments of `findMany` that a request determines. A type alias, because Prisma ignores the `select` of an interface. */
type ListArgs<T extends TypeMap, N extends ModelName<T>> = {
  readonly select: SelectedArgs['select']
  /** The conditions. `{}` if there are none. */
  readonly where: FindManyArg<T, N, 'where'>
  readonly orderBy?: FindManyArg<T, N, 'orderBy'>
  readonly skip?: number
  readonly take?: number
  readonly cursor?: FindManyArg<T, N, 'cursor'>
  readonly distinct?: FindManyArg<T, N, 'distinct'>
}

type FindManyArg<T extends TypeMap, N extends ModelName<T>, K extends string> = NonNullable<
  Member<ArgsOf<T, N, 'findMany'>, K>
>

/** The model of a delegate name, or never if a group has no model. */
type ModelOf<N extends string, D> = N extends unknown ? (Uncapitalize<N> extends D ? N : never) : never

/** The unique `where` of a row: its id and, if the model has versions, its version. */
type UniqueWhere<Model> = Model extends { readonly resource: infer R; readonly payload: { readonly scalars: infer F } }
  ? IdWhere<R, F> & { readonly [K in VersionOf<R> & keyof F]?: F[K] | { in: F[K][] } }
  : never

type IdWhere<R, F> = R extends { readonly id: infer I extends string }
  ? I extends keyof F
    ? Pick<F, I>
    : { readonly [K in I]: Pick<F, IdOf<R> & keyof F> }
  : never

/** The name of the version field of a resource. */
type VersionOf<R> = R extends { readonly fields: infer D }
  ? { [K in keyof D]: D[K] extends { readonly version: unknown } ? K : never }[keyof D]
  : never

type ResultOf<M, R> = R extends { readonly result: infer S }
  ? S extends keyof M
    ? RowOf<M[S]> | (R extends { readonly nullable: true } ? null : never)
    : S extends readonly [infer E extends keyof M]
      ? R extends { readonly list: true }
        ? readonly ListRowOf<M[E]>[] | ListPage<ListRowOf<M[E]>>
        : readonly RowOf<M[E]>[]
      : S extends StandardSchema
        ? InputOf<S>
        : never
  : void

/** A row of a model: its id, and any of its other fields. */
type RowOf<Model> = Model extends { readonly resource: infer R; readonly payload: { readonly scalars: infer F } }
  ? Pick<F, IdOf<R> & keyof F> & Partial<F>
  : never

/** The names of the id fields of a resource. A compound id is one of its unique criteria. */
type IdOf<R> = R extends { readonly id: infer I }
  ? R extends { readonly uniques: infer U }
    ? I extends keyof U
      ? ItemOf<U[I]>
      : I
    : I
  : never

type ItemOf<L> = L extends readonly (infer F)[] ? F : never

/** A row of a list route. The request selects its fields, so their names are unknown. */
type ListRowOf<Model> = Model extends { readonly payload: { readonly scalars: infer F } } ? Partial<F> : never

/** The rows of a list route, and the number of rows on all pages. REST then responds with links to the other pages. */
interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly total?: number
}
