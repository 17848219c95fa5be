import type { AnyApi, ClientOf, HasFeature, Member, ModelName, OperationsOf, RelationsOf, TargetOf } from '../../api.js'
import type { CallOptions } from '../../http/options.js'
import type { ClientTypes, RelationName, ToManyName, ToOneName, TypeName } from './api.js'
import type {
  ExactProperties,
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

/** The collections of an API, by delegate name: `rest.post`, `rest.postLike`. */
export type RestClient<A extends AnyApi, C extends ClientTypes> = {
  readonly [N in ModelName<A> as Uncapitalize<N>]: Collection<A, C, N>
} & (HasFeature<A, 'atomic'> extends true ? RestOperations : unknown) &
  ClientOf<A, C>

/** The methods of a model's collection, for the operations that its schema allows. */
export type Collection<A extends AnyApi, C extends ClientTypes, N extends string> = ('list' extends OperationsOf<A, N>
  ? ListMethods<A, C, N>
  : unknown) &
  ('get' extends OperationsOf<A, N> ? GetMethods<A, C, N> : unknown) &
  ('create' extends OperationsOf<A, N> ? CreateMethods<A, C, N> : unknown) &
  ('create' | 'update' extends OperationsOf<A, N> ? UpsertMethods<A, C, N> : unknown) &
  ('update' extends OperationsOf<A, N> ? UpdateMethods<A, C, N> : unknown) &
  ('delete' extends OperationsOf<A, N> ? DeleteMethods : unknown) &
  ('get' extends OperationsOf<A, N> ? RelationMethods<A, C, N> : unknown)

/** The methods that load lists. */
export interface ListMethods<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Loads a page of the matching resources. */
  list<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
    options?: CallOptions,
  ): Promise<List<Resource<A, C, N, Included<A, N, I>, F>>>
  /** Iterates over all pages: `for await (const page of rest.post.pages({ … }))`. Each page is loaded when the loop reaches it. */
  pages<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
    options?: CallOptions,
  ): AsyncGenerator<List<Resource<A, C, N, Included<A, N, I>, F>>, void, undefined>
  /**
   * Iterates over the resources of all pages: `for await (const post of rest.post.each({ … }))`. Each page is loaded when the loop reaches
   * it.
   */
  each<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
    options?: CallOptions,
  ): AsyncGenerator<Resource<A, C, N, Included<A, N, I>, F>, void, undefined>
}

/** The method that loads one resource. */
export interface GetMethods<A extends AnyApi, C extends ClientTypes, N extends string> {
  /**
   * Loads the resource with the given id.
   * @throws RestError 404 if it does not exist
   */
  get<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    id: Id,
    query?: ResponseShape<A, N, I, F>,
    options?: CallOptions,
  ): Promise<Resource<A, C, N, Included<A, N, I>, F>>
}

/** The method that creates resources. */
export interface CreateMethods<A extends AnyApi, C extends ClientTypes, N extends string> {
  readonly create: CreateMethod<A, C, N>
}

interface CreateMethod<A extends AnyApi, C extends ClientTypes, N extends string> {
  /**
   * Creates a resource from attributes and relationships, and returns it as stored.
   * @throws RestError with the errors of each field in `fields`
   */
  <D extends CreateData<A, C, N>, I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    data: D & CreateChecks<A, C, N, D>,
    query?: ResponseShape<A, N, I, F>,
    options?: CallOptions,
  ): Promise<Resource<A, C, N, Included<A, N, I>, F>>
  /** Returns the change for `$operations` instead of sending it. Other changes can use its `id` as the id of the resource. */
  readonly call: <D extends CreateData<A, C, N>>(data: D & CreateChecks<A, C, N, D>) => RestAddCall<Resource<A, C, N>>
}

/** The method that creates or updates resources. */
export interface UpsertMethods<A extends AnyApi, C extends ClientTypes, N extends string> {
  readonly upsert: UpsertMethod<A, C, N>
}

interface UpsertMethod<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Updates the resource with the same values in the fields of `match`, or creates it. */
  <D extends CreateData<A, C, N>, I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    data: D & CreateChecks<A, C, N, D>,
    query: ResponseShape<A, N, I, F> & Matching<A, N>,
    options?: CallOptions,
  ): Promise<
    Resource<A, C, N, Included<A, N, I>, F> & {
      /** Whether the resource was created. If not, it was updated. */
      readonly $created: boolean
    }
  >
  /** Returns the change for `$operations` instead of sending it. Other changes can use its `id` as the id of the resource. */
  readonly call: <D extends CreateData<A, C, N>>(
    data: D & CreateChecks<A, C, N, D>,
    query: Matching<A, N>,
  ) => RestAddCall<Resource<A, C, N>>
}

interface Matching<A extends AnyApi, N> {
  /** The fields of the unique criterion that identifies an existing resource: `'slug'`, `['postId', 'seq']`. */
  readonly match: Match<A, N>
}

/** The method that updates resources. */
export interface UpdateMethods<A extends AnyApi, C extends ClientTypes, N extends string> {
  readonly update: UpdateMethod<A, C, N>
}

interface UpdateMethod<A extends AnyApi, C extends ClientTypes, N extends string> {
  /**
   * Updates the given attributes and relationships, and returns the resource as stored. To-many relationships are replaced.
   * @param id the id, or the resource as it was read. If the model has `@api.version`, a resource that was read is updated only if it has
   *   not changed since.
   * @throws RestError 404 if the resource does not exist, 412 if it has changed since, or with the errors of each field in `fields`
   */
  <D extends UpdateData<A, C, N>, I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    id: ResourceOrId,
    data: D & UpdateChecks<A, C, N, D>,
    query?: ResponseShape<A, N, I, F>,
    options?: CallOptions,
  ): Promise<Resource<A, C, N, Included<A, N, I>, F>>
  /** Returns the change for `$operations` instead of sending it. */
  readonly call: <D extends UpdateData<A, C, N>>(
    id: ResourceOrId,
    data: D & UpdateChecks<A, C, N, D>,
  ) => RestCall<Resource<A, C, N>>
}

/** The method that deletes resources. */
export interface DeleteMethods {
  readonly delete: DeleteMethod
}

interface DeleteMethod {
  /**
   * Deletes a resource.
   * @param id see `update`
   * @throws RestError 404 if the resource does not exist, 412 if it has changed since
   */
  (id: ResourceOrId, options?: CallOptions): Promise<void>
  /** Returns the change for `$operations` instead of sending it. */
  readonly call: (id: ResourceOrId) => RestCall<null>
}

/** The methods that load related resources and change relationships. */
export interface RelationMethods<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Loads a page of the related resources. */
  related<
    K extends ToManyName<A, N>,
    I extends IncludeStart<A, TargetOf<A, N, K>>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, TargetOf<A, N, K>>,
  >(
    id: Id,
    relation: K,
    query?: ListQuery<A, TargetOf<A, N, K>, I, F, S>,
    options?: CallOptions,
  ): Promise<List<Resource<A, C, TargetOf<A, N, K>, Included<A, TargetOf<A, N, K>, I>, F>>>
  /** Loads the related resource. Returns null if there is none. */
  related<K extends ToOneName<A, N>, I extends IncludeStart<A, TargetOf<A, N, K>>, const F extends Fieldsets<A>>(
    id: Id,
    relation: K,
    query?: ResponseShape<A, TargetOf<A, N, K>, I, F>,
    options?: CallOptions,
  ): Promise<Related<A, N, K, Resource<A, C, TargetOf<A, N, K>, Included<A, TargetOf<A, N, K>, I>, F>>>
  /**
   * Returns the methods of a relationship, which load and change the ids that it contains.
   * @param id see `update`
   */
  relationship<K extends RelationName<A, N>>(id: ResourceOrId, relation: K): Relationship<A, C, N, K>
}

/** A relationship of a resource, with the methods that its schema allows. */
export type Relationship<A extends AnyApi, C extends ClientTypes, N extends string, K extends string> = {
  /**
   * Loads the linkage: an id or, for a to-many relationship, a page of ids. With `include`, loads the resources instead. Include paths
   * begin with the relation: `rest.post.relationship(1, 'comments').get({ include: ['comments.author'] })`.
   */
  get<I extends LinkageStart<K>, const F extends Fieldsets<A>, S extends SortStart<A, TargetOf<A, N, K>>>(
    query?: LinkageShape<A, N, K, I, F> &
      (K extends ToManyName<A, N> ? LinkageQuery<A, TargetOf<A, N, K>, S> : unknown),
    options?: CallOptions,
  ): Promise<Linkage<A, C, N, K, LinkageStart<K> extends I ? never : I, F>>
} & (K extends WritableRelation<A, N>
  ? 'update' extends OperationsOf<A, N>
    ? LinkMethods<A, C, N, K>
    : unknown
  : unknown)

/** The beginning of an include path. */
type LinkageStart<K extends string> = K | `${K}.${string}`

/** The related resources and attributes in the response. */
interface LinkageShape<A extends AnyApi, N, K extends string, I extends string, F> {
  /** The relation and its own relations to include: `['comments', 'comments.author']`. */
  readonly include?: readonly I[] & readonly (LinkagePath<A, N, K, I> | InvalidLinkagePath<A, N, K, I>)[]
  /** The attributes and relationships of the included resources. */
  readonly fields?: F & ExactProperties<F, Fieldsets<A>>
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

/** The result of loading a relationship. */
type Linkage<A extends AnyApi, C extends ClientTypes, N, K extends string, I extends string = never, F = unknown> =
  K extends ToManyName<A, N>
    ? List<LinkedResource<A, C, N, K, I, F>>
    : Related<A, N, K, LinkedResource<A, C, N, K, I, F>>

type LinkedResource<A extends AnyApi, C extends ClientTypes, N, K extends string, I extends string, F> = [I] extends [
  never,
]
  ? Identifier<TypeName<C, TargetOf<A, N, K>>>
  : Resource<A, C, TargetOf<A, N, K>, NestedPaths<I, K>, F>

type LinkMethods<A extends AnyApi, C extends ClientTypes, N, K extends string> = {
  /** Replaces the related resource, or all of the related resources. */
  readonly replace: ChangeMethod<A, C, N, K>
} & (K extends ToManyName<A, N> ? AddMethods<A, C, N, K> & RemoveMethod<A, C, N, K> : unknown)

interface ChangeMethod<A extends AnyApi, C extends ClientTypes, N, K extends string> {
  (members: RelationInput<A, C, N, K>, options?: CallOptions): Promise<Linkage<A, C, N, K>>
  /** Returns the change for `$operations` instead of sending it. */
  readonly call: (members: RelationInput<A, C, N, K>) => RestCall<LinkageData<A, C, N, K>>
}

/** The result of a change to a relationship in `$operations`: for a to-many relationship, the first page. */
type LinkageData<A extends AnyApi, C extends ClientTypes, N, K> =
  K extends ToManyName<A, N>
    ? readonly Identifier<TypeName<C, TargetOf<A, N, K>>>[]
    : Related<A, N, K, Identifier<TypeName<C, TargetOf<A, N, K>>>>

interface AddMethods<A extends AnyApi, C extends ClientTypes, N, K extends string> {
  /** Adds resources to the relationship. */
  readonly add: ChangeMethod<A, C, N, K>
}

/** A related resource with a required foreign key to this one can be moved to another resource, but not removed. */
type RemoveMethod<A extends AnyApi, C extends ClientTypes, N, K extends string> =
  Member<RelationsOf<A, N>, K> extends { readonly dependent: true }
    ? unknown
    : {
        /** Removes resources from the relationship. */
        readonly remove: ChangeMethod<A, C, N, K>
      }

declare const RESULT: unique symbol

/** A change that has not been sent yet, with a result of type `R`. */
export interface RestCall<R> {
  /** Phantom property, never set: distinguishes changes from other objects. */
  readonly [RESULT]: () => R
}

/** A change that creates a resource. */
export interface RestAddCall<R> extends RestCall<R> {
  /** The id of the created resource, for other changes in the same request. */
  readonly id: string
}

/** The method that executes several changes. */
export interface RestOperations {
  /**
   * Executes changes in order in one request, all or nothing. Requires the feature `atomic`.
   *
   *     const user = rest.user.create.call({ email, password })
   *     const [createdUser, post] = await rest.$operations([user, rest.post.create.call({ slug, title, author: user })])
   *
   * @returns the result of each change
   * @throws RestError with the index of the failed change in `operation`
   */
  readonly $operations: <const T extends readonly RestCall<unknown>[]>(
    changes: T,
    options?: CallOptions,
  ) => Promise<{ -readonly [K in keyof T]: T[K] extends RestCall<infer R> ? R : never }>
}
