import type { Context } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import type { ArgsOf, Delegate, Member, ModelName, OrmOf, TypeMap } from '../orm/client-types.js'

/**
 * What an emitted `rest.ts` asks of the runtime, one method per kind of endpoint (contract 4.1).
 *
 * Each method parses and checks the request, then gives the Prisma client for it, the arguments of the Prisma call to make,
 * and `reply`, which turns the call's result into the response. A request that is not understood ends in an error response
 * before the client is asked for.
 */
export interface RestApi<T extends TypeMap, N extends ModelName<T>> {
  /** `GET /:type`: a page of the collection. `count` is asked how many rows there are in all where the page does not tell it. */
  list(c: Context<ApiEnv>): Promise<{
    readonly orm: OrmOf<T, N>
    readonly args: ArgsOf<T, N, 'findMany'>
    reply(rows: unknown, count: (all: ArgsOf<T, N, 'count'>) => PromiseLike<unknown>): Promise<Response>
  }>
  /** `POST /:type`: a new resource; `upsert` instead where the body's `meta.operation` asks for one. */
  create(c: Context<ApiEnv>): Promise<
    Call<T, N, 'create'> & {
      /** Updates the row that matches, or creates one; safe under concurrency. Replies 200 or 201. */
      readonly upsert?: (delegate: Pick<Delegate<T, N>, UpsertOperation & keyof Delegate<T, N>>) => Promise<Response>
    }
  >
  /** `GET /:type/:id` */
  get(c: Context<ApiEnv>): Promise<Call<T, N, 'findUnique'>>
  /** `PATCH /:type/:id` and `PUT /:type/:id` */
  update(c: Context<ApiEnv>): Promise<Call<T, N, 'update'>>
  /** `DELETE /:type/:id` */
  delete(c: Context<ApiEnv>): Promise<Call<T, N, 'delete'>>
  /** `GET /:type/:id/:relationship` of a to-one: the related resource. */
  related(c: Context<ApiEnv>, relation: RelationName<T, N>): Promise<Call<T, N, 'findUnique'>>
  /** `GET /:type/:id/:relationship` of a to-many: a page of the related resources. */
  relatedMany<R extends RelationName<T, N>>(c: Context<ApiEnv>, relation: R): Promise<RelatedCall<T, N, R>>
  /** `GET /:type/:id/relationships/:relationship` of a to-one: linkage only. */
  linkage(c: Context<ApiEnv>, relation: RelationName<T, N>): Promise<Call<T, N, 'findUnique'>>
  /** `GET /:type/:id/relationships/:relationship` of a to-many: a page of linkage. */
  linkageMany<R extends RelationName<T, N>>(c: Context<ApiEnv>, relation: R): Promise<RelatedCall<T, N, R>>
  /** `POST /:type/:id/relationships/:relationship`: adds members to a to-many relationship. */
  add(c: Context<ApiEnv>, relation: RelationName<T, N>): Promise<Call<T, N, 'update'>>
  /** `PATCH` and `PUT /:type/:id/relationships/:relationship`: replaces the whole relationship. */
  replace(c: Context<ApiEnv>, relation: RelationName<T, N>): Promise<Call<T, N, 'update'>>
  /** `DELETE /:type/:id/relationships/:relationship`: removes members from a to-many relationship. */
  remove(c: Context<ApiEnv>, relation: RelationName<T, N>): Promise<Call<T, N, 'update'>>
}

/** One Prisma call: the client of this request, the call's arguments, and what makes its result the response. */
export interface Call<T extends TypeMap, N extends ModelName<T>, O extends string> {
  readonly orm: OrmOf<T, N>
  readonly args: ArgsOf<T, N, O>
  reply(result: unknown): Promise<Response>
}

/**
 * The Prisma calls of a to-many relation: a page of the related rows, how many these are in all where the page does not tell it,
 * and, where the page is empty, the row that they would belong to.
 */
export interface RelatedCall<T extends TypeMap, N extends ModelName<T>, R extends string> {
  readonly orm: OrmOf<T, ModelName<T>>
  readonly args: ArgsOf<T, TargetName<T, N, R>, 'findMany'>
  reply(
    rows: unknown,
    more: {
      readonly count: (all: ArgsOf<T, TargetName<T, N, R>, 'count'>) => PromiseLike<unknown>
      readonly owner: (id: ArgsOf<T, N, 'findUnique'>) => PromiseLike<unknown>
    },
  ): Promise<Response>
}

type TargetName<T extends TypeMap, N extends ModelName<T>, R extends string> =
  Member<Relations<T, N>, R> extends readonly (infer P)[] ? Member<P, 'name'> & ModelName<T> : never

type UpsertOperation = 'findUnique' | 'create' | 'update'

type RelationName<T extends TypeMap, N extends ModelName<T>> = keyof Relations<T, N> & string

type Relations<T extends TypeMap, N extends ModelName<T>> = Member<Member<T['model'][N], 'payload'>, 'objects'>
