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

/** A transaction. */
export interface RpcTransactionMutation {
  /**
   * The options of the mutation, which is given calls: `mutate([api.post.create.call({ … }), api.tag.delete.call({ … })])`. What any of them
   * touches is read again when it is settled.
   */
  mutationOptions<T extends readonly RpcCall<unknown>[] = readonly RpcCall<unknown>[]>(
    options?: MutationCallbacks<ResultsOf<T>, T>,
  ): MutationOptions<ResultsOf<T>, T>
  /** Reads again what calls touched that were not made by `mutationOptions`. */
  invalidate(client: QueryClientLike, calls: readonly RpcCall<unknown>[], results?: readonly unknown[]): Promise<void>
}

/** The operations of one model: those that its routes offer. */
export type RpcModelQueries<A extends AnyApi, M extends string, D> = {
  readonly [O in RpcOperation<A, M>]: O extends 'findMany'
    ? OptionalQuery<A, M, O, D> & InfiniteQuery<A, M, D>
    : O extends 'findFirst' | 'findFirstOrThrow' | 'count'
      ? OptionalQuery<A, M, O, D>
      : O extends 'findUnique' | 'findUniqueOrThrow' | 'aggregate' | 'groupBy'
        ? RequiredQuery<A, M, O, D>
        : RpcMutation<A, M, O, D>
} & {
  /** Whether this caller may read, create, update or delete. */
  readonly check: CheckQuery<A, M>
  /** What the keys of all queries of the model begin with. */
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

/** What arguments may not be, beside their type. */
type Checks<A extends AnyApi, M, O, T> = T &
  NoInfer<Exact<A, M, T, keyof PrismaArgs<A, M, O>> & (O extends 'groupBy' ? OrderedWindow<T> : OneSelection<T>)>

/** An operation that reads, of which the arguments may be left out. */
export interface OptionalQuery<A extends AnyApi, M extends string, O, D> extends RequiredQuery<A, M, O, D> {
  /** The options of the query: `useQuery(queries.post.findMany.queryOptions({ … }))`. */
  queryOptions: RequiredQuery<A, M, O, D>['queryOptions'] &
    (<V extends object = {}>(
      args?: undefined,
      overrides?: V & QueryOverrides<Result<A, M, O, {}, D>>,
    ) => QueryOptions<Key<M, O, undefined>, Result<A, M, O, {}, D>> & V)
}

/** An operation that reads, and has to be told what. */
export interface RequiredQuery<A extends AnyApi, M extends string, O, D> {
  /** The options of the query: `useQuery(queries.post.findUnique.queryOptions({ … }))`. */
  queryOptions<T extends OperationArgs<A, M, O>, V extends object = {}>(
    args: Checks<A, M, O, T>,
    overrides?: V & QueryOverrides<Result<A, M, O, T, D>>,
  ): QueryOptions<Key<M, O, T>, Result<A, M, O, T, D>> & V
  /** The key of the query, which knows the type of its data; without arguments that with which all of them begin. */
  queryKey<T extends OperationArgs<A, M, O>>(args?: Checks<A, M, O, T>): Tagged<Key<M, O, T>, Result<A, M, O, T, D>>
}

/** Pages of rows. */
export interface InfiniteQuery<A extends AnyApi, M extends string, D> {
  /** The options of an infinite query, whose pages have `take` rows each. `paging` is by a cursor, unless it says `skip`. */
  infiniteQueryOptions<T extends OperationArgs<A, M, 'findMany'> & { take: number }, V extends object = {}>(
    args: Checks<A, M, 'findMany', T>,
    overrides?: V & RequestHeaders & { readonly paging?: Paging },
  ): InfiniteQueryOptions<readonly [...Key<M, 'findMany', T>, 'infinite'], Result<A, M, 'findMany', T, D>, PageParam> &
    Omit<V, 'paging'>
  /** The key of an infinite query. */
  infiniteQueryKey<T extends OperationArgs<A, M, 'findMany'>>(
    args?: Checks<A, M, 'findMany', T>,
  ): InfiniteQueryOptions<
    readonly [...Key<M, 'findMany', T>, 'infinite'],
    Result<A, M, 'findMany', T, D>,
    PageParam
  >['queryKey']
}

/** The question whether there is a row. */
export interface ExistsQuery<A extends AnyApi, M extends string> {
  queryOptions<V extends object = {}>(
    args?: ExistsArgs<A, M>,
    overrides?: V & QueryOverrides<boolean>,
  ): QueryOptions<Key<M, 'exists', ExistsArgs<A, M>>, boolean> & V
  queryKey(args?: ExistsArgs<A, M>): Tagged<Key<M, 'exists', ExistsArgs<A, M>>, boolean>
}

/** The question what this caller may do. */
export interface CheckQuery<A extends AnyApi, M extends string> {
  queryOptions<V extends object = {}>(
    args: CheckArgs<A, M>,
    overrides?: V & QueryOverrides<boolean>,
  ): QueryOptions<Key<M, 'check', CheckArgs<A, M>>, boolean> & V
  queryKey(args?: CheckArgs<A, M>): Tagged<Key<M, 'check', CheckArgs<A, M>>, boolean>
}

/** What a mutation is given each time: its arguments, without what is selected of the result. */
export type Variables<A extends AnyApi, M, O> = Omit<
  O extends `${'update' | 'delete'}Many${string}` ? WithWhere<OperationArgs<A, M, O>> : OperationArgs<A, M, O>,
  'select' | 'include' | 'omit'
>

type SelectionKeys = 'select' | 'include' | 'omit'

type Chosen<S, I, Om> = (S extends object ? { select: S } : {}) &
  (I extends object ? { include: I } : {}) &
  (Om extends object ? { omit: Om } : {})

/** An operation that writes. */
export interface RpcMutation<A extends AnyApi, M extends string, O, D> {
  /**
   * The options of the mutation: `useMutation(queries.post.update.mutationOptions())`. What it touches is read again when it is settled.
   * What is selected of the result is said here, what is written with each call.
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
    } & NoInfer<OneSelection<Chosen<S, I, Om>>> &
      MutationCallbacks<Result<A, M, O, Chosen<S, I, Om>, D>, Variables<A, M, O>> &
      Optimistic<A, M, O, D>,
  ): MutationOptions<Result<A, M, O, Chosen<S, I, Om>, D>, Variables<A, M, O>>
  /** Reads again what a call of the operation touched that was not made by `mutationOptions`. */
  invalidate(client: QueryClientLike, args: OperationArgs<A, M, O>, result?: unknown): Promise<void>
}

type Optimistic<A extends AnyApi, M extends string, O, D> = O extends `${'update' | 'delete' | 'upsert'}${string}`
  ? {
      /**
       * Shows the change wherever its rows are shown, before the server has answered, and takes it back where that refuses. A function
       * tells what becomes of a row; what it is given may have fewer fields and more relations.
       */
      readonly optimistic?:
        | boolean
        | ((args: Variables<A, M, O>, row: Result<A, M, 'findUniqueOrThrow', {}, D>) => object | undefined)
        | undefined
    }
  : { readonly optimistic?: false | undefined }
