/**
 * The API representation of a model: the shape of every emitted `resource.ts`.
 *
 * A resource is plain data. Routes check it at compile time against the payload type of the generated Prisma client, so that a mismatch is
 * a compile error and not a failure in production.
 */

/** The scalar types of Prisma's schema language. `Enum` stands for every enum of the schema. */
export type ScalarType =
  'String' | 'Boolean' | 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' | 'Json' | 'Bytes' | 'Enum'

/** The operations on a model, in REST and RPC. Each of them covers the corresponding REST routes and RPC operations. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

/** One error that a {@link Rule} found in a value. */
export interface RuleIssue {
  /** The message for the person who sent the value. */
  readonly message: string
  /** The path in the value: object keys and list indices, outermost first. */
  readonly path: readonly PropertyKey[]
  /** The code of the check as in zod: `too_small`. Its parameters are further properties. */
  readonly code?: string | undefined
}

/** A broken rule, as it appears in responses: `{ rule: 'too_small', minimum: 3 }`. */
export type BrokenRule = { readonly rule: string } & Readonly<Record<string, unknown>>

/**
 * A validation rule for written values, from `@zod.…` comments. Every zod schema is a rule. The type is structural, so that the runtime
 * does not import zod.
 */
export interface Rule {
  /** Checks a value. Returns the value to store, or the errors. `words` provides messages for checks without a message. */
  safeParse(
    value: unknown,
    words?: { readonly error: () => string },
  ):
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly RuleIssue[] } }
}

/** A scalar field of a resource. Missing flags are false. */
export interface Field {
  /** The type in the Prisma schema. */
  readonly type: ScalarType
  /** The values of an `Enum`, in schema order, as the Prisma client spells them. */
  readonly values?: readonly string[]
  /** The type of its column, if the schema names one: `Date` for `@db.Date`, `Decimal(10, 2)` for `@db.Decimal(10, 2)`. */
  readonly db?: string
  /** A `String` whose column holds UUIDs only (`@db.Uuid`). */
  readonly uuid?: true
  /**
   * The client reads fewer digits than the column holds (`@db.Timestamptz(6)`, `@db.Real`), so values that it reads as equal may differ in
   * the database.
   */
  readonly inexact?: true
  /**
   * The name of the column if it differs (`@map`) and the field is part of a unique criterion. Needed because databases report conflicts by
   * column. Never exposed.
   */
  readonly column?: string
  /** Whether it may be null. */
  readonly optional?: true
  /** Whether it is a scalar list. */
  readonly list?: true
  /** The literal that a create stores if the field is omitted. */
  readonly default?: string | number | boolean
  /** Whether it may be omitted on create because its default in the schema is not a literal, such as `now()`. */
  readonly hasDefault?: true
  /** Whether the client sets it to the time of every write that does not set it (`@updatedAt`). It may be omitted on create. */
  readonly updatedAt?: true
  /** Whether the database generates the value (`autoincrement()`, `dbgenerated()`). It may be omitted on create. */
  readonly generated?: true
  /** Read but never written (`@api.readOnly`). */
  readonly readOnly?: true
  /** Written but never read, filtered or sorted (`@api.writeOnly`). */
  readonly writeOnly?: true
  /** Not exposed (`@api.hidden`). */
  readonly hidden?: true
  /** A hook, a client extension or the database sets it (`@api.serverSet`). Callers cannot write it. */
  readonly serverSet?: true
  /** The version of a row (`@api.version`). If `required`, every change must state the version that it is based on. */
  readonly version?: true | 'required'
  /** The validation rule for written values (`@zod.…`). */
  readonly rule?: Rule
}

/** A relation of a resource. Missing flags are false. */
export interface Relation {
  /** The related model. */
  readonly model: string
  /** Whether it is to-many; otherwise it is to-one. */
  readonly many?: true
  /** A to-one relation that may be empty. */
  readonly optional?: true
  /** A required to-one relation that is null if its row is hidden from the caller (`@api.nullable`, access policies). */
  readonly nullable?: true
  /** Set if this side has the foreign key: maps each of its fields to the field of the other model that it refers to. */
  readonly foreignKey?: Readonly<Record<string, string>>
  /**
   * The action that the database applies to this row if the related row is deleted. Default, as in Prisma: `SetNull` if it is optional,
   * otherwise `Restrict`.
   */
  readonly onDelete?: 'Cascade' | 'Restrict' | 'NoAction' | 'SetNull' | 'SetDefault'
  /** Set if the other side or a join table has the foreign key: the name of the relation on the other side. */
  readonly inverse?: string
  /** The related row's foreign key, or a field of it, is required: the row can move to a different parent, but cannot exist without one. */
  readonly dependent?: true
  /** Read but never written (`@api.readOnly`). */
  readonly readOnly?: true
  /** Read but never written, because a field of the foreign key is `@api.serverSet`. */
  readonly serverSet?: true
  /** Not exposed (`@api.hidden`, or a relation to a hidden model). */
  readonly hidden?: true
}

/** An exposed model, as the runtime uses it. {@link ResourceFor} is the same, checked against a client's payload type. */
export interface Resource {
  /** The model's name in the Prisma schema. */
  readonly model: string
  /** The name of the delegate on the Prisma client: `prisma.<delegate>.findMany`. */
  readonly delegate: string
  /** The name of the table, if it differs from the model's name (`@@map`). */
  readonly table?: string
  /** The field or the key of `uniques` that identifies a resource. Can be overridden with `externalIdMapping`. */
  readonly id: string
  /**
   * The unique criteria whose fields are all exposed: the name in Prisma's `where` → the fields, in order. A single-field id is omitted.
   */
  readonly uniques?: Readonly<Record<string, readonly [string, ...string[]]>>
  /**
   * Constraints in the database, by name. If the runtime cannot derive the name from the table and the columns, the value is the unique
   * criterion. If some of the fields are hidden, the value lists the exposed fields.
   */
  readonly constraints?: Readonly<Record<string, string | readonly string[]>>
  /** The allowed operations (`@api.operations`, `@api.readOnly`, views). Default: all. */
  readonly operations?: readonly Operation[]
  /** The scalar fields, in schema order. */
  readonly fields: Readonly<Record<string, Field>>
  /** The relations, in schema order. */
  readonly relations: Readonly<Record<string, Relation>>
}

/** The names of a resource's unique criteria, which can identify it in URLs. */
export type UniqueName<R extends Resource> =
  R['id'] | (R extends { readonly uniques: infer U } ? keyof U & string : never)

/** Returns the unique criteria of a resource, including its id. */
export function getUniques({
  id,
  fields,
  uniques = {},
}: Resource): Readonly<Record<string, readonly [string, ...string[]]>> {
  return Object.hasOwn(uniques, id) || !Object.hasOwn(fields, id) ? uniques : { [id]: [id], ...uniques }
}

/** The payload type that Prisma's generated client declares for a model, for example `Prisma.$PostPayload` for `Post`. */
export interface Payload {
  readonly name: string
  readonly objects: object
  readonly scalars: object
}

/**
 * A {@link Resource} that fits the model with payload `P` of the user's Prisma client. It has exactly the model's fields and relations,
 * with the client's types, nullability and arity.
 */
export interface ResourceFor<P extends Payload> {
  readonly model: P['name']
  readonly delegate: Uncapitalize<P['name']>
  readonly table?: string
  readonly id: string
  readonly uniques?: Readonly<Record<string, readonly ScalarName<P>[]>>
  readonly constraints?: Readonly<Record<string, string | readonly ScalarName<P>[]>>
  readonly operations?: readonly Operation[]
  readonly fields: { readonly [K in keyof P['scalars']]: FieldFor<P['scalars'][K]> }
  readonly relations: { readonly [K in keyof P['objects']]: RelationFor<P['objects'][K], ForeignKeyOf<ScalarName<P>>> }
}

/**
 * The constraint for a {@link Resource} of the model with payload `P`: {@link ResourceFor} without fields and relations that the client
 * does not have. The emitted routes check it instead of the emitted `resource.ts`. Programs with a typed client also load the resources,
 * and the compiler would repeat the check there, in several of its threads.
 */
export type FitsModel<R extends Resource, P> = P extends Payload
  ? ResourceFor<P> & {
      readonly fields: { readonly [K in Exclude<keyof R['fields'], keyof P['scalars']>]: never }
      readonly relations: { readonly [K in Exclude<keyof R['relations'], keyof P['objects']>]: never }
    }
  : never

type ScalarName<P extends Payload> = keyof P['scalars'] & string

interface FieldFlags extends Pick<
  Field,
  | 'db'
  | 'uuid'
  | 'inexact'
  | 'column'
  | 'default'
  | 'hasDefault'
  | 'updatedAt'
  | 'generated'
  | 'readOnly'
  | 'writeOnly'
  | 'hidden'
  | 'serverSet'
  | 'version'
  | 'rule'
> {}

// Interfaces without a type parameter for the model, so that the compiler instantiates each only once for all models.
interface RequiredField<Type> extends FieldFlags {
  readonly type: Type
  readonly optional?: never
  readonly list?: never
}

interface OptionalField<Type> extends FieldFlags {
  readonly type: Type
  readonly optional: true
  readonly list?: never
}

interface ListField<Type> extends FieldFlags {
  readonly type: Type
  readonly optional?: never
  readonly list: true
}

interface JsonField extends FieldFlags {
  readonly type: 'Json'
  readonly optional?: true
}

interface EnumValues<T> {
  readonly values: readonly T[]
}

// A Json value may itself be null, so the client's type does not reveal whether the column is nullable.
type FieldFor<T> =
  IsJson<T> extends true
    ? JsonField
    : [null] extends [T]
      ? TypeOf<NonNullable<T>> extends 'Enum'
        ? (OptionalField<'Enum'> & EnumValues<NonNullable<T>>) | OptionalField<'String'>
        : OptionalField<TypeOf<NonNullable<T>>>
      : [T] extends [readonly (infer E)[]]
        ? TypeOf<E> extends 'Enum'
          ? (ListField<'Enum'> & EnumValues<E>) | ListField<'String'>
          : ListField<TypeOf<E>>
        : TypeOf<T> extends 'Enum'
          ? (RequiredField<'Enum'> & EnumValues<T>) | RequiredField<'String'>
          : RequiredField<TypeOf<T>>

type IsJson<T> = [string | number | boolean] extends [NonNullable<T>] ? true : false

// Types other than Prisma's own belong to Json fields that another generator has typed.
type TypeOf<T> =
  IsJson<T> extends true
    ? 'Json'
    : [T] extends [string]
      ? string extends T
        ? 'String'
        : 'Enum'
      : [T] extends [boolean]
        ? 'Boolean'
        : [T] extends [number]
          ? 'Int' | 'Float'
          : [T] extends [bigint]
            ? 'BigInt'
            : [T] extends [Date]
              ? 'DateTime'
              : [T] extends [Uint8Array]
                ? 'Bytes'
                : [T] extends [DecimalLike]
                  ? 'Decimal'
                  : 'Json'

interface DecimalLike {
  toDecimalPlaces(): unknown
  toFixed(): string
}

interface RelationFlags extends Pick<Relation, 'inverse' | 'readOnly' | 'serverSet' | 'hidden' | 'dependent'> {}

interface ToMany<Model> extends RelationFlags {
  readonly model: Model
  readonly many: true
}

interface ToOne<Model, Key> extends RelationFlags {
  readonly model: Model
  readonly many?: never
  readonly optional?: never
  readonly nullable?: true
  readonly foreignKey?: Key
  readonly onDelete?: NonNullable<Relation['onDelete']>
}

interface ToOneOrNone<Model, Key> extends RelationFlags {
  readonly model: Model
  readonly many?: never
  readonly optional: true
  readonly foreignKey?: Key
  readonly onDelete?: NonNullable<Relation['onDelete']>
}

type RelationFor<O, Key> = [O] extends [readonly (infer E)[]]
  ? ToMany<NameOf<E>>
  : [null] extends [O]
    ? ToOneOrNone<NameOf<NonNullable<O>>, Key>
    : ToOne<NameOf<O>, Key>

type NameOf<O> = O extends { readonly name: infer N } ? N : never

// Every object inherits `constructor`, which is not a string.
type ForeignKeyOf<F extends string> = { readonly [K in F]?: K extends keyof typeof Object.prototype ? unknown : string }
