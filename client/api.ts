/**
 * What the emitted `client.ts` says of a schema: `import type { Api } from './routes/client.js'`. Types only; these helpers read them.
 */
export interface AnyApi {
  /** The styles that are emitted. */
  readonly styles: 'rest' | 'rpc'
  /**
   * Prisma's own map of models, operations and types. The first question about it makes the compiler read through all of it, so it is
   * asked only for what the members below do not tell. Nor does this say what is in it: to compare that would be a question.
   */
  readonly types: object
  /** Prisma's own client: model → delegate. */
  readonly client: object
  /** Prisma's own type of a row. */
  readonly row: AnyRow
  /** Model → what it looks like on the wire, and what Prisma says of its rows. */
  readonly models: object
  /** Model → computed field of the client → its type: those that the server names. They are in Prisma's own map as well. */
  readonly computed?: object | undefined
  /** The models with fields that a new row must have, and no caller can give: the app's hooks and extensions do. */
  readonly withheld?: string | undefined
}

/** A function on types: given a payload and arguments, `row` is what a call with them gives. */
export interface AnyRow {
  readonly payload: unknown
  readonly args: unknown
  readonly row: unknown
}

/** What may be done with a model. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

/** A member's type, or never. */
export type Member<T, K> = K extends keyof T ? T[K] : never

/** The names of the models. */
export type ModelName<A extends AnyApi> = keyof A['models'] & string

/** What a model looks like on the wire. */
export type ResourceOf<A extends AnyApi, M> = Member<Member<A['models'], M>, 'resource'>

/** The scalar fields of a model, hidden ones included. */
export type FieldsOf<A extends AnyApi, M> = Member<ResourceOf<A, M>, 'fields'>

/** The relations of a model, hidden ones included. */
export type RelationsOf<A extends AnyApi, M> = Member<ResourceOf<A, M>, 'relations'>

/** The model at the other end of a relation. */
export type TargetOf<A extends AnyApi, M, K> = Member<Member<RelationsOf<A, M>, K>, 'model'>

/** The computed fields of a model, with their types. */
export type ComputedOf<A extends AnyApi, M> = M extends keyof A['computed'] ? A['computed'][M] : {}

/** What Prisma says of a model's rows. Where fields are computed, its map tells of them. */
export type PrismaPayload<A extends AnyApi, M> = A['computed'] extends object
  ? Member<Member<Member<A['types'], 'model'>, M>, 'payload'>
  : Member<Member<A['models'], M>, 'payload'>

/** What Prisma says of a model's operations. It is dear: see {@link AnyApi.types}. */
export type PrismaOperations<A extends AnyApi, M> = Member<Member<Member<A['types'], 'model'>, M>, 'operations'>

/** A model's methods, as the Prisma client has them. */
export type PrismaDelegate<A extends AnyApi, M> = Member<A['client'], Uncapitalize<M & string>>

/** What may be done with a model. */
export type OperationsOf<A extends AnyApi, M> =
  ResourceOf<A, M> extends { readonly operations: readonly (infer O)[] } ? O : Operation

/** The unique criteria of a model that are on the wire, but for an id of one field. */
export type UniquesOf<A extends AnyApi, M> =
  ResourceOf<A, M> extends { readonly uniques: infer U } ? U : Record<never, never>

/** The names of fields and relations that are not read: hidden and write-only ones, and relations to what offers no read. */
export type Unreadable<A extends AnyApi, M> =
  | KeysWith<FieldsOf<A, M>, { readonly hidden: true } | { readonly writeOnly: true }>
  | UnreadableRelations<A, RelationsOf<A, M>>

/** The names of fields and relations that are not written: the server refuses them. */
export type Unwritable<A extends AnyApi, M> =
  | KeysWith<FieldsOf<A, M>, { readonly hidden: true }>
  | ReadOnlyFields<A, M>
  | (IdFields<A, M> & KeysWith<FieldsOf<A, M>, { readonly generated: true }>)
  | UnwritableRelations<A, M, RelationsOf<A, M>>

/**
 * What a name is to those who read a model: a field, a relation, a computed field, or none of them. To look at one name costs the compiler
 * less than to make the list of all, and a call names a few.
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

/** What a name is to those who write a model: a field, a relation, or none of them. */
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
 * Whether a model's rows have nothing that is not read, and no model has fields that are required and withheld. Where an API has such
 * models its type says so: to look for them would ask the compiler for all models with each call.
 */
export type WithholdsNothing<A extends AnyApi, M> = A extends { readonly withheld: string }
  ? false
  : FieldsOf<A, M> extends Shown
    ? [UnreadableRelations<A, RelationsOf<A, M>>] extends [never]
      ? true
      : false
    : false

/** Fields that are read. To compare costs the compiler less than to look for flags name by name. */
type Shown = Readonly<
  Record<string, { readonly [Some: string]: unknown; readonly hidden?: never; readonly writeOnly?: never }>
>

type KeysWith<T, Flag> = { [K in keyof T]: T[K] extends Flag ? K : never }[keyof T]

type UnreadableRelations<A extends AnyApi, L> = {
  [K in keyof L]: L[K] extends { readonly hidden: true }
    ? K
    : L[K] extends { readonly many: true }
      ? Unless<OperationsOf<A, Member<L[K], 'model'>>, 'list', K>
      : Unless<OperationsOf<A, Member<L[K], 'model'>>, 'get', K>
}[keyof L]

/** `K`, unless `O` has the operation. */
type Unless<O, Needed, K> = Needed extends O ? never : K

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

/** Whether a relation is read-only at the end that holds its foreign key. */
type IsUnwritable<A extends AnyApi, M, L> = L extends { readonly foreignKey: object }
  ? IsReadOnly<L, ReadOnlyFields<A, M>>
  : L extends { readonly readOnly: true }
    ? true
    : L extends { readonly inverse: infer I; readonly model: infer N }
      ? IsReadOnly<Member<RelationsOf<A, N>, I>, ReadOnlyFields<A, N>>
      : false

type IsReadOnly<L, Fields> = L extends { readonly readOnly: true }
  ? true
  : L extends { readonly foreignKey: infer F }
    ? [keyof F & Fields] extends [never]
      ? false
      : true
    : false

declare const OF: unique symbol

/** What a client is of, for the compiler alone: other functions that take the client know it by this. */
export interface ClientOf<A extends AnyApi, C> {
  readonly [OF]?: { readonly api: A; readonly types: C } | undefined
}
