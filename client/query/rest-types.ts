import type { AnyApi, ModelName, OperationsOf, TargetOf } from '../api.js'
import type { ClientTypes, RelationName, ToManyName, ToOneName } from '../rest/types/api.js'
import type { Fieldsets, Included, IncludeStart, ListQuery, ResponseShape, SortStart } from '../rest/types/query.js'
import type { List, Related, Resource } from '../rest/types/result.js'
import type { Id, ResourceOrId } from '../rest/types/values.js'
import type { CreateData, Match, RelationInput, UpdateData, WritableRelation } from '../rest/types/write.js'
import type {
  InfiniteQueryOptions,
  MutationCallbacks,
  MutationOptions,
  QueryOptions,
  QueryOverrides,
  RequestHeaders,
} from './options.js'
import type { QueryClientLike } from './tanstack.js'

/** Queries and mutations of a REST client: `queries.post.list.queryOptions({ … })`. */
export type RestQueries<A extends AnyApi, C extends ClientTypes> = {
  readonly [N in ModelName<A> as Uncapitalize<N>]: RestModelQueries<A, C, N>
}

/** The query and mutation options of one collection, for the operations that the model allows. */
export type RestModelQueries<A extends AnyApi, C extends ClientTypes, N extends string> = {
  /** Returns the elements that the keys of all the model's queries start with. */
  queryKey(): readonly [string, Uncapitalize<N>]
} & IfAllowed<A, N, 'list', { readonly list: ListQueries<A, C, N> }> &
  IfAllowed<A, N, 'get', { readonly get: GetQueries<A, C, N>; readonly related: RelatedQueries<A, C, N> }> &
  IfAllowed<A, N, 'create', { readonly create: CreateMutation<A, C, N> }> &
  IfAllowed<A, N, 'create' | 'update', { readonly upsert: UpsertMutation<A, C, N> }> &
  IfAllowed<
    A,
    N,
    'update',
    { readonly update: UpdateMutation<A, C, N>; readonly relationship: LinkMutation<A, C, N> }
  > &
  IfAllowed<A, N, 'delete', { readonly delete: DeleteMutation<A, C, N> }>

type IfAllowed<A extends AnyApi, N, Required, T> = Required extends OperationsOf<A, N> ? T : unknown

type Key<N extends string, Method, Args extends readonly unknown[]> = readonly [
  string,
  Uncapitalize<N>,
  Method,
  ...Args,
]

/** The `page` parameters of a `next` link. */
export type LinkedPage = Readonly<Record<string, number | string>>

/** Query options of `list`. */
export interface ListQueries<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Returns the options of the query: `useQuery(queries.post.list.queryOptions({ … }))`. */
  queryOptions<
    I extends IncludeStart<A, N>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, N>,
    V extends object = {},
  >(
    query?: ListQuery<A, N, I, F, S>,
    overrides?: V & QueryOverrides<List<Resource<A, C, N, Included<A, N, I>, F>>>,
  ): QueryOptions<Key<N, 'list', [unknown]>, List<Resource<A, C, N, Included<A, N, I>, F>>> & V
  /** Returns the options of an infinite query, which follows the `next` links. */
  infiniteQueryOptions<
    I extends IncludeStart<A, N>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, N>,
    V extends object = {},
  >(
    query?: ListQuery<A, N, I, F, S>,
    overrides?: V & RequestHeaders,
  ): InfiniteQueryOptions<
    Key<N, 'list', [unknown, 'infinite']>,
    List<Resource<A, C, N, Included<A, N, I>, F>>,
    LinkedPage
  > &
    V
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of `list`. */
  queryKey<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    query?: ListQuery<A, N, I, F, S>,
  ): QueryOptions<Key<N, 'list', [unknown]>, List<Resource<A, C, N, Included<A, N, I>, F>>>['queryKey']
}

/** Query options of `get`. */
export interface GetQueries<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Returns the options of the query: `useQuery(queries.post.get.queryOptions(1))`. */
  queryOptions<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, V extends object = {}>(
    id: Id,
    query?: ResponseShape<A, N, I, F>,
    overrides?: V & QueryOverrides<Resource<A, C, N, Included<A, N, I>, F>>,
  ): QueryOptions<Key<N, 'get', [Id, unknown]>, Resource<A, C, N, Included<A, N, I>, F>> & V
  /** Returns the key of the query, typed with its data. */
  queryKey<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    id: Id,
    query?: ResponseShape<A, N, I, F>,
  ): QueryOptions<Key<N, 'get', [Id, unknown]>, Resource<A, C, N, Included<A, N, I>, F>>['queryKey']
}

/** Query options of `related`. */
export interface RelatedQueries<A extends AnyApi, C extends ClientTypes, N extends string> {
  /** Returns the options of the query: `useQuery(queries.post.related.queryOptions(1, 'comments'))`. */
  queryOptions<
    K extends ToManyName<A, N>,
    I extends IncludeStart<A, TargetOf<A, N, K>>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, TargetOf<A, N, K>>,
    V extends object = {},
  >(
    id: Id,
    relation: K,
    query?: ListQuery<A, TargetOf<A, N, K>, I, F, S>,
    overrides?: V & RequestHeaders,
  ): QueryOptions<
    Key<N, 'related', [Id, K, unknown]>,
    List<Resource<A, C, TargetOf<A, N, K>, Included<A, TargetOf<A, N, K>, I>, F>>
  > &
    V
  queryOptions<
    K extends ToOneName<A, N>,
    I extends IncludeStart<A, TargetOf<A, N, K>>,
    const F extends Fieldsets<A>,
    V extends object = {},
  >(
    id: Id,
    relation: K,
    query?: ResponseShape<A, TargetOf<A, N, K>, I, F>,
    overrides?: V & RequestHeaders,
  ): QueryOptions<
    Key<N, 'related', [Id, K, unknown]>,
    Related<A, N, K, Resource<A, C, TargetOf<A, N, K>, Included<A, TargetOf<A, N, K>, I>, F>>
  > &
    V
}

type MutationInput<A extends AnyApi, N, I extends string, F, T, V> = ResponseShape<A, N, I, F> & MutationCallbacks<T, V>

/** Mutation options of `create`. The variables of each call are the data of the resource. */
export interface CreateMutation<A extends AnyApi, C extends ClientTypes, N extends string> {
  mutationOptions<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    options?: MutationInput<A, N, I, F, Resource<A, C, N, Included<A, N, I>, F>, CreateData<A, C, N>>,
  ): MutationOptions<Resource<A, C, N, Included<A, N, I>, F>, CreateData<A, C, N>>
  /** Invalidates the queries that a direct call to the client may affect. Mutations with `mutationOptions` do this automatically. */
  invalidate(client: QueryClientLike, variables: CreateData<A, C, N>, result?: unknown): Promise<void>
}

/** Mutation options of `upsert`. */
export interface UpsertMutation<A extends AnyApi, C extends ClientTypes, N extends string> {
  mutationOptions<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    options: MutationInput<A, N, I, F, Resource<A, C, N, Included<A, N, I>, F>, { data: CreateData<A, C, N> }> & {
      /** The fields of the unique criterion that identifies an existing resource. */
      readonly match: Match<A, N>
    },
  ): MutationOptions<Resource<A, C, N, Included<A, N, I>, F>, { data: CreateData<A, C, N> }>
  /** Invalidates the queries that a direct call to the client may affect. Mutations with `mutationOptions` do this automatically. */
  invalidate(client: QueryClientLike, variables: { data: CreateData<A, C, N> }, result?: unknown): Promise<void>
}

/** The resource to change. */
export interface MutationTarget {
  /** An id, or a resource as it was read. If the resource has a version, the server rejects the write if the resource has changed since. */
  readonly id: ResourceOrId
  /** The version of the resource when it was read: `post.$meta.version`. Default: the version of `id`, if it is a resource. */
  readonly version?: string | undefined
}

/** The variables of an update. */
export interface UpdateVariables<A extends AnyApi, C extends ClientTypes, N extends string> extends MutationTarget {
  readonly data: UpdateData<A, C, N>
}

/** Mutation options of `update`. */
export interface UpdateMutation<A extends AnyApi, C extends ClientTypes, N extends string> {
  mutationOptions<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    options?: MutationInput<A, N, I, F, Resource<A, C, N, Included<A, N, I>, F>, UpdateVariables<A, C, N>> & {
      /**
       * Shows the change before the server responds, and undoes it if the server rejects it. A function returns the new resource, or
       * undefined to remove it.
       */
      readonly optimistic?:
        boolean | ((variables: UpdateVariables<A, C, N>, resource: Resource<A, C, N>) => object | undefined) | undefined
    },
  ): MutationOptions<Resource<A, C, N, Included<A, N, I>, F>, UpdateVariables<A, C, N>>
  /** Invalidates the queries that a direct call to the client may affect. Mutations with `mutationOptions` do this automatically. */
  invalidate(client: QueryClientLike, variables: UpdateVariables<A, C, N>, result?: unknown): Promise<void>
}

/** Mutation options of `delete`. Each call passes the id, or the resource as it was read, as its variables. */
export interface DeleteMutation<A extends AnyApi, C extends ClientTypes, N extends string> {
  mutationOptions(
    options?: MutationCallbacks<void, ResourceOrId> & {
      /** Removes the resource before the server responds, and restores it if the server rejects the deletion. */
      readonly optimistic?:
        boolean | ((target: ResourceOrId, resource: Resource<A, C, N>) => object | undefined) | undefined
    },
  ): MutationOptions<void, ResourceOrId>
  /** Invalidates the queries that a direct call to the client may affect. Mutations with `mutationOptions` do this automatically. */
  invalidate(client: QueryClientLike, variables: ResourceOrId, result?: unknown): Promise<void>
}

/** Mutation options of `relationship`. */
export interface LinkMutation<A extends AnyApi, C extends ClientTypes, N extends string> {
  mutationOptions<K extends RelationName<A, N> & WritableRelation<A, N>>(
    options: {
      readonly relation: K
      /** How to change the relationship. `add` and `remove` are only for to-many relationships. */
      readonly change: K extends ToManyName<A, N> ? 'add' | 'replace' | 'remove' : 'replace'
    } & MutationCallbacks<unknown, LinkVariables<A, C, N, K>>,
  ): MutationOptions<unknown, LinkVariables<A, C, N, K>>
}

/** The variables of a change to a relationship. */
export interface LinkVariables<
  A extends AnyApi,
  C extends ClientTypes,
  N extends string,
  K extends string,
> extends MutationTarget {
  readonly members: RelationInput<A, C, N, K>
}
