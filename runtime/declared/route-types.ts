import type { InputOf, OutputOf, StandardSchema } from '../http/standard-schema.js'
import type { ArgsOf, Member, ModelName, TypeMap } from '../prisma/client-types.js'

/** The functions that implement declared routes. `O` is the type of the client, and `C` the type of the app's context. */
export type RouteImplementations<T extends TypeMap, N extends ModelName<T>, R, O, C> = {
  readonly [M in keyof R]: {
    readonly [A in keyof R[M]]: (
      call: RouteCall<T, ModelOf<N, M>, R[M][A], O, C>,
    ) => ResultOf<T, N, R[M][A]> | PromiseLike<ResultOf<T, N, R[M][A]>>
  }
}

/** The argument of a function that implements a route. */
type RouteCall<T extends TypeMap, N extends ModelName<T>, R, O, C> = {
  /** The client of the request, as returned by the adapter's `getOrm` option. */
  readonly orm: O
  /** The context of the request, as returned by the adapter's `context` option. */
  readonly context: C
} & (R extends { readonly path: `${string}/:id` | `${string}/:id/${string}` }
  ? {
      /** The id in the request, as a unique `where`. The row may not exist. */
      readonly where: Member<ArgsOf<T, N, 'findUnique'>, 'where'>
    }
  : unknown) &
  (R extends { readonly body: infer S extends StandardSchema } ? { readonly body: OutputOf<S> } : unknown) &
  (R extends { readonly query: infer S extends StandardSchema } ? { readonly query: OutputOf<S> } : unknown) &
  (R extends { readonly errors: infer E }
    ? {
        /** Creates one of the declared errors: `throw fail('already-published', 'The post is already published.')`. */
        readonly fail: (code: keyof E & string, detail: string) => Error
      }
    : unknown)

type ModelOf<N extends string, D> = N extends unknown ? (Uncapitalize<N> extends D ? N : never) : never

type ResultOf<T extends TypeMap, N extends ModelName<T>, R> = R extends { readonly result: infer S }
  ? S extends N
    ? RowOf<T, S> | null
    : S extends readonly [infer E extends N]
      ? readonly RowOf<T, E>[]
      : S extends StandardSchema
        ? InputOf<S>
        : never
  : void

/** A row of a model. Its type does not state which fields are the id, so all are optional, but rows of other models do not fit. */
type RowOf<T extends TypeMap, N extends ModelName<T>> = Partial<
  Member<Member<T['model'][N], 'payload'> & object, 'scalars'>
>
