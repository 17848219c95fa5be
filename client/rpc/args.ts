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
  WithholdsNothing,
} from '../api.js'
import type { UnavailableNestedWrites } from './not-offered.js'

/**
 * The arguments of one operation: Prisma's own, without what is not on the wire. Prisma's types are walked with the model at hand, which a
 * relation changes; what they say of a scalar stays as it is. Where the model withholds nothing, they are taken as they are: {@link Exact}
 * looks at what a call is given in any case, and to walk large types costs the compiler more than all else here.
 */
export type OperationArgs<A extends AnyApi, M, O> =
  WithholdsNothing<A, M> extends true ? PrismaArgs<A, M, O> : Args<A, M, PrismaArgs<A, M, O>>

/** The arguments of one operation of Prisma's: what the method takes, where its parameter says no more than that. */
export type PrismaArgs<A extends AnyApi, M, O> = O extends 'count' | 'aggregate' | 'groupBy'
  ? Member<Member<PrismaOperations<A, M>, O>, 'args'>
  : A['computed'] extends object
    ? Member<Member<PrismaOperations<A, M>, O>, 'args'>
    : Taken<Member<PrismaDelegate<A, M>, O>>

/**
 * What a method takes. Every method is an `object`, of which the compiler is sure at once: without it, it would compare the method, which
 * is generic, with what is inferred here, and that costs half as much as all else of a call.
 */
type Taken<F> = F extends object | ((args: infer T) => unknown) ? Exclude<T, undefined> : never

/** A condition on rows of a model. */
export type WhereOf<A extends AnyApi, M> = Where<A, M, Member<PrismaArgs<A, M, 'findFirst'>, 'where'>>

/** Arguments of a call, of a relation that is selected, or of a nested write. */
type Args<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Args<A, M, E>[]
  : T extends object
    ? { [K in keyof T]: Arg<A, M, K, T[K]> }
    : T

type Arg<A extends AnyApi, M, K, T> = K extends 'where' | 'cursor'
  ? Where<A, M, T>
  : K extends 'select' | 'include'
    ? Selection<A, M, T>
    : K extends 'data' | 'create' | 'update'
      ? Data<A, M, T>
      : K extends 'distinct' | 'by'
        ? Names<A, M, T>
        : K extends 'omit' | 'orderBy' | 'having' | Aggregate
          ? Readable<A, M, T>
          : T

type Aggregate = '_count' | '_avg' | '_sum' | '_min' | '_max'

/** What stands beside fields and relations, and has fields and relations of the same model in it. */
type Joining = 'AND' | 'OR' | 'NOT' | 'is' | 'isNot' | 'some' | 'every' | 'none' | Aggregate

/** Something with a model's fields and relations as its members, to be read. */
type Readable<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Readable<A, M, E>[]
  : T extends object
    ? { [K in keyof T as Exclude<K, Unreadable<A, M>>]: ReadableAt<A, M, K, T[K]> }
    : T

type ReadableAt<A extends AnyApi, M, K, T> = K extends keyof RelationsOf<A, M>
  ? Readable<A, TargetOf<A, M, K>, T>
  : K extends Exclude<Joining, keyof FieldsOf<A, M>>
    ? Readable<A, M, T>
    : T

/** A condition, which may be by a unique criterion: of several forms of it, those whose criterion is on the wire. */
type Where<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Where<A, M, E>[]
  : T extends object
    ? {} extends Pick<T, Exclude<keyof T, Known<A, M>>>
      ? { [K in keyof T as K & Known<A, M>]: ReadableAt<A, M, K, T[K]> }
      : never
    : T

type Known<A extends AnyApi, M> =
  | Exclude<keyof FieldsOf<A, M> | keyof RelationsOf<A, M>, Unreadable<A, M>>
  | keyof UniquesOf<A, M>
  | 'AND'
  | 'OR'
  | 'NOT'

type Selection<A extends AnyApi, M, T> = T extends object
  ? {
      [K in keyof T as Exclude<K, Unreadable<A, M>>]: K extends keyof RelationsOf<A, M>
        ? Args<A, TargetOf<A, M, K>, T[K]>
        : K extends '_count'
          ? Args<A, M, T[K]>
          : T[K]
    }
  : T

type Names<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Exclude<E, Unreadable<A, M>>[]
  : Exclude<T, Unreadable<A, M>>

/** A row that is written, or the change of a related one, which may stand beside a condition. */
type Data<A extends AnyApi, M, T> = T extends readonly (infer E)[]
  ? Data<A, M, E>[]
  : T extends object
    ? {
        [K in keyof T as Exclude<K, Unwritable<A, M>>]: K extends keyof RelationsOf<A, M>
          ? Writes<A, M, K, T[K]>
          : K extends keyof FieldsOf<A, M>
            ? T[K]
            : Arg<A, M, K, T[K]>
      }
    : T

/** The nested writes of a relation, without those that its model does not offer. */
type Writes<A extends AnyApi, M, R, T> = T extends object
  ? {
      [K in keyof T as Exclude<K, UnavailableNestedWrites<A, M, R>>]: K extends 'create' | 'update'
        ? Data<A, TargetOf<A, M, R>, T[K]>
        : K extends 'connect' | 'disconnect' | 'set' | 'delete' | 'deleteMany'
          ? Where<A, TargetOf<A, M, R>, T[K]>
          : Args<A, TargetOf<A, M, R>, T[K]>
    }
  : T
