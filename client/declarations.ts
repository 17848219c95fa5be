/** The types of declared custom routes, as the generated `declareRoutes` returns them. */
import type { AnyApi, Member, ModelName } from './api.js'
import type { Invalid } from './invalid.js'

/** A declared custom route. Schemas are not compared here: the generated `declareRoutes` has checked them. */
export interface RouteDeclaration {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly query?: object
  readonly result?: unknown
  readonly nullable?: boolean
  readonly list?: boolean
  readonly writes?: readonly string[]
  /** Error code → status. */
  readonly errors?: Readonly<Record<string, number>>
  readonly transaction?: boolean
}

/** Declared custom routes, by group and route. A group is the delegate name of a model, or another name. */
export type RouteDeclarations = Readonly<Record<string, Readonly<Record<string, RouteDeclaration>> | undefined>>

/** The model of a delegate name, or never if a group has no model. */
export type ModelOf<A extends AnyApi, D> =
  Capitalize<D & string> extends ModelName<A> ? Capitalize<D & string> : D extends ModelName<A> ? D : never

/** Whether the path of a route contains the model's id, like {@link hasId}. */
export type HasId<R> = R extends { readonly path: `${string}/:id` | `${string}/:id/${string}` } ? true : false

/** The type that the schema of a route's body or query accepts, or never if the route has neither. */
export type InputOf<R> = R extends { readonly body: infer S extends object }
  ? TypesOf<S, 'input'>
  : R extends { readonly query: infer S extends object }
    ? TypesOf<S, 'input'>
    : never

/**
 * The result of a route: one row, several rows, a list with parameters, a value or nothing, with the name of the model or the type of the
 * value. `empty` is null if the row may be missing.
 */
export type ResultOf<R> = R extends { readonly result: infer S }
  ? S extends string
    ? { readonly kind: 'row'; readonly model: S; readonly empty: R extends { readonly nullable: true } ? null : never }
    : S extends readonly [infer N extends string]
      ? { readonly kind: R extends { readonly list: true } ? 'list' : 'rows'; readonly model: N }
      : { readonly kind: 'value'; readonly value: TypesOf<S, 'output'> }
  : { readonly kind: 'none' }

/** The input or output type of a Standard Schema. */
type TypesOf<S, K> = Member<NonNullable<Member<Member<S, '~standard'>, 'types'>>, K>

/** The type guard of a route with declared errors. `E` is the error class of the client. */
export type ErrorGuard<R, E> = R extends { readonly errors: infer S }
  ? {
      /** Whether a caught error is one of the errors that the route declares. Narrows its `code` and `status`. */
      readonly isError: (error: unknown) => error is E & DeclaredError<S>
    }
  : unknown

/** The declared code and its status. */
type DeclaredError<S> = {
  readonly [K in keyof S & string]: { readonly code: K; readonly status: S[K] }
}[keyof S & string]

/** `M` if the route allows transactions. Otherwise, `call` is not callable, because `Function.prototype.call` would send the request. */
export type TransactionCall<R, M> = R extends { readonly transaction: true }
  ? M
  : {
      readonly call: Invalid<
        R extends { readonly method: 'GET' }
          ? 'A GET route cannot be part of a transaction.'
          : 'The declaration of this route lacks `transaction: true`.'
      >
    }

/**
 * A client `T` with additional members `M`. `T & M` would make the compiler resolve the types of all members as soon as it needs one. There are
 * two mapped types instead of one with `keyof T | keyof M`, because building that union takes quadratic time in the number of models.
 */
export type WithMembers<T, M> = {
  readonly [K in keyof T & string]: T[K] & Part<M, K>
} & { readonly [K in Exclude<keyof M, keyof T> & string]: M[K] }

type Part<T, K> = K extends keyof T ? T[K] : unknown

declare const ROUTES: unique symbol

/** Phantom property with the declared routes of a client. The functions that create TanStack Query options infer the routes from it. */
export interface WithRoutes<R> {
  readonly [ROUTES]?: R | undefined
}

/** Whether the path of a route contains the model's id. */
export function hasId({ path }: RouteDeclaration): boolean {
  return path.split('/').includes(':id')
}

/** Whether a route returns one row or several. */
export function hasRows({ result }: RouteDeclaration): boolean {
  return typeof result === 'string' || Array.isArray(result)
}
