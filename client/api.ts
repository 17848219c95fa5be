/**
 * The shape of the `Api` type in the generated `client.ts`: `import type { Api } from './routes/client.js'`. The helper types in this file
 * extract parts of it.
 */
export interface AnyApi {
  /** The generated API styles: REST, RPC or both. */
  readonly styles: 'rest' | 'rpc'
  /** The names of the enabled features: without `atomic`, the REST client has no `$operations`. */
  readonly features?: string | undefined
  /**
   * Prisma's `TypeMap` of models, operations and types. Any access makes the compiler resolve the whole type, so it is used only for types
   * that the other properties lack. Declared as `unknown`, because a comparison with any other type would resolve it too.
   */
  readonly types: unknown
  /** Prisma's client: model → delegate. Declared as `unknown` for the same reason. */
  readonly client: unknown
  /** Prisma's type of a result row. */
  readonly row: AnyRow
  /** Model → its resource description and Prisma's payload type. */
  readonly models: object
  /** Model → computed field → its type, for computed fields that the server declares. Prisma's `TypeMap` contains them too. */
  readonly computed?: object | undefined
  /** The names of the models with server-set fields: required fields that only hooks and extensions of the app can set. */
  readonly serverSetModels?: string | undefined
}

/** A type-level function: if `payload` and `args` are set, `row` is the result type of a call with these arguments. */
export interface AnyRow {
  readonly payload: unknown
  readonly args: unknown
  readonly row: unknown
}

/** Whether an API has a feature. True for files that an earlier version generated, because they do not list features. */
export type HasFeature<A extends AnyApi, N extends string> = A extends { readonly features: infer F }
  ? N extends F
    ? true
    : false
  : true

/** The operations of a model. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

/** The type of property `K` in `T`, or never if `T` does not have it. */
export type Member<T, K> = K extends keyof T ? T[K] : never

/** The model names of an API. */
export type ModelName<A extends AnyApi> = keyof A['models'] & string

/** The resource description of a model. */
export type ResourceOf<A extends AnyApi, M> = Member<Member<A['models'], M>, 'resource'>

/** The scalar fields of a model, including hidden ones. */
export type FieldsOf<A extends AnyApi, M> = Member<ResourceOf<A, M>, 'fields'>

/** The relations of a model, including hidden ones. */
export type RelationsOf<A extends AnyApi, M> = Member<ResourceOf<A, M>, 'relations'>

/** The target model of a relation. */
export type TargetOf<A extends AnyApi, M, K> = Member<Member<RelationsOf<A, M>, K>, 'model'>

/** The computed fields of a model, with their types. */
export type ComputedOf<A extends AnyApi, M> = M extends keyof A['computed'] ? A['computed'][M] : {}

/** Prisma's payload type of a model. If the API has computed fields, it comes from the `TypeMap`, which includes them. */
export type PrismaPayload<A extends AnyApi, M> = A['computed'] extends object
  ? Member<Member<Member<A['types'], 'model'>, M>, 'payload'>
  : Member<Member<A['models'], M>, 'payload'>

/** Prisma's operation types of a model. Expensive for the compiler: see {@link AnyApi.types}. */
export type PrismaOperations<A extends AnyApi, M> = Member<Member<Member<A['types'], 'model'>, M>, 'operations'>

/** A model's delegate on the Prisma client. */
export type PrismaDelegate<A extends AnyApi, M> = Member<A['client'], Uncapitalize<M & string>>

/** The operations of a model. */
export type OperationsOf<A extends AnyApi, M> =
  ResourceOf<A, M> extends { readonly operations: readonly (infer O)[] } ? O : Operation

/** The exposed unique criteria of a model, except for a single-field id. */
export type UniquesOf<A extends AnyApi, M> =
  ResourceOf<A, M> extends { readonly uniques: infer U } ? U : Record<never, never>

/**
 * The names of unreadable fields and relations: hidden and write-only ones, and relations to models without the required read operation.
 */
export type Unreadable<A extends AnyApi, M> =
  | KeysWith<FieldsOf<A, M>, { readonly hidden: true } | { readonly writeOnly: true }>
  | UnreadableRelations<A, RelationsOf<A, M>>

/** The names of fields and relations that the server rejects in writes. */
export type Unwritable<A extends AnyApi, M> =
  | KeysWith<FieldsOf<A, M>, { readonly hidden: true }>
  | ReadOnlyFields<A, M>
  | (IdFields<A, M> & KeysWith<FieldsOf<A, M>, { readonly generated: true }>)
  | UnwritableRelations<A, M, RelationsOf<A, M>>

/**
 * What a name refers to when a model is read: a field, a relation, a computed field, or `none` if it is not readable. Checking one name is
 * cheaper for the compiler than building the union of all names, and a call uses only a few.
 */
export type ReadAs<A extends AnyApi, M, K> = K extends keyof FieldsOf<A, M>
  ? FieldsOf<A, M>[K] extends { readonly hidden: true } | { readonly writeOnly: true }
    ? 'none'
    : 'field'
  : K extends keyof RelationsOf<A, M>
    ? RelationsOf<A, M>[K] extends { readonly hidden: true }
      ? 'none'
      : (RelationsOf<A, M>[K] extends { readonly many: true } ? 'list' : 'get') extends OperationsOf<
            A,
            TargetOf<A, M, K>
          >
        ? 'relation'
        : 'none'
    : K extends keyof ComputedOf<A, M>
      ? 'computed'
      : 'none'

/** What a name refers to when a model is written: a field, a relation, or `none` if it is not writable. */
export type WriteAs<A extends AnyApi, M, K> = K extends keyof FieldsOf<A, M>
  ? FieldsOf<A, M>[K] extends { readonly hidden: true } | { readonly readOnly: true }
    ? 'none'
    : K extends ReadOnlyKeys<RelationsOf<A, M>>
      ? 'none'
      : FieldsOf<A, M>[K] extends { readonly generated: true }
        ? K extends IdFields<A, M>
          ? 'none'
          : 'field'
        : 'field'
  : K extends keyof RelationsOf<A, M>
    ? RelationsOf<A, M>[K] extends { readonly hidden: true }
      ? 'none'
      : IsUnwritable<A, M, RelationsOf<A, M>[K]> extends true
        ? 'none'
        : 'relation'
    : 'none'

/**
 * Whether all fields and relations of a model are readable and no model of the API has server-set fields. The API type lists the models
 * with server-set fields, because finding them here would make the compiler check all models for each call.
 */
export type IsFullyExposed<A extends AnyApi, M> = A extends { readonly serverSetModels: string }
  ? false
  : FieldsOf<A, M> extends ReadableFields
    ? [UnreadableRelations<A, RelationsOf<A, M>>] extends [never]
      ? true
      : false
    : false

/** Readable fields. One comparison with this type is cheaper for the compiler than checking the flags of each field. */
type ReadableFields = Readonly<
  Record<string, { readonly [Some: string]: unknown; readonly hidden?: never; readonly writeOnly?: never }>
>

/** The names of the members of `T` that match `Flag`. */
export type KeysWith<T, Flag> = { [K in keyof T]: T[K] extends Flag ? K : never }[keyof T]

type UnreadableRelations<A extends AnyApi, L> = {
  [K in keyof L]: L[K] extends { readonly hidden: true }
    ? K
    : L[K] extends { readonly many: true }
      ? ExcludeUnless<OperationsOf<A, Member<L[K], 'model'>>, 'list', K>
      : ExcludeUnless<OperationsOf<A, Member<L[K], 'model'>>, 'get', K>
}[keyof L]

/** `K`, unless `O` includes the operation `Required`. */
type ExcludeUnless<O, Required, K> = Required extends O ? never : K

type ReadOnlyFields<A extends AnyApi, M> =
  KeysWith<FieldsOf<A, M>, { readonly readOnly: true }> | ReadOnlyKeys<RelationsOf<A, M>>

type ReadOnlyKeys<L> = {
  [K in keyof L]: L[K] extends { readonly readOnly: true; readonly foreignKey: infer F } ? keyof F : never
}[keyof L]

type IdFields<A extends AnyApi, M> =
  Member<ResourceOf<A, M>, 'id'> extends keyof UniquesOf<A, M>
    ? Member<Member<UniquesOf<A, M>, Member<ResourceOf<A, M>, 'id'>>, number>
    : Member<ResourceOf<A, M>, 'id'>

type UnwritableRelations<A extends AnyApi, M, L> = {
  [K in keyof L]: L[K] extends { readonly hidden: true } ? K : IsUnwritable<A, M, L[K]> extends true ? K : never
}[keyof L]

/** Whether a relation cannot be written, because it or its foreign key is read-only on the side that holds the key. */
type IsUnwritable<A extends AnyApi, M, L> = L extends { readonly foreignKey: object }
  ? IsReadOnly<L, ReadOnlyFields<A, M>>
  : L extends { readonly readOnly: true }
    ? true
    : L extends { readonly inverse: infer I; readonly model: infer N }
      ? IsReadOnly<Member<RelationsOf<A, N>, I>, ReadOnlyFields<A, N>>
      : false

type IsReadOnly<L, Fields> = L extends { readonly readOnly: true } | { readonly serverSet: true }
  ? true
  : L extends { readonly foreignKey: infer F }
    ? [keyof F & Fields] extends [never]
      ? false
      : true
    : false

declare const OF: unique symbol

/**
 * Phantom property with the API and options types of a client. Functions that accept a client, such as `createRpcQueries`, infer both types
 * from this property.
 */
export interface ClientOf<A extends AnyApi, C> {
  readonly [OF]?: { readonly api: A; readonly types: C } | undefined
}
