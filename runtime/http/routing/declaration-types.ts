/*
 * The types of route declarations, for the emitted `declare-routes.ts`. This is a separate entry point, so that importing these types does
 * not load those of the runtime.
 */
import type { HttpErrorStatus } from '../../errors/http-error.js'
import type { StandardSchema } from '../standard-schema.js'

declare const REASON: unique symbol

/** The type of a property that a declaration must not have. The compiler shows the sentence `S` in its message. */
interface Invalid<S extends string> {
  readonly [REASON]: S
}

/** A custom route that both handlers can serve. `N` are the names of the exposed models. */
export type RouteDeclaration<N extends string = string> = {
  /** The path below the model or group in REST, such as `/:id/publish`. `:id` is the model's id. */
  readonly path: `/${string}`
  /**
   * The result: the name of a model for a row, a list with the name for several rows, or a schema for another value. Default: the route
   * has no result.
   */
  readonly result?: N | readonly [N] | StandardSchema
  /**
   * The models that the route writes. The clients' TanStack Query mutations invalidate their queries. Default: the route's model, unless
   * the method is GET. A route without a model writes no models by default.
   */
  readonly writes?: readonly N[]
  /** The error codes that the route can return, with their statuses. */
  readonly errors?: Readonly<Record<string, HttpErrorStatus>>
} & (
  | {
      readonly method: 'GET' | 'DELETE'
      /** The schema of the query parameters. In REST, their values are strings. */
      readonly query?: StandardSchema<object>
      readonly body?: never
      readonly list?: never
      readonly transaction?: never
    }
  | {
      readonly method: 'GET'
      readonly result: readonly [N]
      /**
       * Whether callers can filter, sort, paginate and select the rows as in the generated list. The function of the route then receives
       * the arguments of `findMany` as `args`.
       */
      readonly list: true
      /** The schema of additional query parameters. In REST, their values are strings. */
      readonly query?: StandardSchema<object>
      readonly body?: never
      readonly transaction?: never
    }
  | ({
      readonly method: 'DELETE'
      readonly query?: never
      readonly body?: never
      readonly list?: never
    } & TransactionOption)
  | ({
      readonly method: 'POST' | 'PUT' | 'PATCH'
      /** The schema of the body. */
      readonly body?: StandardSchema<object>
      readonly query?: never
      readonly list?: never
    } & TransactionOption)
)

interface TransactionOption {
  /**
   * Allows the route in RPC transactions and REST atomic operations. Its function then receives the client of the transaction, and may run
   * again after a conflict. Only changes that it makes with this client are rolled back. Default: the route is not allowed there.
   */
  readonly transaction?: true
}

/** Custom routes by their group and their own name. A group is the delegate name of a model, or another name. */
export type RouteDeclarations<N extends string = string> = {
  // For suggestions in editors.
  readonly [K in Uncapitalize<N>]?: RouteGroup<N>
} & Readonly<Record<string, RouteGroup<N> | undefined>>

type RouteGroup<N extends string> = Readonly<Record<string, RouteDeclaration<N>>>

/** Custom routes whose declarations are known, for the API description. */
export interface DeclaringRoutes {
  readonly declarations?: RouteDeclarations
}

/** Rejects unknown properties, and ids in groups without a model. TypeScript does not report excess properties of an inferred type. */
export type ExactRoutes<R, N extends string> = {
  readonly [G in keyof R]: {
    readonly [A in keyof R[G]]: R[G][A] & {
      readonly [
        P in Exclude<
          keyof R[G][A],
          'method' | 'path' | 'query' | 'body' | 'result' | 'list' | 'writes' | 'errors' | 'transaction'
        >
      ]: never
    } & (G extends Uncapitalize<N> ? unknown : WithoutModel<R[G][A], G & string>)
  }
}

/** Rejects what only the routes of a model can have: an id in the path, and `transaction`. */
type WithoutModel<R, G extends string> = R extends { readonly path: `${string}/:id` | `${string}/:id/${string}` }
  ? { readonly path: Invalid<`The path contains ":id", but "${G}" is not a model.`> }
  : { readonly transaction?: Invalid<`Transactions contain only routes of models, but "${G}" is not a model.`> }
