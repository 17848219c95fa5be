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

/**
 * A custom route that both handlers can serve. `N` are the names of the exposed models, `I` the schemas of bodies and queries, and `S` those
 * of results.
 */
export type RouteDeclaration<
  N extends string = string,
  I extends object = StandardSchema<object>,
  S extends object = StandardSchema,
> = {
  /** The path below the model or group in REST, such as `/:id/publish`. `:id` is the model's id. */
  readonly path: `/${string}`
  /**
   * The result: the name of a model for a row, a list with the name for several rows, or a schema for another value. Default: the route
   * has no result.
   */
  readonly result?: N | readonly [N] | S
  /**
   * The models that the route writes. The clients' TanStack Query mutations invalidate their queries. Default: the route's model, unless
   * the method is GET. A route without a model writes no models by default.
   */
  readonly writes?: readonly N[]
  /** The error codes that the route can return, with their statuses. */
  readonly errors?: Readonly<Record<string, HttpErrorStatus>>
} & (
  | {
      readonly method: 'GET'
      /** The schema of the query parameters. In REST, their values are strings. */
      readonly query?: I
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
      readonly query?: I
      readonly body?: never
      readonly transaction?: never
    }
  | ({
      readonly method: 'DELETE'
      /** The schema of the query parameters. In REST, their values are strings. */
      readonly query?: I
      readonly body?: never
      readonly list?: never
    } & TransactionOption)
  | ({
      readonly method: 'POST' | 'PUT' | 'PATCH'
      /** The schema of the body. */
      readonly body?: I
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
export type RouteDeclarations<N extends string = string> = Groups<N, RouteDeclaration<N>>

/**
 * Declarations whose schemas can be any objects. `implementRoutes` checks the schemas. If `declareRoutes` did, the compiler would resolve the
 * types of all schemas for each completion in an editor.
 */
export type RoutesWithAnySchema<N extends string> = Groups<N, RouteDeclaration<N, object, object>>

type Groups<N extends string, R> = {
  // For suggestions in editors.
  readonly [K in Uncapitalize<N>]?: Readonly<Record<string, R>>
} & Readonly<Record<string, Readonly<Record<string, R>> | undefined>>

/** Custom routes whose declarations are known, for the API description. */
export interface DeclaringRoutes {
  readonly declarations?: RouteDeclarations
}

/**
 * Rejects what the type of the declarations cannot: unknown properties, invalid lists of models, and ids in groups without a model. Valid
 * declarations are checked together, because checking each one would slow down completions in editors.
 */
export type ExactRoutes<R, N extends string> = ([Exclude<KeyOf<AnyRoute<R>>, Property>] extends [never]
  ? unknown
  : WithAllowedProperties<R>) &
  ([ListResult<AnyRoute<R>>] extends [readonly [N]] ? unknown : WithListsOf<R, N>) &
  WithoutModels<R, Exclude<keyof R, Uncapitalize<N>>>

type Property = 'method' | 'path' | 'query' | 'body' | 'result' | 'list' | 'writes' | 'errors' | 'transaction'

/** The union of all declarations. */
type AnyRoute<R> = ValueOf<R[keyof R]>

type ValueOf<T> = T extends unknown ? T[keyof T] : never

type KeyOf<T> = T extends unknown ? keyof T : never

/** The lists of model names in the results of declarations. */
type ListResult<D> = D extends { readonly result: infer S extends readonly unknown[] } ? S : never

/** Rejects unknown properties of each declaration. */
type WithAllowedProperties<R> = {
  readonly [G in keyof R]: {
    readonly [A in keyof R[G]]: { readonly [P in Exclude<keyof R[G][A], Property>]: never }
  }
}

/** Rejects lists in results that are not the name of one model. */
type WithListsOf<R, N extends string> = {
  readonly [G in keyof R]: {
    readonly [A in keyof R[G]]: [ListResult<R[G][A]>] extends [never] ? unknown : { readonly result: readonly [N] }
  }
}

/** Rejects ids in the paths of the groups `G`, which have no model. */
type WithoutModels<R, G extends keyof R> = [G] extends [never]
  ? unknown
  : { readonly [K in G]: { readonly [A in keyof R[K]]: WithoutModel<R[K][A], K & string> } }

type WithoutModel<R, G extends string> = R extends { readonly path: `${string}/:id` | `${string}/:id/${string}` }
  ? { readonly path: Invalid<`The path contains ":id", but "${G}" is not a model.`> }
  : unknown
