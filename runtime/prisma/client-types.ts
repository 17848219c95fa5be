/**
 * The parts of a Prisma client that the runtime and the emitted routes need. Structural, so that a `PrismaClient`, an extended client
 * (`$extends`), one with `omit` and a transaction client all fit without a cast.
 */

/** Prisma's map of a client's models, operations and types: `Prisma.TypeMap`. */
export interface TypeMap {
  readonly model: object
}

/** The names of a client's models. */
export type ModelName<T extends TypeMap> = keyof T['model'] & string

/** The arguments of an operation of a model, for example `Prisma.PostFindManyArgs`. */
export type ArgsOf<T extends TypeMap, N extends ModelName<T>, O extends string> = CallArgs<
  O,
  Member<Member<Operations<T, N>, O>, 'args'>
>

/** The operations of a model in Prisma's map. */
export type Operations<T extends TypeMap, N extends ModelName<T>> = Member<T['model'][N], 'operations'>

/**
 * The type of a property, or never. Does not use `infer`: for one of many operations, the compiler would compute the common type of all
 * arguments, which takes twice as long.
 */
export type Member<A, K extends string> = K extends keyof A ? A[K] : never

/** A model's delegate: its operations with the client's own arguments. The results are unknown, because they depend on the arguments. */
export type Delegate<T extends TypeMap, N extends ModelName<T>> = {
  readonly [K in keyof Operations<T, N>]: (
    args: CallArgs<K, Member<Operations<T, N>[K], 'args'>>,
  ) => PromiseLike<unknown>
}

/**
 * Calls one operation of a model on a Prisma client. An action accepts only the call of its model and operation. The client's type names
 * the operation, because several operations have the same arguments.
 */
export type Call<T extends TypeMap, N extends ModelName<T>, O extends string> = (
  orm: OrmOf<T, N> & ForOperation<O>,
  args: ArgsOf<T, N, O>,
) => PromiseLike<unknown>

/** The calls of a model by operation, as an emitted `calls.ts` lists them. */
export type CallsOf<T extends TypeMap, N extends ModelName<T>> = {
  readonly [O in keyof Operations<T, N> & string]?: Call<T, N, O>
}

declare const OPERATION: unique symbol

/** The part of a client's type that names the operation for which a call receives the client. */
export interface ForOperation<O extends string> {
  readonly [OPERATION]?: O
}

/** A client with the delegates of the models `N`. */
export type OrmOf<T extends TypeMap, N extends ModelName<T>> = {
  readonly [K in N as Uncapitalize<K>]: Delegate<T, K>
}

/**
 * A client that can serve routes of the models `N`. Each delegate must have all operations, and the arguments of `findMany` must be this
 * client's own, which rules out a client of a different schema. Other arguments are not compared, because that would take the compiler many
 * seconds in a schema with hundreds of models.
 */
export type ClientOf<T extends TypeMap, N extends ModelName<T>> = {
  readonly [K in N as Uncapitalize<K>]: T['model'][K] extends { readonly operations: infer O }
    ? { readonly [P in keyof O]: P extends 'findMany' ? Callable<O[P]> : (args: never) => unknown }
    : never
}

// Selections refer to all other models, and their types differ if a client has computed fields. Comparing them would exceed the compiler's
// recursion limit in a schema with about 30 models. The other arguments have identical types, which need no comparison.
type Callable<O> = O extends { readonly args: infer A }
  ? (args: Omit<A, 'select' | 'include' | 'omit'>) => PromiseLike<unknown>
  : never

// Prisma's `groupBy` requires `orderBy` with `skip` or `take`, which the type of its arguments does not express.
type CallArgs<O, A> = O extends 'groupBy'
  ? A & { orderBy: A extends { orderBy?: infer B } ? NonNullable<B> : never }
  : A

/** Names of a client's computed fields (`$extends({ result })`), by model: the fields of its rows that are not in the schema. */
export type ComputedFieldsOf<T extends TypeMap, C, N extends ModelName<T>> = {
  readonly [K in N]?: readonly (Exclude<
    keyof RowOf<Member<C, Uncapitalize<K>>>,
    keyof Member<Member<T['model'][K], 'payload'>, 'scalars'>
  > &
    string)[]
}

/** Checks that the keys of inferred names are models of the schema. TypeScript does not report excess properties of an inferred type. */
export type OfModels<Names, N extends string> = { readonly [K in keyof Names]: K extends N ? Names[K] : never }

/** Extracts the type of a delegate's rows in the same way as `Prisma.Result`. */
type RowOf<D> = D extends {
  readonly [K: symbol]: { readonly types: { readonly payload: { readonly scalars: infer S } } }
}
  ? S
  : never

/** The types of a client's computed fields, by model. Uses `infer`, so that emitted declarations contain the types and not the client. */
export type ComputedTypes<C, Names> = Names extends infer N
  ? {
      [K in keyof N]: {
        [F in N[K] extends readonly (infer E extends string)[] ? E : never]: Member<
          RowOf<Member<C, Uncapitalize<K & string>>>,
          F
        >
      }
    }
  : never
