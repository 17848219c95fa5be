import type {
  AnyApi,
  ClientOf,
  HasFeature,
  Member,
  ModelName,
  Operation,
  OperationsOf,
  PrismaDelegate,
} from '../api.js'
import type { CallOptions } from '../http/options.js'
import type { OperationArgs, PrismaArgs, WhereOf } from './args.js'
import type { Exact } from './exact.js'
import type { AggregateOf, CountOf, GroupsOf, RowOf } from './results.js'

/** The RPC client of an API: `api.post.findMany(…)`. `D` is the type of Decimals. */
export type RpcClient<A extends AnyApi, D = string> = {
  readonly [M in ModelName<A> as Uncapitalize<M>]: RpcModel<A, M, D>
} & (HasFeature<A, 'transactions'> extends true ? RpcTransactions : unknown) &
  ClientOf<A, D>

/** The method that calls several operations. */
export interface RpcTransactions {
  /**
   * Calls operations in order in one transaction, all or nothing. Requires the feature `transactions`.
   *
   *     const [post, count] = await api.$transaction([api.post.create.call({ data }), api.post.count.call()])
   *
   * @returns the result of each operation
   */
  readonly $transaction: <const T extends readonly RpcCall<unknown>[]>(
    calls: T,
    options?: CallOptions,
  ) => Promise<ResultsOf<T>>
}

/** The results of calls, in order. */
export type ResultsOf<T extends readonly RpcCall<unknown>[]> = {
  -readonly [K in keyof T]: T[K] extends RpcCall<infer R> ? R : never
}

declare const RESULT: unique symbol

/** An operation that has not been called yet, with a result of type `R`. */
export interface RpcCall<R> {
  readonly model: string
  readonly op: string
  readonly args?: unknown
  /** Phantom property, never set: distinguishes calls from other objects. */
  readonly [RESULT]: () => R
}

/** The operations that the routes of one model expose. */
export type RpcModel<A extends AnyApi, M, D> = {
  readonly [O in RpcOperation<A, M>]: RpcMethod<A, M, O, D>
} & {
  /** Returns whether the caller may read, create, update or delete rows, according to the schema and the access policies. */
  readonly check: (args: CheckArgs<A, M>, options?: CallOptions) => Promise<boolean>
} & ('list' extends OperationsOf<A, M> ? RpcExists<A, M> : {})

/** The additional operation of a model that allows `list`. */
interface RpcExists<A extends AnyApi, M> {
  /** Returns whether a matching row exists. */
  readonly exists: ExistsMethod<A, M>
}

interface ExistsMethod<A extends AnyApi, M> {
  (args?: ExistsArgs<A, M>, options?: CallOptions): Promise<boolean>
  readonly call: (args?: ExistsArgs<A, M>) => RpcCall<boolean>
}

/** The arguments of `exists`. */
export interface ExistsArgs<A extends AnyApi, M> {
  /** Condition on the rows. Default: all rows. */
  readonly where?: WhereOf<A, M>
}

/** The arguments of `check`. */
export interface CheckArgs<A extends AnyApi, M> {
  readonly operation: 'read' | 'create' | 'update' | 'delete'
  /** Condition on the rows. */
  readonly where?: WhereOf<A, M>
}

/** The model operations that each RPC operation requires. */
interface RequiredOperations {
  findMany: 'list'
  findFirst: 'list'
  findFirstOrThrow: 'list'
  findUnique: 'get'
  findUniqueOrThrow: 'get'
  count: 'list'
  aggregate: 'list'
  groupBy: 'list'
  create: 'create'
  createMany: 'create'
  createManyAndReturn: 'create'
  update: 'update'
  updateMany: 'update'
  updateManyAndReturn: 'update'
  upsert: 'create' | 'update'
  delete: 'delete'
  deleteMany: 'delete'
}

/** The names of a model's RPC operations. */
export type RpcOperation<A extends AnyApi, M> =
  Operation extends OperationsOf<A, M>
    ? keyof RequiredOperations & keyof PrismaDelegate<A, M>
    : {
        [O in keyof RequiredOperations & keyof PrismaDelegate<A, M>]: RequiredOperations[O] extends OperationsOf<A, M>
          ? O
          : never
      }[keyof RequiredOperations & keyof PrismaDelegate<A, M>]

/** One operation of a model, as on Prisma's client. */
export type RpcMethod<A extends AnyApi, M, O, D> = Member<RpcMethods<A, M, D>, O>

/** All operations of a model. The compiler resolves only those in use. */
interface RpcMethods<A extends AnyApi, M, D> {
  findMany: OptionalArgsMethod<A, M, 'findMany', 'rows', D>
  findFirst: OptionalArgsMethod<A, M, 'findFirst', 'row?', D>
  findFirstOrThrow: OptionalArgsMethod<A, M, 'findFirstOrThrow', 'row', D>
  findUnique: RequiredArgsMethod<A, M, OperationArgs<A, M, 'findUnique'>, 'row?', D>
  findUniqueOrThrow: RequiredArgsMethod<A, M, OperationArgs<A, M, 'findUniqueOrThrow'>, 'row', D>
  count: OptionalArgsMethod<A, M, 'count', 'count', D>
  aggregate: RequiredArgsMethod<A, M, OperationArgs<A, M, 'aggregate'>, 'aggregate', D>
  groupBy: GroupBy<A, M, OperationArgs<A, M, 'groupBy'>, D>
  create: RequiredArgsMethod<A, M, OperationArgs<A, M, 'create'>, 'row', D>
  createMany: RequiredArgsMethod<A, M, OperationArgs<A, M, 'createMany'>, 'batch', D>
  createManyAndReturn: RequiredArgsMethod<A, M, OperationArgs<A, M, 'createManyAndReturn'>, 'rows', D>
  update: RequiredArgsMethod<A, M, OperationArgs<A, M, 'update'>, 'row', D>
  updateMany: RequiredArgsMethod<A, M, WithWhere<OperationArgs<A, M, 'updateMany'>>, 'batch', D>
  updateManyAndReturn: RequiredArgsMethod<A, M, WithWhere<OperationArgs<A, M, 'updateManyAndReturn'>>, 'rows', D>
  upsert: RequiredArgsMethod<A, M, OperationArgs<A, M, 'upsert'>, 'row', D>
  delete: RequiredArgsMethod<A, M, OperationArgs<A, M, 'delete'>, 'row', D>
  deleteMany: RequiredArgsMethod<A, M, WithWhere<OperationArgs<A, M, 'deleteMany'>>, 'batch', D>
}

interface OptionalArgsMethod<A extends AnyApi, M, O, Shape, D> {
  <T extends OperationArgs<A, M, O>>(
    args?: T & NoInfer<Exact<A, M, T, keyof PrismaArgs<A, M, O>> & OneSelection<T>>,
    options?: CallOptions,
  ): Promise<ResultOf<A, M, T, Shape, D>>
  /** Returns the call for `$transaction` instead of sending it. */
  readonly call: PendingOptionalArgsMethod<A, M, O, Shape, D>
}

interface PendingOptionalArgsMethod<A extends AnyApi, M, O, Shape, D> {
  <T extends OperationArgs<A, M, O>>(
    args?: T & NoInfer<Exact<A, M, T, keyof PrismaArgs<A, M, O>> & OneSelection<T>>,
  ): RpcCall<ResultOf<A, M, T, Shape, D>>
}

interface RequiredArgsMethod<A extends AnyApi, M, Args, Shape, D> {
  <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OneSelection<T>>,
    options?: CallOptions,
  ): Promise<ResultOf<A, M, T, Shape, D>>
  /** Returns the call for `$transaction` instead of sending it. */
  readonly call: <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OneSelection<T>>,
  ) => RpcCall<ResultOf<A, M, T, Shape, D>>
}

interface GroupBy<A extends AnyApi, M, Args, D> {
  <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OrderedWindow<T>>,
    options?: CallOptions,
  ): Promise<GroupsOf<A, M, T, D>>
  /** Returns the call for `$transaction` instead of sending it. */
  readonly call: <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OrderedWindow<T>>,
  ) => RpcCall<GroupsOf<A, M, T, D>>
}

/** Makes `where` required, because the routes reject bulk writes without it. `where: {}` matches all rows. */
export type WithWhere<T> = T extends { where?: infer W } ? T & { where: W } : T

/** Rejects `select` together with `include` or `omit`, like Prisma. */
export type OneSelection<T> = 'select' extends keyof T
  ? T extends { select: object; include: object }
    ? 'Please either choose `select` or `include`.'
    : T extends { select: object; omit: object }
      ? 'Please either choose `select` or `omit`.'
      : unknown
  : unknown

/** Requires `orderBy` with `take` or `skip`, like Prisma's `groupBy`. */
export type OrderedWindow<T> = T extends { take: number } | { skip: number } ? { orderBy: object } : unknown

/** The result of a call. */
export type ResultOf<A extends AnyApi, M, T, Shape, D> = Shape extends 'row'
  ? RowOf<A, M, T, D>
  : Shape extends 'rows'
    ? RowOf<A, M, T, D>[]
    : Shape extends 'row?'
      ? RowOf<A, M, T, D> | null
      : Shape extends 'batch'
        ? { count: number }
        : Shape extends 'count'
          ? CountOf<A, M, T>
          : AggregateOf<A, M, T, D>
