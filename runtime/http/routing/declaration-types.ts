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
 * of results. {@link ExactRoutes} checks which properties a method allows. A union of types for each method would make completions in
 * editors slower.
 */
export interface RouteDeclaration<
  N extends string = string,
  I extends object = StandardSchema<object>,
  S extends object = StandardSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the model or group in REST, such as `/:id/publish`. `:id` is the model's id. */
  readonly path: `/${string}`
  /** The schema of the body. Not for GET and DELETE. */
  readonly body?: I
  /** The schema of the query parameters. Only for GET and DELETE. In REST, their values are strings. */
  readonly query?: I
  /**
   * The result: the name of a model for a row, a list with the name for several rows, or a schema for another value. Default: the route
   * has no result.
   */
  readonly result?: N | readonly [N] | S
  /** Whether the route can return null instead of a row. Requires `result` to be the name of a model. */
  readonly nullable?: true
  /**
   * Whether callers can filter, sort, paginate and select the rows as in the generated list. The function of the route then receives
   * the arguments of `findMany` as `args`. Only for GET with several rows as its result. `query` contains additional parameters.
   */
  readonly list?: true
  /**
   * The models that the route writes. The clients' TanStack Query mutations invalidate their queries. Default: the route's model, unless
   * the method is GET. A route without a model writes no models by default.
   */
  readonly writes?: readonly N[]
  /** The error codes that the route can return, with their statuses. */
  readonly errors?: Readonly<Record<string, HttpErrorStatus>>
  /**
   * Allows the route in RPC transactions and REST atomic operations. Its function then receives the client of the transaction, and may run
   * again after a conflict. Only changes that it makes with this client are rolled back. Default: the route is not allowed there. Not for
   * GET.
   */
  readonly transaction?: true
  /** A short title of the route, for the OpenAPI documents. Default: the names of the group and the route. */
  readonly summary?: string
  /** An explanation of the route in Markdown, for the OpenAPI documents. */
  readonly description?: string
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
 * Rejects what the type of the declarations cannot: properties that do not exist or that the method does not allow, results that are not
 * valid or do not match `list` or `nullable`, and ids in groups without a model. Valid declarations are checked together, because checking
 * each one would slow down completions in editors.
 */
export type ExactRoutes<R, N extends string> = ([InvalidProperty<AnyRoute<R>>] extends [never]
  ? unknown
  : WithValidProperties<R>) &
  ([ResultProblem<AnyRoute<R>, N>] extends [never] ? unknown : WithValidResults<R, N>) &
  WithoutModels<R, Exclude<keyof R, Uncapitalize<N>>>

/** The union of all declarations. */
type AnyRoute<R> = ValueOf<R[keyof R]>

type ValueOf<T> = T extends unknown ? T[keyof T] : never

/** The names of the properties that a declaration must not have. */
type InvalidProperty<D> = D extends { readonly method: infer M } ? Exclude<keyof D, PropertyOf<M>> : never

/** The properties of a declaration with the method `M`. */
type PropertyOf<M> =
  | 'method'
  | 'path'
  | 'result'
  | 'nullable'
  | 'writes'
  | 'errors'
  | 'summary'
  | 'description'
  | (M extends 'GET' ? 'query' | 'list' : M extends 'DELETE' ? 'query' | 'transaction' : 'body' | 'transaction')

type WithValidProperties<R> = {
  readonly [G in keyof R]: {
    readonly [A in keyof R[G]]: { readonly [P in InvalidProperty<R[G][A]>]: InvalidIn<R[G][A], P> }
  }
}

type InvalidIn<D, P> = D extends { readonly method: infer M extends string }
  ? Invalid<`A ${M} route has no property '${P & string}'.`>
  : never

/** Why the result of a declaration is invalid: a list of anything but one model, or a property that requires a different result. */
type ResultProblem<D, N extends string> = D extends { readonly nullable: true }
  ? D extends { readonly result: string }
    ? never
    : "A route with 'nullable' must have a row as its result, such as 'Post'."
  : D extends { readonly result: infer S extends readonly unknown[] }
    ? S extends readonly [N]
      ? never
      : S extends readonly [infer E extends string]
        ? `"${E}" is not an exposed model.`
        : "A list must contain the name of one model, such as ['Post']."
    : D extends { readonly list: true }
      ? "A route with 'list' must have a list as its result, such as ['Post']."
      : never

type WithValidResults<R, N extends string> = {
  readonly [G in keyof R]: {
    readonly [A in keyof R[G]]: [ResultProblem<R[G][A], N>] extends [never]
      ? unknown
      : { readonly result: Invalid<ResultProblem<R[G][A], N>> }
  }
}

/** Rejects ids in the paths of the groups `G`, which have no model. */
type WithoutModels<R, G extends keyof R> = [G] extends [never]
  ? unknown
  : { readonly [K in G]: { readonly [A in keyof R[K]]: WithoutModel<R[K][A], K & string> } }

type WithoutModel<R, G extends string> = R extends { readonly path: `${string}/:id` | `${string}/:id/${string}` }
  ? { readonly path: Invalid<`The path contains ":id", but "${G}" is not a model.`> }
  : unknown
