import type { AnyApi, ClientOf, Member, ModelName, OperationsOf, RelationsOf, TargetOf } from '../../api.js'
import type { CallOptions } from '../../http/options.js'
import type { ClientTypes, RelationName, ToManyName, ToOneName, TypeName } from './api.js'
import type {
  ExactMembers,
  Fieldsets,
  Included,
  IncludePath,
  IncludeStart,
  ListQuery,
  ResponseShape,
  SortStart,
  UnknownRelation,
} from './query.js'
import type { NestedPaths, Identifier, List, Related, Resource } from './result.js'
import type {
  CreateChecks,
  CreateData,
  Match,
  RelationInput,
  UpdateChecks,
  UpdateData,
  WritableRelation,
} from './write.js'
import type { ResourceOrId, Id } from './values.js'

/** The collections of an API, by the names that their models have on the Prisma client: `rest.post`, `rest.postLike`. */
export type RestClient<A extends AnyApi, C extends ClientTypes> = {
  readonly [N in ModelName<A> as Uncapitalize<N>]: Collection<A, C, N>
} & RestOperations &
  ClientOf<A, C>

/** What may be done with the resources of a model. What its schema does not offer is not there. */
export type Collection<A extends AnyApi, C extends ClientTypes, N extends string> = ('list' extends OperationsOf<A, N>
  ? Listing<A, C, N>
  : unknown) &
  ('get' extends OperationsOf<A, N> ? Getting<A, C, N> : unknown) &
  ('create' extends OperationsOf<A, N> ? Creating<A, C, N> : unknown) &
  ('create' | 'update' extends OperationsOf<A, N> ? Upserting<A, C, N> : unknown) &
  ('update' extends OperationsOf<A, N> ? Updating<A, C, N> : unknown) &
  ('delete' extends OperationsOf<A, N> ? Deleting : unknown) &
  ('get' extends OperationsOf<A, N> ? Relating<A, C, N> : unknown)

/** Reads lists. */
export interface Listing<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** A page of the resources that fit. */
  list<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
    call?: CallOptions,
  ): Promise<List<Resource<A, C, N, Included<A, N, I>, F>>>
  /** The pages, one after the other: `for await (const page of rest.post.pages({ … }))`. Each is read when it is asked for. */
  pages<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
    call?: CallOptions,
  ): AsyncGenerator<List<Resource<A, C, N, Included<A, N, I>, F>>, void, undefined>
  /** The resources of all pages: `for await (const post of rest.post.each({ … }))`. A page is read when its first is asked for. */
  each<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
    call?: CallOptions,
  ): AsyncGenerator<Resource<A, C, N, Included<A, N, I>, F>, void, undefined>
}

/** Reads one resource. */
export interface Getting<A extends AnyApi, C extends ClientTypes, N extends string> {
  /**
   * The resource with an id.
   * @throws RestError 404 where there is none
   */
  get<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    id: Id,
    query?: ResponseShape<A, N, I, F>,
    call?: CallOptions,
  ): Promise<Resource<A, C, N, Included<A, N, I>, F>>
}

/** Makes resources. */
export interface Creating<A extends AnyApi, C extends ClientTypes, N extends string> {
  readonly create: CreateMethod<A, C, N>
}

interface CreateMethod<A extends AnyApi, C extends ClientTypes, N extends string> {
  /**
   * Makes a resource of attributes and relationships, and gives it as it is stored.
   * @throws RestError with what is wrong with each field in `fields`
   */
  <D extends CreateData<A, C, N>, I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    data: D & CreateChecks<A, C, N, D>,
    query?: ResponseShape<A, N, I, F>,
    call?: CallOptions,
  ): Promise<Resource<A, C, N, Included<A, N, I>, F>>
  /** The same as one of several changes. Others take its `id` in place of that of a resource. */
  readonly call: <D extends CreateData<A, C, N>>(data: D & CreateChecks<A, C, N, D>) => RestAddCall<Resource<A, C, N>>
}

/** Makes resources, or changes those that there are. */
export interface Upserting<A extends AnyApi, C extends ClientTypes, N extends string> {
  readonly upsert: UpsertMethod<A, C, N>
}

interface UpsertMethod<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Changes the resource that has the same values in the fields of a unique criterion, or makes it. */
  <D extends CreateData<A, C, N>, I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    data: D & CreateChecks<A, C, N, D>,
    query: ResponseShape<A, N, I, F> & Matching<A, N>,
    call?: CallOptions,
  ): Promise<
    Resource<A, C, N, Included<A, N, I>, F> & {
      /** Whether it was made; otherwise it was changed. */
      readonly $created: boolean
    }
  >
  /** The same as one of several changes. Others take its `id` in place of that of a resource. */
  readonly call: <D extends CreateData<A, C, N>>(
    data: D & CreateChecks<A, C, N, D>,
    query: Matching<A, N>,
  ) => RestAddCall<Resource<A, C, N>>
}

interface Matching<A extends AnyApi, N> {
  /** The fields that tell whether it is there: `'slug'`, `['postId', 'seq']`. */
  readonly match: Match<A, N>
}

/** Changes resources. */
export interface Updating<A extends AnyApi, C extends ClientTypes, N extends string> {
  readonly update: UpdateMethod<A, C, N>
}

interface UpdateMethod<A extends AnyApi, C extends ClientTypes, N extends string> {
  /**
   * Changes what is given, and gives the resource as it is stored. Relationships to many are replaced.
   * @param id of the resource, or the resource as it was read: of a model with `@api.version` it is changed only where nobody has changed
   *   it since
   * @throws RestError 404 where there is no resource with this id, 412 where it has changed since; with what is wrong with each field in
   *   `fields`
   */
  <D extends UpdateData<A, C, N>, I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    id: ResourceOrId,
    data: D & UpdateChecks<A, C, N, D>,
    query?: ResponseShape<A, N, I, F>,
    call?: CallOptions,
  ): Promise<Resource<A, C, N, Included<A, N, I>, F>>
  /** The same as one of several changes. */
  readonly call: <D extends UpdateData<A, C, N>>(
    id: ResourceOrId,
    data: D & UpdateChecks<A, C, N, D>,
  ) => RestCall<Resource<A, C, N>>
}

/** Deletes resources. */
export interface Deleting {
  readonly delete: DeleteMethod
}

interface DeleteMethod {
  /**
   * Deletes a resource.
   * @param id as of `update`
   * @throws RestError 404 where there is none, 412 where it has changed since
   */
  (id: ResourceOrId, call?: CallOptions): Promise<void>
  /** The same as one of several changes. */
  readonly call: (id: ResourceOrId) => RestCall<null>
}

/** Reads and changes what resources are related to. */
export interface Relating<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** A page of what a resource is related to. */
  related<
    K extends ToManyName<A, N>,
    I extends IncludeStart<A, TargetOf<A, N, K>>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, TargetOf<A, N, K>>,
  >(
    id: Id,
    relation: K,
    query?: ListQuery<A, TargetOf<A, N, K>, I, F, S>,
    call?: CallOptions,
  ): Promise<List<Resource<A, C, TargetOf<A, N, K>, Included<A, TargetOf<A, N, K>, I>, F>>>
  /** What a resource is related to; null where that is nothing. */
  related<K extends ToOneName<A, N>, I extends IncludeStart<A, TargetOf<A, N, K>>, const F extends Fieldsets<A>>(
    id: Id,
    relation: K,
    query?: ResponseShape<A, TargetOf<A, N, K>, I, F>,
    call?: CallOptions,
  ): Promise<Related<A, N, K, Resource<A, C, TargetOf<A, N, K>, Included<A, TargetOf<A, N, K>, I>, F>>>
  /** A relationship by itself: the ids that it holds, and its changes. With a resource as it was read, as of `update`. */
  relationship<K extends RelationName<A, N>>(id: ResourceOrId, relation: K): Relationship<A, C, N, K>
}

/** A relationship of a resource. What cannot be done with it is not there. */
export type Relationship<A extends AnyApi, C extends ClientTypes, N extends string, K extends string> = {
  /**
   * What it holds: ids, of one that leads to many a page of them; with `include` the resources themselves. Its paths begin with the
   * relation: `rest.post.relationship(1, 'comments').get({ include: ['comments.author'] })`.
   */
  get<I extends LinkageStart<K>, const F extends Fieldsets<A>, S extends SortStart<A, TargetOf<A, N, K>>>(
    query?: LinkageShape<A, N, K, I, F> &
      (K extends ToManyName<A, N> ? LinkageQuery<A, TargetOf<A, N, K>, S> : unknown),
    call?: CallOptions,
  ): Promise<Linkage<A, C, N, K, LinkageStart<K> extends I ? never : I, F>>
} & (K extends WritableRelation<A, N>
  ? 'update' extends OperationsOf<A, N>
    ? Changing<A, C, N, K>
    : unknown
  : unknown)

/** What a path looks like at its beginning. */
type LinkageStart<K extends string> = K | `${K}.${string}`

/** What the answer shows of the resources that a relationship holds. */
interface LinkageShape<A extends AnyApi, N, K extends string, I extends string, F> {
  /** Includes what it holds, and relations of that: `['comments', 'comments.author']`. */
  readonly include?: readonly I[] & readonly (LinkagePath<A, N, K, I> | InvalidLinkagePath<A, N, K, I>)[]
  /** The attributes and relationships to show of what is included. */
  readonly fields?: F & ExactMembers<F, Fieldsets<A>>
}

type LinkagePath<A extends AnyApi, N, K extends string, I extends string> =
  K | (I extends `${K}.${infer R}` ? `${K}.${IncludePath<A, TargetOf<A, N, K>, R>}` : never)

type InvalidLinkagePath<A extends AnyApi, N, K extends string, I extends string> = I extends `${K}.${infer R}`
  ? I & UnknownRelation<A, TargetOf<A, N, K>, R>
  : never

type LinkageQuery<A extends AnyApi, N, S extends string> = Omit<
  ListQuery<A, N, never, unknown, S>,
  'include' | 'fields' | 'lists' | 'relatedCount'
>

/** What a relationship holds. */
type Linkage<A extends AnyApi, C extends ClientTypes, N, K extends string, I extends string = never, F = unknown> =
  K extends ToManyName<A, N> ? List<Linked<A, C, N, K, I, F>> : Related<A, N, K, Linked<A, C, N, K, I, F>>

type Linked<A extends AnyApi, C extends ClientTypes, N, K extends string, I extends string, F> = [I] extends [never]
  ? Identifier<TypeName<C, TargetOf<A, N, K>>>
  : Resource<A, C, TargetOf<A, N, K>, NestedPaths<I, K>, F>

type Changing<A extends AnyApi, C extends ClientTypes, N, K extends string> = {
  /** Holds these in place of what it held. */
  readonly replace: ChangeMethod<A, C, N, K>
} & (K extends ToManyName<A, N> ? Adding<A, C, N, K> & Removing<A, C, N, K> : unknown)

interface ChangeMethod<A extends AnyApi, C extends ClientTypes, N, K extends string> {
  (given: RelationInput<A, C, N, K>, call?: CallOptions): Promise<Linkage<A, C, N, K>>
  /** The same as one of several changes. */
  readonly call: (given: RelationInput<A, C, N, K>) => RestCall<Held<A, C, N, K>>
}

/** What a relationship holds, in the answer to several changes: of one that leads to many its first page. */
type Held<A extends AnyApi, C extends ClientTypes, N, K> =
  K extends ToManyName<A, N>
    ? readonly Identifier<TypeName<C, TargetOf<A, N, K>>>[]
    : Related<A, N, K, Identifier<TypeName<C, TargetOf<A, N, K>>>>

interface Adding<A extends AnyApi, C extends ClientTypes, N, K extends string> {
  /** Holds these as well. */
  readonly add: ChangeMethod<A, C, N, K>
}

/** Members that cannot be without this resource can be given to another, and not be taken away. */
type Removing<A extends AnyApi, C extends ClientTypes, N, K extends string> =
  Member<RelationsOf<A, N>, K> extends { readonly dependent: true }
    ? unknown
    : {
        /** Holds these no longer. */
        readonly remove: ChangeMethod<A, C, N, K>
      }

declare const RESULT: unique symbol

/** A change that is not made yet, which gives an `R`. */
export interface RestCall<R> {
  /** Never there: for the compiler, which takes no other object for a change by this. */
  readonly [RESULT]: () => R
}

/** A change that makes a resource. */
export interface RestAddCall<R> extends RestCall<R> {
  /** Stands for the id of what it makes, in the other changes of the same request. */
  readonly id: string
}

/** What several changes are made by. */
export interface RestOperations {
  /**
   * Makes changes in their order, in one request: all of them, or none. Where the server has the option `operations`.
   *
   *     const user = rest.user.create.call({ email, password })
   *     const [made, post] = await rest.$operations([user, rest.post.create.call({ slug, title, author: user })])
   *
   * @returns what each of them gives
   * @throws RestError whose `operation` tells which of them failed
   */
  readonly $operations: <const T extends readonly RestCall<unknown>[]>(
    changes: T,
    call?: CallOptions,
  ) => Promise<{ -readonly [K in keyof T]: T[K] extends RestCall<infer R> ? R : never }>
}
