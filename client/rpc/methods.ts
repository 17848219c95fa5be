import type { AnyApi, ClientOf, Member, ModelName, Operation, OperationsOf, PrismaDelegate } from '../api.js'
import type { CallOptions } from '../http/options.js'
import type { OperationArgs, PrismaArgs, WhereOf } from './args.js'
import type { Exact } from './exact.js'
import type { AggregateOf, CountOf, GroupsOf, RowOf } from './results.js'

/** A client of the RPC style: `api.post.findMany(…)`. `D` is the type of Decimals. */
export type RpcClient<A extends AnyApi, D = string> = {
  readonly [M in ModelName<A> as Uncapitalize<M>]: RpcModel<A, M, D>
} & RpcTransactions &
  ClientOf<A, D>

/** What several operations are called by. */
export interface RpcTransactions {
  /**
   * Calls operations in order, in one transaction: all of them, or none. Where the server has the option `transactions`.
   *
   *     const [post, count] = await api.$transaction([api.post.create.call({ data }), api.post.count.call()])
   *
   * @returns what each of them gives
   */
  readonly $transaction: <const T extends readonly RpcCall<unknown>[]>(
    calls: T,
    options?: CallOptions,
  ) => Promise<ResultsOf<T>>
}

/** What calls give, in their order. */
export type ResultsOf<T extends readonly RpcCall<unknown>[]> = {
  -readonly [K in keyof T]: T[K] extends RpcCall<infer R> ? R : never
}

declare const RESULT: unique symbol

/** An operation that is not called yet, which gives an `R`. */
export interface RpcCall<R> {
  readonly model: string
  readonly op: string
  readonly args?: unknown
  /** Never there: for the compiler, which takes no other object for a call by this. */
  readonly [RESULT]: () => R
}

/** The operations of one model: those that its routes offer. */
export type RpcModel<A extends AnyApi, M, D> = {
  readonly [O in RpcOperation<A, M>]: RpcMethod<A, M, O, D>
} & {
  /** Whether this caller may read, create, update or delete: what the schema offers, and what access policies allow. */
  readonly check: (args: CheckArgs<A, M>, options?: CallOptions) => Promise<boolean>
} & ('list' extends OperationsOf<A, M> ? RpcExists<A, M> : {})

/** What a model that is listed has, beside Prisma's operations. */
interface RpcExists<A extends AnyApi, M> {
  /** Whether there is a row that matches. */
  readonly exists: ExistsMethod<A, M>
}

interface ExistsMethod<A extends AnyApi, M> {
  (args?: ExistsArgs<A, M>, options?: CallOptions): Promise<boolean>
  readonly call: (args?: ExistsArgs<A, M>) => RpcCall<boolean>
}

/** What `exists` asks. */
export interface ExistsArgs<A extends AnyApi, M> {
  /** The rows that it is asked about; all, where it is left out. */
  readonly where?: WhereOf<A, M>
}

/** What `check` asks. */
export interface CheckArgs<A extends AnyApi, M> {
  readonly operation: 'read' | 'create' | 'update' | 'delete'
  /** Rows that it is asked about. */
  readonly where?: WhereOf<A, M>
}

/** What each operation counts as: it is there where the model offers all of that. */
interface Needs {
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

/** The names of a model's operations. */
export type RpcOperation<A extends AnyApi, M> =
  Operation extends OperationsOf<A, M>
    ? keyof Needs & keyof PrismaDelegate<A, M>
    : {
        [O in keyof Needs & keyof PrismaDelegate<A, M>]: Needs[O] extends OperationsOf<A, M> ? O : never
      }[keyof Needs & keyof PrismaDelegate<A, M>]

/** One operation of a model, as Prisma's client has it. */
export type RpcMethod<A extends AnyApi, M, O, D> = Member<RpcMethods<A, M, D>, O>

/** All operations of a model. Those that nobody calls cost the compiler nothing. */
interface RpcMethods<A extends AnyApi, M, D> {
  findMany: MayBeLeftOut<A, M, 'findMany', 'rows', D>
  findFirst: MayBeLeftOut<A, M, 'findFirst', 'row?', D>
  findFirstOrThrow: MayBeLeftOut<A, M, 'findFirstOrThrow', 'row', D>
  findUnique: Given<A, M, OperationArgs<A, M, 'findUnique'>, 'row?', D>
  findUniqueOrThrow: Given<A, M, OperationArgs<A, M, 'findUniqueOrThrow'>, 'row', D>
  count: MayBeLeftOut<A, M, 'count', 'count', D>
  aggregate: Given<A, M, OperationArgs<A, M, 'aggregate'>, 'aggregate', D>
  groupBy: GroupBy<A, M, OperationArgs<A, M, 'groupBy'>, D>
  create: Given<A, M, OperationArgs<A, M, 'create'>, 'row', D>
  createMany: Given<A, M, OperationArgs<A, M, 'createMany'>, 'batch', D>
  createManyAndReturn: Given<A, M, OperationArgs<A, M, 'createManyAndReturn'>, 'rows', D>
  update: Given<A, M, OperationArgs<A, M, 'update'>, 'row', D>
  updateMany: Given<A, M, WithWhere<OperationArgs<A, M, 'updateMany'>>, 'batch', D>
  updateManyAndReturn: Given<A, M, WithWhere<OperationArgs<A, M, 'updateManyAndReturn'>>, 'rows', D>
  upsert: Given<A, M, OperationArgs<A, M, 'upsert'>, 'row', D>
  delete: Given<A, M, OperationArgs<A, M, 'delete'>, 'row', D>
  deleteMany: Given<A, M, WithWhere<OperationArgs<A, M, 'deleteMany'>>, 'batch', D>
}

interface MayBeLeftOut<A extends AnyApi, M, O, Shape, D> {
  <T extends OperationArgs<A, M, O>>(
    args?: T & NoInfer<Exact<A, M, T, keyof PrismaArgs<A, M, O>> & OneSelection<T>>,
    options?: CallOptions,
  ): Promise<ResultOf<A, M, T, Shape, D>>
  /** The same as a part of a transaction. */
  readonly call: PendingMayBeLeftOut<A, M, O, Shape, D>
}

interface PendingMayBeLeftOut<A extends AnyApi, M, O, Shape, D> {
  <T extends OperationArgs<A, M, O>>(
    args?: T & NoInfer<Exact<A, M, T, keyof PrismaArgs<A, M, O>> & OneSelection<T>>,
  ): RpcCall<ResultOf<A, M, T, Shape, D>>
}

interface Given<A extends AnyApi, M, Args, Shape, D> {
  <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OneSelection<T>>,
    options?: CallOptions,
  ): Promise<ResultOf<A, M, T, Shape, D>>
  /** The same as a part of a transaction. */
  readonly call: <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OneSelection<T>>,
  ) => RpcCall<ResultOf<A, M, T, Shape, D>>
}

interface GroupBy<A extends AnyApi, M, Args, D> {
  <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OrderedWindow<T>>,
    options?: CallOptions,
  ): Promise<GroupsOf<A, M, T, D>>
  /** The same as a part of a transaction. */
  readonly call: <T extends Args>(
    args: T & NoInfer<Exact<A, M, T, keyof Args> & OrderedWindow<T>>,
  ) => RpcCall<GroupsOf<A, M, T, D>>
}

/** The routes change many rows only where they are told which; `where: {}` says all of them. */
export type WithWhere<T> = T extends { where?: infer W } ? T & { where: W } : T

/** As Prisma, which takes one of the two. */
export type OneSelection<T> = 'select' extends keyof T
  ? T extends { select: object; include: object }
    ? 'Please either choose `select` or `include`.'
    : T extends { select: object; omit: object }
      ? 'Please either choose `select` or `omit`.'
      : unknown
  : unknown

/** As Prisma, which skips and takes groups in an order only. */
export type OrderedWindow<T> = T extends { take: number } | { skip: number } ? { orderBy: object } : unknown

/** What a call gives. */
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
