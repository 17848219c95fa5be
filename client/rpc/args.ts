import type {
  AnyApi,
  FieldsOf,
  Member,
  PrismaDelegate,
  PrismaOperations,
  RelationsOf,
  TargetOf,
  UniquesOf,
  Unreadable,
  Unwritable,
  IsFullyExposed,
} from '../api.js'
import type { UnavailableWrites } from './unavailable-writes.js'

/**
 * The arguments of one operation: Prisma's type without names that are not exposed. Prisma's type is traversed together with the model,
 * which changes at each relation. Scalar types are kept. If all names of the model are exposed, Prisma's type is used directly, because
 * traversing large types is the most expensive step for the compiler and `Exact` checks the actual arguments anyway.
 */
export type OperationArgs<A extends AnyApi, M, O> =
  IsFullyExposed<A, M> extends true ? PrismaArgs<A, M, O> : ExposedArgs<A, M, PrismaArgs<A, M, O>>

/**
 * Prisma's arguments of one operation: the parameter of the method, or the operation's `args` type if the parameter adds constraints or the
 * API has computed fields.
 */
export type PrismaArgs<A extends AnyApi, M, O> = O extends 'count' | 'aggregate' | 'groupBy'
  ? Member<Member<PrismaOperations<A, M>, O>, 'args'>
  : A['computed'] extends object
    ? Member<Member<PrismaOperations<A, M>, O>, 'args'>
    : ParameterOf<Member<PrismaDelegate<A, M>, O>>

/**
 * The parameter of a method. The `object` in the union lets the compiler accept every method immediately. Without it, the compiler would
 * compare the generic method with the inferred type, which takes half as long as checking the rest of the call.
 */
type ParameterOf<F> = F extends object | ((args: infer T) => unknown) ? Exclude<T, undefined> : never

/** The `where` of a model. */
export type WhereOf<A extends AnyApi, M> = Where<A, M, Member<PrismaArgs<A, M, 'findFirst'>, 'where'>>

/** The arguments of a call, a selected relation or a nested write. */
type ExposedArgs<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? ExposedArgs<A, M, E>[]
  : T extends object
    ? { [K in keyof T]: ExposedArg<A, M, K, T[K]> }
    : T

type ExposedArg<A extends AnyApi, M, K, T> = K extends 'where' | 'cursor'
  ? Where<A, M, T>
  : K extends 'select' | 'include'
    ? Selection<A, M, T>
    : K extends 'data' | 'create' | 'update'
      ? Data<A, M, T>
      : K extends 'distinct' | 'by'
        ? Names<A, M, T>
        : K extends 'omit' | 'orderBy' | 'having' | Aggregate
          ? ReadableMembers<A, M, T>
          : T

type Aggregate = '_count' | '_avg' | '_sum' | '_min' | '_max'

/** Keys other than fields and relations whose values contain fields and relations of the same model. */
type NestingKey = 'AND' | 'OR' | 'NOT' | 'is' | 'isNot' | 'some' | 'every' | 'none' | Aggregate

/** An object whose keys are a model's readable fields and relations. */
type ReadableMembers<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? ReadableMembers<A, M, E>[]
  : T extends object
    ? { [K in keyof T as Exclude<K, Unreadable<A, M>>]: ReadableMember<A, M, K, T[K]> }
    : T

type ReadableMember<A extends AnyApi, M, K, T> = K extends keyof RelationsOf<A, M>
  ? ReadableMembers<A, TargetOf<A, M, K>, T>
  : K extends Exclude<NestingKey, keyof FieldsOf<A, M>>
    ? ReadableMembers<A, M, T>
    : T

/** A condition, which can use a unique criterion. Union members whose criterion is not exposed are removed. */
type Where<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Where<A, M, E>[]
  : T extends object
    ? {} extends Pick<T, Exclude<keyof T, WhereKey<A, M>>>
      ? { [K in keyof T as K & WhereKey<A, M>]: ReadableMember<A, M, K, T[K]> }
      : never
    : T

type WhereKey<A extends AnyApi, M> =
  | Exclude<keyof FieldsOf<A, M> | keyof RelationsOf<A, M>, Unreadable<A, M>>
  | keyof UniquesOf<A, M>
  | 'AND'
  | 'OR'
  | 'NOT'

type Selection<A extends AnyApi, M, T> = T extends object
  ? {
      [K in keyof T as Exclude<K, Unreadable<A, M>>]: K extends keyof RelationsOf<A, M>
        ? ExposedArgs<A, TargetOf<A, M, K>, T[K]>
        : K extends '_count'
          ? ExposedArgs<A, M, T[K]>
          : T[K]
    }
  : T

type Names<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Exclude<E, Unreadable<A, M>>[]
  : Exclude<T, Unreadable<A, M>>

/** The data of a row, or the update of a related row, which can also contain a `where`. */
type Data<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Data<A, M, E>[]
  : T extends object
    ? {
        [K in keyof T as Exclude<K, Unwritable<A, M>>]: K extends keyof RelationsOf<A, M>
          ? Writes<A, M, K, T[K]>
          : K extends keyof FieldsOf<A, M>
            ? T[K]
            : ExposedArg<A, M, K, T[K]>
      }
    : T

/** The nested writes of a relation that its target model allows. */
type Writes<A extends AnyApi, M, R, T> = T extends object
  ? {
      [K in keyof T as Exclude<K, UnavailableWrites<A, M, R>>]: K extends 'create' | 'update'
        ? Data<A, TargetOf<A, M, R>, T[K]>
        : K extends 'connect' | 'disconnect' | 'set' | 'delete' | 'deleteMany'
          ? Where<A, TargetOf<A, M, R>, T[K]>
          : ExposedArgs<A, TargetOf<A, M, R>, T[K]>
    }
  : T
