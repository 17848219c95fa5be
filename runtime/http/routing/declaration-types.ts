/*
 * The types of route declarations, for the emitted `declare-routes.ts`. This is a separate entry point, so that importing these types does
 * not load those of the runtime.
 */
import type { HttpErrorStatus } from '../../errors/http-error.js'
import type { StandardSchema } from '../standard-schema.js'

/** A custom route that both handlers can serve. `N` are the names of the exposed models. */
export type RouteDeclaration<N extends string = string> = {
  /** The path below the model in REST, such as `/:id/publish`. `:id` is the model's id. */
  readonly path: `/${string}`
  /**
   * The result: the name of a model for a row, a list with the name for several rows, or a schema for another value. Default: the route
   * has no result.
   */
  readonly result?: N | readonly [N] | StandardSchema
  /**
   * The models that the route writes. The clients' TanStack Query mutations invalidate their queries. Default: the route's model, unless
   * the method is GET.
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
    }
  | {
      readonly method: 'POST' | 'PUT' | 'PATCH'
      /** The schema of the body. */
      readonly body?: StandardSchema<object>
      readonly query?: never
    }
)

/** Custom routes by the delegate name of their model and their own name. */
export type RouteDeclarations<N extends string = string> = {
  readonly [K in Uncapitalize<N>]?: Readonly<Record<string, RouteDeclaration<N>>>
}

/** Custom routes whose declarations are known, for the API description. */
export interface DeclaringRoutes {
  readonly declarations?: RouteDeclarations
}

/** Rejects unknown models and unknown properties. TypeScript does not report excess properties of an inferred type. */
export type ExactRoutes<R, N extends string> = {
  readonly [M in keyof R]: M extends Uncapitalize<N>
    ? {
        readonly [A in keyof R[M]]: R[M][A] & {
          readonly [
            P in Exclude<keyof R[M][A], 'method' | 'path' | 'query' | 'body' | 'result' | 'writes' | 'errors'>
          ]: never
        }
      }
    : never
}
