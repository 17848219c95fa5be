import type {
  AnyApi,
  ComputedOf,
  FieldsOf,
  Member,
  PrismaOperations,
  PrismaPayload,
  ReadAs,
  RelationsOf,
  IsFullyExposed,
} from '../api.js'
import type { ComputedInRpc } from '../computed.js'

/** The row that a call returns: Prisma's type, without names that are not exposed. `D` is the type of Decimals. */
export type RowOf<A extends AnyApi, M, T, D> = (A['row'] & { payload: Payload<A, M, D>; args: T })['row']

/** The row that a call without a selection returns. */
export type DefaultRowOf<A extends AnyApi, M, D> = Scalars<A, M, Member<PrismaPayload<A, M>, 'scalars'>, D>

/** Prisma's payload type of a model, without names that are not exposed. */
interface Payload<A extends AnyApi, M, D> {
  name: M
  objects: Objects<A, M, Member<PrismaPayload<A, M>, 'objects'>, D>
  scalars: DefaultRowOf<A, M, D>
  composites: {}
}

type Objects<A extends AnyApi, M, T, D> =
  IsFullyExposed<A, M> extends true
    ? { [K in keyof T]: Related<A, Member<RelationsOf<A, M>, K>, T[K], D> }
    : {
        [K in keyof T as ReadAs<A, M, K> extends 'none' ? never : K]: Related<A, Member<RelationsOf<A, M>, K>, T[K], D>
      }

/** The payload of a relation `R`, whose payload in Prisma is `T`. */
type Related<A extends AnyApi, R, T, D> = T extends readonly unknown[]
  ? Payload<A, Member<R, 'model'>, D>[]
  : T extends null
    ? null
    : Payload<A, Member<R, 'model'>, D> | (R extends { readonly nullable: true } ? null : never)

type Scalars<A extends AnyApi, M, T, D> =
  IsFullyExposed<A, M> extends true
    ? { [K in keyof T]: Scalar<A, M, K, T[K], D> }
    : { [K in keyof T as ReadAs<A, M, K> extends 'none' ? never : K]: Scalar<A, M, K, T[K], D> }

type Scalar<A extends AnyApi, M, K, T, D> = T extends ScalarValue
  ? T
  : K extends keyof ComputedOf<A, M>
    ? ComputedInRpc<T, D>
    : Member<FieldsOf<A, M>, K> extends { readonly type: 'Decimal' }
      ? DecimalAs<T, D>
      : T

/** Types that are the same on the server and the client, checked first to save the compiler further checks. */
type ScalarValue = string | number | boolean | bigint | Date | null

type DecimalAs<T, D> = T extends readonly unknown[] ? D[] : T extends object ? D : T

/** The result of `count`: a number, or one for each selected field. */
export type CountOf<A extends AnyApi, M, T> = T extends { select: infer S }
  ? S extends true
    ? number
    : CountResult<S, Extract<ResultOf<A, M, 'count'>, object>>
  : number

type CountResult<S, O> = { [K in keyof S]: K extends keyof O ? Exclude<O[K], undefined> : never }

/** The result of `aggregate`. */
export type AggregateOf<A extends AnyApi, M, T, D> = AggregateResult<A, M, T, ResultOf<A, M, 'aggregate'>, D>

/** The result of `groupBy`. */
export type GroupsOf<A extends AnyApi, M, T, D> =
  ResultOf<A, M, 'groupBy'> extends readonly (infer G)[]
    ? (GroupByResult<A, M, Member<T, 'by'>, Required<G>, D> & AggregateResult<A, M, T, G, D>)[]
    : never

type GroupByResult<A extends AnyApi, M, By, G, D> = {
  [K in (By extends readonly (infer E)[] ? E : By) & keyof G]: Scalar<A, M, K, G[K], D>
}

type AggregateResult<A extends AnyApi, M, T, O, D> = {
  [K in keyof T & keyof O]: K extends '_count'
    ? T[K] extends boolean
      ? number
      : CountResult<T[K], NonNullable<O[K]>>
    : T[K] extends object
      ? OfFields<A, M, T[K], NonNullable<O[K]>, D>
      : Exclude<O[K], undefined>
}

type OfFields<A extends AnyApi, M, T, O, D> = {
  [K in keyof T]: K extends keyof O ? Scalar<A, M, K, O[K], D> : never
}

type ResultOf<A extends AnyApi, M, O> = Member<Member<PrismaOperations<A, M>, O>, 'result'>
