import type { Hono } from 'hono'

import type { ApiEnv } from '../http/api-handler.js'
import type { UPDATE_METHODS } from '../http/methods.js'
import type { ClientCall } from '../http/execute-route.js'
import type { ArgsOf, Member, ModelName, OrmOf, TypeMap } from '../orm/client-types.js'

/**
 * The Hono app that an emitted `rest.ts` puts a model's routes on, by Hono's own methods. What a path means is the contract's
 * (4.1); a handler is the Prisma call of its route, and is given the client and the arguments for it. Around it the runtime reads
 * and checks the request, decides when and with which client the call is made, and writes the document.
 *
 * Beside a route's own call the runtime asks the client itself: how many rows there are in all, where a page does not tell it;
 * whether the row exists whose members are asked for; which row an upsert means; what is included.
 */
export interface RestRouter<T extends TypeMap, N extends ModelName<T>> {
  /** The app itself, for middleware of your own templates. */
  readonly hono: Hono<ApiEnv>
  /** A page of the collection, one resource, what is related to it, or linkage. */
  get<P extends ReadPath<T, N>>(path: P, call: ReadCall<T, N, P>): void
  /** A new resource, one that is a member from the start, or members that are added to a to-many relationship. */
  post<P extends '/' | RelatedPath<T, N> | LinkagePath<T, N>>(path: P, call: WriteCall<T, N, P, 'create'>): void
  /** A resource or a relationship that is changed. */
  on<P extends ChangedPath<T, N>>(methods: typeof UPDATE_METHODS, path: P, call: WriteCall<T, N, P, 'update'>): void
  /** A resource that is deleted, or members that are removed from a to-many relationship. */
  delete<P extends '/:id' | MemberPath<T, N> | LinkagePath<T, N>>(path: P, call: WriteCall<T, N, P, 'delete'>): void
}

/** The same without the client's types, which emitted code alone knows. */
export interface ErasedRestRouter {
  readonly hono: Hono<ApiEnv>
  get(path: string, call: ClientCall): void
  post(path: string, call: ClientCall): void
  on(methods: typeof UPDATE_METHODS, path: string, call: ClientCall): void
  delete(path: string, call: ClientCall): void
}

/** A call of a model's own delegate. */
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

/** A write of a model's own row, also where that changes a relationship; or of a row that a relation leads to. */
type WriteCall<T extends TypeMap, N extends ModelName<T>, P extends string, O extends string> = P extends '/' | '/:id'
  ? Call<T, N, O>
  : P extends `/:id/relationships/${string}`
    ? Call<T, N, 'update'>
    : P extends `/:id/${infer R}/:relatedId`
      ? Call<T, TargetOf<T, N, R>, O>
      : P extends `/:id/${infer R}`
        ? Call<T, TargetOf<T, N, R>, O>
        : never

/** The members of a to-many relation are rows of the model at its other end; of a to-one, part of the row that has it. */
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
