/**
 * What the runtime and the emitted routes need of a Prisma client. Structural: a `PrismaClient`, an extended one
 * (`$extends`), one with `omit` and a transaction's client all fit, without a cast.
 */

/** Prisma's own map of a client's models, operations and types: `Prisma.TypeMap`. */
export interface TypeMap {
  readonly model: object
}

/** The names of the models of a client. */
export type ModelName<T extends TypeMap> = keyof T['model'] & string

/** The arguments of one operation of one model, as `Prisma.PostFindManyArgs`. */
export type ArgsOf<T extends TypeMap, N extends ModelName<T>, O extends string> = CallArgs<
  O,
  Member<Member<Operations<T, N>, O>, 'args'>
>

/** The operations of one model, as Prisma's map has them. */
export type Operations<T extends TypeMap, N extends ModelName<T>> = Member<T['model'][N], 'operations'>

/**
 * The type of a member, or never. Not by `infer`: for one of many operations the compiler would look for what the arguments of
 * all of them have in common, and take twice as long.
 */
export type Member<A, K extends string> = K extends keyof A ? A[K] : never

/** A model's delegate: its operations, taking the client's own arguments. What comes back depends on the arguments. */
export type Delegate<T extends TypeMap, N extends ModelName<T>> = {
  readonly [K in keyof Operations<T, N>]: (
    args: CallArgs<K, Member<Operations<T, N>[K], 'args'>>,
  ) => PromiseLike<unknown>
}

/** A client with the delegates of the models `N`. */
export type OrmOf<T extends TypeMap, N extends ModelName<T>> = {
  readonly [K in N as Uncapitalize<K>]: Delegate<T, K>
}

/**
 * A client that routes of the models `N` can be served with. Of each delegate all operations must be there, and the
 * arguments of `findMany` must be this client's own, which tells a client of another schema; the arguments of the others
 * are not compared, because a schema of hundreds of models would take the compiler many seconds.
 */
export type ClientOf<T extends TypeMap, N extends ModelName<T>> = {
  readonly [K in N as Uncapitalize<K>]: T['model'][K] extends { readonly operations: infer O }
    ? { readonly [P in keyof O]: P extends 'findMany' ? Callable<O[P]> : (args: never) => unknown }
    : never
}

// What is selected leads to all other models, and is another type of each of them where a client computes fields. To compare that, the
// compiler would go deeper than it can in a schema of some thirty models. All else is the same type, of which nothing has to be compared.
type Callable<O> = O extends { readonly args: infer A }
  ? (args: Omit<A, 'select' | 'include' | 'omit'>) => PromiseLike<unknown>
  : never

// Prisma's `groupBy` wants `orderBy` wherever rows are skipped or taken, which its arguments' type alone does not say.
type CallArgs<O, A> = O extends 'groupBy'
  ? A & { orderBy: A extends { orderBy?: infer B } ? NonNullable<B> : never }
  : A
