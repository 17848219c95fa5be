import type { Field } from '../schema/resource.js'

/** A field that callers can write, as in the emitted `input.ts`. */
export interface InputField extends Pick<Field, 'type' | 'values' | 'uuid' | 'optional' | 'list' | 'rule'> {
  /** Whether a new row requires a value. */
  readonly required?: true
  /** The relations that can be written instead of this foreign key. */
  readonly relations?: readonly string[]
  /** Whether it identifies a row, so that updates do not change it. */
  readonly id?: true
}

/** The fields of a model that callers can write. */
export type InputFields = Readonly<Record<string, InputField>>

/** The schemas of a model: for a new row, and for the changes of a row. */
export interface Input<F extends InputFields> {
  readonly create: InputSchema<CreateValues<F>, CreateValues<F>, Replacements<F>>
  readonly update: InputSchema<UpdateValues<F>>
}

/**
 * A schema that follows [Standard Schema](https://standardschema.dev). It does not change values. `T` is the type of valid values, `V` the
 * type of a form's values, and `R` maps required fields to the members that can replace them.
 */
export interface InputSchema<T, V = T, R = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'routewright'
    readonly validate: (value: unknown) => InputResult<T>
    readonly types?: { readonly input: V; readonly output: T } | undefined
  }
  /**
   * Returns the same schema, typed for a form whose values have the type `W`. The values can have additional members, such as nested rows,
   * and members with values that are not valid, such as null for an empty input. The type of the validated values does not contain the invalid
   * values.
   */
  readonly forForm: <W extends FormValues<W, T, R>>() => InputSchema<ValidValues<W, T, R>, W>
}

/** The type that the values `W` of a form must have: all required fields, and a type with at least one valid value for each field. */
type FormValues<W, T, R> = {
  [K in keyof W & keyof T]?: [ValidValue<W[K], T[K]>] extends [never] ? T[K] : unknown
} & { [K in Exclude<UnreplacedKey<W, T, R>, keyof W>]: T[K] }

/** The values of a form after validation. */
type ValidValues<W, T, R> = Flat<
  {
    [K in keyof W as K extends UnreplacedKey<W, T, R> ? K : never]-?: ValidValue<W[K], T[K & keyof T]>
  } & {
    [K in keyof W as K extends UnreplacedKey<W, T, R> ? never : K]: K extends keyof T
      ? ValidValue<W[K], T[K] | undefined>
      : W[K]
  }
>

/** The required fields of `T`, except those that the form can replace with one of its other members. */
type UnreplacedKey<W, T, R> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? never
    : [R[K & keyof R] & keyof W] extends [never]
      ? K
      : never
}[keyof T]

/** The valid values in the type of a form's member. All JSON values are valid, including null and interfaces. */
type ValidValue<W, T> = InputJson extends T ? W : W extends T | TextOf<T> ? W : Extract<T, W>

/** The types whose text the server accepts, but the types of the clients do not. */
type TextOf<T> = T extends bigint | Uint8Array ? string : T extends (bigint | Uint8Array)[] ? string[] : never

/** The value, or its errors. */
export type InputResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly InputIssue[] }

/** An error in a value. `code` and `params` extend Standard Schema. They are undefined if the whole input is not an object. */
export interface InputIssue {
  /** The server's message for a form. It does not name the field. */
  readonly message: string
  /** The path of the value. Undefined if the whole input is not an object. */
  readonly path?: readonly (string | number)[]
  /** The code of the violated rule: `required`, `invalid_type`, `invalid_value`, or a code of zod such as `too_small`. */
  readonly code?: string
  /** The rule's parameters: `{ minimum: 3 }`. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** The values of a new row. */
export type CreateValues<F> = Flat<
  { [K in RequiredKey<F>]: ValueOf<F[K]> } & { [K in Exclude<keyof F, RequiredKey<F>>]?: ValueOf<F[K]> }
>

/** The relations that can replace each required foreign key. */
type Replacements<F> = { [K in keyof F]: F[K] extends { readonly relations: readonly (infer R)[] } ? R : never }

/** The changes of a row. */
export type UpdateValues<F> = { [K in keyof F as F[K] extends { readonly id: true } ? never : K]?: ValueOf<F[K]> }

type RequiredKey<F> = { [K in keyof F]: F[K] extends { readonly required: true } ? K : never }[keyof F]

type Flat<T> = { [K in keyof T]: T[K] }

/** The types that both clients accept. */
interface Values {
  String: string
  Boolean: boolean
  Int: number
  BigInt: bigint | number
  Float: number
  Decimal: string | number | DecimalObject
  DateTime: Date | string
  Json: InputJson
  Bytes: Uint8Array<ArrayBuffer>
}

/** The list types that both clients accept, unless they are lists of {@link Values}. Prisma does not mix types in a list. */
interface Lists {
  BigInt: bigint[] | number[]
  Decimal: string[] | number[] | DecimalObject[]
  DateTime: Date[] | string[]
}

interface DecimalObject {
  d: number[]
  e: number
  s: number
  toFixed(): string
}

/** A JSON value that is not null. */
export type InputJson = string | number | boolean | (InputJson | null)[] | { [member: string]: InputJson | null }

type ValueOf<F> = F extends { readonly type: 'Enum'; readonly values: readonly (infer V)[] }
  ? F extends { readonly list: true }
    ? V[]
    : V | NullOf<F>
  : F extends { readonly type: infer T extends keyof Values }
    ? F extends { readonly list: true }
      ? T extends keyof Lists
        ? Lists[T]
        : Values[T][]
      : Values[T] | NullOf<F>
    : never

// A Json field has no `null`, because Prisma distinguishes the JSON value from the database's NULL.
type NullOf<F> = F extends { readonly type: 'Json' } ? never : F extends { readonly optional: true } ? null : never
