import type { AnyApi, Member, ModelName, OperationsOf } from '../api.js'
import type { OperationArgs, PrismaArgs } from '../rpc/args.js'
import type { Exact } from '../rpc/exact.js'
import type {
  CheckArgs,
  ExistsArgs,
  OneSelection,
  OrderedWindow,
  ResultOf,
  ResultsOf,
  RpcCall,
  RpcOperation,
  WithWhere,
} from '../rpc/methods.js'
import type { GroupsOf } from '../rpc/results.js'
import type {
  InfiniteQueryOptions,
  MutationCallbacks,
  MutationOptions,
  QueryOptions,
  QueryOverrides,
  RequestHeaders,
} from './options.js'
import type { PageParam, Paging } from './paging.js'
import type { QueryClientLike } from './tanstack.js'
import type { Tagged } from './tag.js'

/** Queries and mutations of an RPC client: `queries.post.findMany.queryOptions({ … })`. `D` is the type of Decimals. */
export type RpcQueries<A extends AnyApi, D = string> = {
  readonly [M in ModelName<A> as Uncapitalize<M>]: RpcModelQueries<A, M, D>
} & {
  /** Several operations in one transaction. */
  readonly $transaction: RpcTransactionMutation
}

/** Mutation options of a transaction. */
export interface RpcTransactionMutation {
  /**
   * Returns the options of the mutation. Its variables are calls: `mutate([api.post.create.call({ … }), api.tag.delete.call({ … })])`. The
   * queries that the calls may affect are invalidated when the mutation is settled.
   */
  mutationOptions<T extends readonly RpcCall<unknown>[] = readonly RpcCall<unknown>[]>(
    options?: MutationCallbacks<ResultsOf<T>, T>,
  ): MutationOptions<ResultsOf<T>, T>
  /** Invalidates the queries that may be affected by calls made without `mutationOptions`. */
  invalidate(client: QueryClientLike, calls: readonly RpcCall<unknown>[], results?: readonly unknown[]): Promise<void>
}

/** The query and mutation options of one model, for the operations that its routes allow. */
export type RpcModelQueries<A extends AnyApi, M extends string, D> = {
  readonly [O in RpcOperation<A, M>]: O extends 'findMany'
    ? OptionalQuery<A, M, O, D> & InfiniteQuery<A, M, D>
    : O extends 'findFirst' | 'findFirstOrThrow' | 'count'
      ? OptionalQuery<A, M, O, D>
      : O extends 'findUnique' | 'findUniqueOrThrow' | 'aggregate' | 'groupBy'
        ? RequiredQuery<A, M, O, D>
        : RpcMutation<A, M, O, D>
} & {
  /** Query options of `check`, which returns whether the caller may read, create, update or delete rows. */
  readonly check: CheckQuery<A, M>
  /** Returns the elements that the keys of all the model's queries start with. */
  queryKey(): readonly [string, Uncapitalize<M>]
} & ('list' extends OperationsOf<A, M> ? { readonly exists: ExistsQuery<A, M> } : {})

type Key<M extends string, O, T> = readonly [string, Uncapitalize<M>, O, T]

interface Shapes {
  findMany: 'rows'
  findFirst: 'row?'
  findUnique: 'row?'
  count: 'count'
  aggregate: 'aggregate'
  createMany: 'batch'
  updateMany: 'batch'
  deleteMany: 'batch'
  createManyAndReturn: 'rows'
  updateManyAndReturn: 'rows'
}

type Result<A extends AnyApi, M, O, T, D> = O extends 'groupBy'
  ? GroupsOf<A, M, T, D>
  : ResultOf<A, M, T, O extends keyof Shapes ? Shapes[O] : 'row', D>

/** Checks on arguments in addition to their type. */
type CheckedArgs<A extends AnyApi, M, O, T> = T &
  NoInfer<Exact<A, M, T, keyof PrismaArgs<A, M, O>> & (O extends 'groupBy' ? OrderedWindow<T> : OneSelection<T>)>

/** A read with optional arguments. */
export interface OptionalQuery<A extends AnyApi, M extends string, O, D> extends RequiredQuery<A, M, O, D> {
  /** Returns the options of the query: `useQuery(queries.post.findMany.queryOptions({ … }))`. */
  queryOptions: RequiredQuery<A, M, O, D>['queryOptions'] &
    (<V extends object = {}>(
      args?: undefined,
      overrides?: V & QueryOverrides<Result<A, M, O, {}, D>>,
    ) => QueryOptions<Key<M, O, undefined>, Result<A, M, O, {}, D>> & V)
}

/** A read with required arguments. */
export interface RequiredQuery<A extends AnyApi, M extends string, O, D> {
  /** Returns the options of the query: `useQuery(queries.post.findUnique.queryOptions({ … }))`. */
  queryOptions<T extends OperationArgs<A, M, O>, V extends object = {}>(
    args: CheckedArgs<A, M, O, T>,
    overrides?: V & QueryOverrides<Result<A, M, O, T, D>>,
  ): QueryOptions<Key<M, O, T>, Result<A, M, O, T, D>> & V
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of the operation. */
  queryKey<T extends OperationArgs<A, M, O>>(
    args?: CheckedArgs<A, M, O, T>,
  ): Tagged<Key<M, O, T>, Result<A, M, O, T, D>>
}

/** Infinite queries of `findMany`. */
export interface InfiniteQuery<A extends AnyApi, M extends string, D> {
  /** Returns the options of an infinite query with pages of `take` rows. Default of `paging`: `cursor`. */
  infiniteQueryOptions<T extends OperationArgs<A, M, 'findMany'> & { take: number }, V extends object = {}>(
    args: CheckedArgs<A, M, 'findMany', T>,
    overrides?: V & RequestHeaders & { readonly paging?: Paging },
  ): InfiniteQueryOptions<readonly [...Key<M, 'findMany', T>, 'infinite'], Result<A, M, 'findMany', T, D>, PageParam> &
    Omit<V, 'paging'>
  /** Returns the key of an infinite query. */
  infiniteQueryKey<T extends OperationArgs<A, M, 'findMany'>>(
    args?: CheckedArgs<A, M, 'findMany', T>,
  ): InfiniteQueryOptions<
    readonly [...Key<M, 'findMany', T>, 'infinite'],
    Result<A, M, 'findMany', T, D>,
    PageParam
  >['queryKey']
}

/** Query options of `exists`. */
export interface ExistsQuery<A extends AnyApi, M extends string> {
  queryOptions<V extends object = {}>(
    args?: ExistsArgs<A, M>,
    overrides?: V & QueryOverrides<boolean>,
  ): QueryOptions<Key<M, 'exists', ExistsArgs<A, M>>, boolean> & V
  queryKey(args?: ExistsArgs<A, M>): Tagged<Key<M, 'exists', ExistsArgs<A, M>>, boolean>
}

/** Query options of `check`. */
export interface CheckQuery<A extends AnyApi, M extends string> {
  queryOptions<V extends object = {}>(
    args: CheckArgs<A, M>,
    overrides?: V & QueryOverrides<boolean>,
  ): QueryOptions<Key<M, 'check', CheckArgs<A, M>>, boolean> & V
  queryKey(args?: CheckArgs<A, M>): Tagged<Key<M, 'check', CheckArgs<A, M>>, boolean>
}

/** The variables of a mutation: the arguments of the operation without `select`, `include` and `omit`. */
export type Variables<A extends AnyApi, M, O> = Omit<
  O extends `${'update' | 'delete'}Many${string}` ? WithWhere<OperationArgs<A, M, O>> : OperationArgs<A, M, O>,
  'select' | 'include' | 'omit'
>

type SelectionKeys = 'select' | 'include' | 'omit'

type SelectedArgs<S, I, Om> = (S extends object ? { select: S } : {}) &
  (I extends object ? { include: I } : {}) &
  (Om extends object ? { omit: Om } : {})

/** Mutation options of an operation. */
export interface RpcMutation<A extends AnyApi, M extends string, O, D> {
  /**
   * Returns the options of the mutation: `useMutation(queries.post.update.mutationOptions())`. The queries that it may affect are
   * invalidated when it is settled. The options select the fields of the result. The variables of each call contain the data.
   */
  mutationOptions<
    S extends Member<OperationArgs<A, M, O>, 'select'> | undefined = undefined,
    I extends Member<OperationArgs<A, M, O>, 'include'> | undefined = undefined,
    Om extends Member<OperationArgs<A, M, O>, 'omit'> | undefined = undefined,
  >(
    options?: {
      readonly [K in SelectionKeys & keyof OperationArgs<A, M, O>]?: K extends 'select'
        ? S
        : K extends 'include'
          ? I
          : Om
    } & NoInfer<OneSelection<SelectedArgs<S, I, Om>>> &
      MutationCallbacks<Result<A, M, O, SelectedArgs<S, I, Om>, D>, Variables<A, M, O>> &
      Optimistic<A, M, O, D>,
  ): MutationOptions<Result<A, M, O, SelectedArgs<S, I, Om>, D>, Variables<A, M, O>>
  /** Invalidates the queries that a direct call to the operation may affect. Mutations with `mutationOptions` do this automatically. */
  invalidate(client: QueryClientLike, args: OperationArgs<A, M, O>, result?: unknown): Promise<void>
}

type Optimistic<A extends AnyApi, M extends string, O, D> = O extends `${'update' | 'delete' | 'upsert'}${string}`
  ? {
      /**
       * Shows the change in all queries before the server responds, and undoes it if the server rejects it. A function returns the new row,
       * or undefined to remove it. The row that the function receives can lack some of the fields in its type, and can contain relations.
       */
      readonly optimistic?:
        | boolean
        | ((args: Variables<A, M, O>, row: Result<A, M, 'findUniqueOrThrow', {}, D>) => object | undefined)
        | undefined
    }
  : { readonly optimistic?: false | undefined }
