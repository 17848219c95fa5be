import type { Hono } from 'hono'

import type { ApiEnv } from '../http/handler-types.js'
import type { UPDATE_METHODS } from '../http/read-and-update-methods.js'
import type { ClientCall } from '../http/execute-prepared-route.js'
import type { ArgsOf, Member, ModelName, OrmOf, TypeMap } from '../orm/client-types.js'

/**
 * The Hono app on which an emitted `rest.ts` registers a model's routes, with Hono's own methods. The contract defines the paths (4.1).
 * Each handler makes the Prisma call of its route with the client and the arguments that it receives. The runtime parses and validates the
 * request, chooses the client, decides when to make the call, and writes the document.
 *
 * In addition to the route's call, the runtime makes its own queries: for included rows, for the row that an upsert matches, for the total
 * if it cannot be derived from the page, and for the parent row if a list of related resources is empty.
 */
export interface RestRouter<T extends TypeMap, N extends ModelName<T>> {
  /** The Hono app, for middleware in custom templates. */
  readonly hono: Hono<ApiEnv>
  /** Registers a read: a page of the collection, one resource, related resources, or linkage. */
  get<P extends ReadPath<T, N>>(path: P, call: ReadCall<T, N, P>): void
  /** Registers a create of a resource or a member, or the addition of members to a to-many relationship. */
  post<P extends '/' | RelatedPath<T, N> | LinkagePath<T, N>>(path: P, call: WriteCall<T, N, P, 'create'>): void
  /** Registers an update of a resource or a relationship. */
  on<P extends ChangedPath<T, N>>(methods: typeof UPDATE_METHODS, path: P, call: WriteCall<T, N, P, 'update'>): void
  /** Registers a delete of a resource, or the removal of members from a to-many relationship. */
  delete<P extends '/:id' | MemberPath<T, N> | LinkagePath<T, N>>(path: P, call: WriteCall<T, N, P, 'delete'>): void
}

/** A {@link RestRouter} without the client's types, which exist only in the emitted code. */
export interface ErasedRestRouter {
  readonly hono: Hono<ApiEnv>
  get(path: string, call: ClientCall): void
  post(path: string, call: ClientCall): void
  on(methods: typeof UPDATE_METHODS, path: string, call: ClientCall): void
  delete(path: string, call: ClientCall): void
}

/** A call of a model's delegate. */
type Call<T extends TypeMap, N extends ModelName<T>, O extends string> = (
  orm: OrmOf<T, N>,
  args: ArgsOf<T, N, O>,
) => PromiseLike<unknown>

type ReadCall<T extends TypeMap, N extends ModelName<T>, P extends string> = P extends '/'
  ? Call<T, N, 'findMany'>
  : P extends '/:id'
    ? Call<T, N, 'findUnique'>
    : P extends `/:id/relationships/${infer R}`
      ? RelationCall<T, N, R>
      : P extends `/:id/${infer R}/:relatedId`
        ? Call<T, TargetOf<T, N, R>, 'findUnique'>
        : P extends `/:id/${infer R}`
          ? RelationCall<T, N, R>
          : never

/** A write of the model's row, including its relationships, or of a related row. */
type WriteCall<T extends TypeMap, N extends ModelName<T>, P extends string, O extends string> = P extends '/' | '/:id'
  ? Call<T, N, O>
  : P extends `/:id/relationships/${string}`
    ? Call<T, N, 'update'>
    : P extends `/:id/${infer R}/:relatedId`
      ? Call<T, TargetOf<T, N, R>, O>
      : P extends `/:id/${infer R}`
        ? Call<T, TargetOf<T, N, R>, O>
        : never

/** A to-many relation is read as rows of its target. A to-one relation is read as part of its parent row. */
type RelationCall<T extends TypeMap, N extends ModelName<T>, R extends string> =
  Member<Relations<T, N>, R> extends readonly unknown[]
    ? Call<T, TargetOf<T, N, R>, 'findMany'>
    : Call<T, N, 'findUnique'>

/** The model at the other end of a relation. */
type TargetOf<T extends TypeMap, N extends ModelName<T>, R extends string> = Member<
  PayloadOf<Member<Relations<T, N>, R>>,
  'name'
> &
  ModelName<T>

type PayloadOf<R> = NonNullable<R extends readonly (infer P)[] ? P : R>

type ReadPath<T extends TypeMap, N extends ModelName<T>> =
  '/' | '/:id' | RelatedPath<T, N> | MemberPath<T, N> | LinkagePath<T, N>

type ChangedPath<T extends TypeMap, N extends ModelName<T>> =
  '/:id' | RelatedPath<T, N> | MemberPath<T, N> | LinkagePath<T, N>

type RelatedPath<T extends TypeMap, N extends ModelName<T>> = `/:id/${RelationName<T, N>}`

type MemberPath<T extends TypeMap, N extends ModelName<T>> = `/:id/${RelationName<T, N>}/:relatedId`

type LinkagePath<T extends TypeMap, N extends ModelName<T>> = `/:id/relationships/${RelationName<T, N>}`

type RelationName<T extends TypeMap, N extends ModelName<T>> = keyof Relations<T, N> & string

type Relations<T extends TypeMap, N extends ModelName<T>> = Member<Member<T['model'][N], 'payload'>, 'objects'>
