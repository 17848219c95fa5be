import type {
  AnyApi,
  ComputedOf,
  FieldsOf,
  Member,
  ReadAs,
  RelationsOf,
  TargetOf,
  UniquesOf,
  Unwritable,
  WriteAs,
} from '../api.js'
import type { Invalid, JoinNames, UnknownName } from '../invalid.js'
import type { UnavailableWrites } from './unavailable-writes.js'

/**
 * The arguments of a call. A name that is not exposed has the type {@link Invalid}, so that it causes a compile error at any depth.
 * TypeScript does not check inferred types for excess properties. This type traverses the given arguments, which are small, instead of
 * Prisma's types, which are large.
 */
export type Exact<A extends AnyApi, M, T, Names> = T extends readonly unknown[]
  ? Exact<A, M, T[number], Names>[]
  : T extends object
    ? // No call has both `select` and `omit`, so here `T` is the full argument type, which the compiler tries before inference.
      'select' | 'omit' extends keyof T
      ? T
      : {
          [K in keyof T]: K extends Names
            ? K extends 'select'
              ? Selection<A, M, T[K], 'omit' extends Names ? ValueKind : 'field'>
              : ExactArg<A, M, K, T[K]>
            : Invalid<`There is no argument '${K & string}'. Available: ${JoinNames<Names & string>}`>
        }
    : T

/** The kinds of names in a row, except for relations. A `_count` has neither `omit` nor computed fields. */
type ValueKind = 'field' | 'computed'

type ExactArg<A extends AnyApi, M, K, T> = T extends object
  ? K extends 'where' | 'cursor'
    ? Where<A, M, T>
    : K extends 'include'
      ? Selection<A, M, T, never>
      : K extends 'data' | 'create' | 'update'
        ? Data<A, M, T>
        : K extends 'orderBy'
          ? Order<A, M, T>
          : K extends 'omit'
            ? Fields<A, M, T, ValueKind>
            : K extends Aggregate
              ? Fields<A, M, T, 'field'>
              : K extends 'having'
                ? Where<A, M, T>
                : T
  : T

type Aggregate = '_count' | '_avg' | '_sum' | '_min' | '_max'

type Where<A extends AnyApi, M, T> = T extends readonly unknown[]
  ? Where<A, M, T[number]>[]
  : T extends object
    ? {
        [K in keyof T]: ReadAs<A, M, K> extends 'field'
          ? Filter<T[K]>
          : ReadAs<A, M, K> extends 'relation'
            ? RelationFilter<A, TargetOf<A, M, K>, T[K]>
            : K extends 'AND' | 'OR' | 'NOT'
              ? Where<A, M, T[K]>
              : K extends keyof UniquesOf<A, M>
                ? T[K]
                : Invalid<UnknownName<M, 'readable field or relation', K, NamesOf<A, M, 'field' | 'relation'>>>
      }
    : T

type RelationFilter<A extends AnyApi, M, T> = T extends object
  ? keyof T extends Quantifier
    ? { [K in keyof T]: Where<A, M, T[K]> }
    : Where<A, M, T>
  : T

type Quantifier = 'is' | 'isNot' | 'some' | 'every' | 'none'

type Filter<T> = T extends Atomic
  ? T
  : {
      [K in keyof T]: K extends Operator
        ? K extends 'not' | Aggregate
          ? Filter<T[K]>
          : T[K]
        : Invalid<`There is no operator '${K & string}'. Available: ${JoinNames<NamedOperator>}`>
    }

type Operator = NamedOperator | `string_${string}` | `array_${string}` | Aggregate

type NamedOperator =
  | 'equals'
  | 'in'
  | 'notIn'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'not'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'search'
  | 'mode'
  | 'has'
  | 'hasEvery'
  | 'hasSome'
  | 'isEmpty'
  | 'path'

/** Values that are not traversed. */
type Atomic =
  string | number | boolean | bigint | null | undefined | Date | Uint8Array | { toFixed(): string } | readonly unknown[]

type Selection<A extends AnyApi, M, T, Kind> = {
  [K in keyof T]: ReadAs<A, M, K> extends Kind
    ? T[K]
    : ReadAs<A, M, K> extends 'relation'
      ? T[K] extends object
        ? Exact<A, TargetOf<A, M, K>, T[K], RelationArgs<Member<RelationsOf<A, M>, K>>>
        : T[K]
      : K extends '_count'
        ? T[K] extends object
          ? Exact<A, M, T[K], 'select'>
          : T[K]
        : K extends '_all'
          ? T[K]
          : Invalid<UnknownName<M, SelectableKind<Kind>, K, NamesOf<A, M, Kind | 'relation'>>>
}

type SelectableKind<Kind> = [Kind] extends [never] ? 'relation' : 'readable field or relation'

type RelationArgs<R> =
  | 'where'
  | 'select'
  | 'include'
  | 'omit'
  | (R extends { readonly many: true } ? 'orderBy' | 'cursor' | 'take' | 'skip' | 'distinct' : never)

type Order<A extends AnyApi, M, T> = T extends readonly unknown[]
  ? Order<A, M, T[number]>[]
  : {
      [K in keyof T]: ReadAs<A, M, K> extends 'field'
        ? T[K]
        : ReadAs<A, M, K> extends 'relation'
          ? Order<A, TargetOf<A, M, K>, T[K]>
          : K extends Aggregate
            ? T[K] extends object
              ? Fields<A, M, T[K], 'field'>
              : T[K]
            : K extends '_relevance'
              ? T[K]
              : Invalid<UnknownName<M, 'readable field or relation', K, NamesOf<A, M, 'field' | 'relation'>>>
    }

type Fields<A extends AnyApi, M, T, Kind> = {
  [K in keyof T]: ReadAs<A, M, K> extends Kind
    ? T[K]
    : K extends '_all'
      ? T[K]
      : Invalid<UnknownName<M, 'readable field', K, NamesOf<A, M, Kind>>>
}

/** The names of a model's fields and relations that are of kind `Kind` when read. */
type NamesOf<A extends AnyApi, M, Kind> = {
  [K in AnyName<A, M>]: ReadAs<A, M, K> extends Kind ? K : never
}[AnyName<A, M>]

type AnyName<A extends AnyApi, M> = keyof FieldsOf<A, M> | keyof RelationsOf<A, M> | keyof ComputedOf<A, M>

type Data<A extends AnyApi, M, T> = T extends readonly unknown[]
  ? Data<A, M, T[number]>[]
  : {
      [K in keyof T]: WriteAs<A, M, K> extends 'field'
        ? ExactValue<Member<FieldsOf<A, M>, K>, T[K]>
        : WriteAs<A, M, K> extends 'relation'
          ? Writes<A, M, K, T[K]>
          : Invalid<UnknownName<M, 'writable field or relation', K, WritableNames<A, M>>>
    }

type WritableNames<A extends AnyApi, M> = Exclude<keyof FieldsOf<A, M> | keyof RelationsOf<A, M>, Unwritable<A, M>>

/** A value, or an update operation on it. */
type ExactValue<F, T> = T extends Atomic
  ? T
  : F extends { readonly type: 'Json' }
    ? T
    : {
        [K in keyof T]: K extends Arithmetic
          ? T[K]
          : Invalid<`There is no operation '${K & string}'. Available: ${JoinNames<Arithmetic>}`>
      }

type Arithmetic = 'set' | 'push' | 'increment' | 'decrement' | 'multiply' | 'divide'

type Writes<A extends AnyApi, M, R, T> = {
  [K in keyof T]: K extends UnavailableWrites<A, M, R>
    ? Invalid<`${TargetOf<A, M, R> & string} does not allow '${K & string}' here.`>
    : NestedWrite<A, TargetOf<A, M, R>, K, T[K]>
}

type NestedWrite<A extends AnyApi, M, K, T> = K extends 'create'
  ? Data<A, M, T>
  : K extends 'connect' | 'disconnect' | 'set' | 'delete' | 'deleteMany'
    ? Where<A, M, T>
    : K extends 'update'
      ? Change<A, M, T>
      : K extends 'connectOrCreate' | 'upsert' | 'updateMany' | 'createMany'
        ? Exact<A, M, T, 'where' | 'data' | 'create' | 'update' | 'skipDuplicates' | 'limit'>
        : never

/** The update of a related row: the data itself, or `data` with a `where`. */
type Change<A extends AnyApi, M, T> = T extends readonly unknown[]
  ? Change<A, M, T[number]>[]
  : T extends { data: object }
    ? 'data' extends keyof FieldsOf<A, M>
      ? T
      : Exact<A, M, T, 'where' | 'data'>
    : Data<A, M, T>
