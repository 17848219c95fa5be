/**
 * What a model looks like on the wire: the shape of every emitted `resource.ts`.
 *
 * A resource is plain data. Where routes are tied to it, it is checked at compile time against the payload type of the user's generated
 * Prisma client, so that routes and a client that do not fit each other fail to compile instead of failing in production.
 */

/** The scalar types of Prisma's schema language. `Enum` stands for every enum of the schema. */
export type ScalarType =
  'String' | 'Boolean' | 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' | 'Json' | 'Bytes' | 'Enum'

/** What may be done with a model, in either style. Each covers the REST routes and the RPC operations of its kind. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

/** One fault that a {@link Rule} found in a value. */
export interface RuleIssue {
  /** What is wrong, for the person who sent the value. */
  readonly message: string
  /** Where in the value: object keys and list indices, outermost first. */
  readonly path: readonly PropertyKey[]
  /** What kind of check it is, as zod calls it: `too_small`. Its parameters stand beside it. */
  readonly code?: string | undefined
}

/** A rule that a value breaks, as answers tell it: `{ rule: 'too_small', minimum: 3 }`. */
export type BrokenRule = { readonly rule: string } & Readonly<Record<string, unknown>>

/**
 * A rule on written values, from `@zod.…` comments. Any zod schema is one.
 * Structural, so that the runtime imports nothing of zod.
 */
export interface Rule {
  /** Checks a value; gives the value to store, or what is wrong with it. `words` are for what the rule has no words of its own for. */
  safeParse(
    value: unknown,
    words?: { readonly error: () => string },
  ):
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly RuleIssue[] } }
}

/** A scalar field of a resource. Flags that are absent are false. */
export interface Field {
  /** Its type in the Prisma schema. */
  readonly type: ScalarType
  /** The values of an `Enum`, in schema order, as the Prisma client spells them. */
  readonly values?: readonly string[]
  /** The type of its column, if the schema names one: `Date` for `@db.Date`, `Decimal(10, 2)` for `@db.Decimal(10, 2)`. */
  readonly db?: string
  /** A `String` whose column holds UUIDs only (`@db.Uuid`). */
  readonly uuid?: true
  /** The client reads fewer digits than its column holds (`@db.Timestamptz(6)`, `@db.Real`): equal values may differ in the database. */
  readonly inexact?: true
  /**
   * The name of its column, where that differs (`@map`) and a unique criterion holds the field: a database that finds a
   * conflict names columns. It is never on the wire.
   */
  readonly column?: string
  /** May be null. */
  readonly optional?: true
  /** A scalar list. */
  readonly list?: true
  /** The literal that a create stores if the field is left out. */
  readonly default?: string | number | boolean
  /** May be left out on create: its default in the schema is not a literal, such as `now()`. */
  readonly hasDefault?: true
  /** The client sets it to the time of every write that does not give it (`@updatedAt`). May be left out on create. */
  readonly updatedAt?: true
  /** The database makes the value (`autoincrement()`, `dbgenerated()`). May be left out on create. */
  readonly generated?: true
  /** Read but never written (`@api.readOnly`). */
  readonly readOnly?: true
  /** Written but never read, filtered or sorted (`@api.writeOnly`). */
  readonly writeOnly?: true
  /** Not on the wire at all (`@api.hidden`). */
  readonly hidden?: true
  /** A hook, a client extension or the database sets it (`@api.serverSet`). Callers cannot write it. */
  readonly serverSet?: true
  /** Tells the revisions of a row apart (`@api.version`). `required`: every change must say which one it was made of. */
  readonly version?: true | 'required'
  /** What a written value must fulfil (`@zod.…`). */
  readonly rule?: Rule
}

/** A relation of a resource. Flags that are absent are false. */
export interface Relation {
  /** The model at the other end. */
  readonly model: string
  /** To-many; otherwise to-one. */
  readonly many?: true
  /** A to-one relation that may be empty. */
  readonly optional?: true
  /** A required to-one relation that is null if its row is hidden from the caller (`@api.nullable`, access policies). */
  readonly nullable?: true
  /** Where this side holds the foreign key: each of its fields, and the field of the other model that it refers to. */
  readonly foreignKey?: Readonly<Record<string, string>>
  /** What the database does to this row when the other is deleted. Default, as in Prisma: `SetNull` if it is optional, else `Restrict`. */
  readonly onDelete?: 'Cascade' | 'Restrict' | 'NoAction' | 'SetNull' | 'SetDefault'
  /** Where the other side holds the foreign key, or a table between the two does: the name of the relation there. */
  readonly inverse?: string
  /** The related row's foreign key is required, or a field of it: the row can move to another owner, but never lose its owner. */
  readonly dependent?: true
  /** Read but never written (`@api.readOnly`). */
  readonly readOnly?: true
  /** Not on the wire at all (`@api.hidden`, or a relation to a hidden model). */
  readonly hidden?: true
}

/** A model on the wire, as the runtime sees it. {@link ResourceFor} is the same, tied to a client's payload type. */
export interface Resource {
  /** The model's name in the Prisma schema. */
  readonly model: string
  /** The name of its delegate on the Prisma client: `prisma.<delegate>.findMany`. */
  readonly delegate: string
  /** The unique field, or which of `uniques`, the resource is identified by, unless `externalIdMapping` says otherwise. */
  readonly id: string
  /** The schema's comment on the model, for those who call the API. */
  readonly description?: string
  /**
   * Every unique criterion whose fields are all on the wire: its name in Prisma's `where`, and its fields in order. An id of one
   * field goes without saying.
   */
  readonly uniques?: Readonly<Record<string, readonly [string, ...string[]]>>
  /** What may be done with it; everything where absent (`@api.operations`, `@api.readOnly`, views). */
  readonly operations?: readonly Operation[]
  /** Its scalar fields, in schema order. */
  readonly fields: Readonly<Record<string, Field>>
  /** Its relations, in schema order. */
  readonly relations: Readonly<Record<string, Relation>>
  /** The schema's comments on fields and relations, for those who call the API. */
  readonly descriptions?: Readonly<Record<string, string>>
}

/** The names of a resource's unique criteria: what may identify it in URLs. */
export type UniqueName<R extends Resource> =
  R['id'] | (R extends { readonly uniques: infer U } ? keyof U & string : never)

/** The unique criteria of a resource, its id among them. */
export function getUniques({
  id,
  fields,
  uniques = {},
}: Resource): Readonly<Record<string, readonly [string, ...string[]]>> {
  return Object.hasOwn(uniques, id) || !Object.hasOwn(fields, id) ? uniques : { [id]: [id], ...uniques }
}

/** What Prisma's generated clients tell about a model, as `Prisma.$PostPayload` does for `Post`. */
export interface Payload {
  readonly name: string
  readonly objects: object
  readonly scalars: object
}

/**
 * A {@link Resource} that fits the model with payload `P` of the user's Prisma client: all of its fields and relations, no
 * others, each with the type, the nullability and the arity that the client has.
 */
export interface ResourceFor<P extends Payload> {
  readonly model: P['name']
  readonly delegate: Uncapitalize<P['name']>
  readonly id: string
  readonly description?: string
  readonly uniques?: Readonly<Record<string, readonly ScalarName<P>[]>>
  readonly operations?: readonly Operation[]
  readonly fields: { readonly [K in keyof P['scalars']]: FieldFor<P['scalars'][K]> }
  readonly relations: { readonly [K in keyof P['objects']]: RelationFor<P['objects'][K], ForeignKeyOf<ScalarName<P>>> }
  readonly descriptions?: { readonly [K in keyof P['scalars'] | keyof P['objects']]?: string }
}

/**
 * What a {@link Resource} must be for the model with payload `P`: one that fits, without fields and relations that the client does not
 * have. Routes ask this of their resource, and not the emitted `resource.ts` of itself: a program with a typed client reads resources
 * too, and the compiler would compare each of them there, in several of its threads.
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

// Interfaces, and none of them told what model it is for: the compiler makes each once for all models, and compares with one type.
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

// A Json value may itself be null, so the client's type does not tell whether the column may be.
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

// Where the client's type is none of Prisma's own, another generator has given a Json field a type of its own.
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

interface RelationFlags extends Pick<Relation, 'inverse' | 'readOnly' | 'hidden' | 'dependent'> {}

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

type ForeignKeyOf<F extends string> = { readonly [K in F]?: string }
