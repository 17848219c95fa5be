/**
 * The types of computed fields as a client receives them. The schema does not contain these types, so the server annotates each value with
 * its runtime type, and the client restores the annotated values. `D` is the type of Decimals.
 */

/** The type of a computed value in the RPC client. Types that JSON lacks are restored only inside arrays and plain objects. */
export type ComputedInRpc<T, D> = unknown extends T
  ? T
  : T extends Preserved
    ? T
    : T extends Special
      ? SpecialAs<T, D>
      : T extends Omitted
        ? undefined
        : T extends Unpredictable
          ? unknown
          : T extends { toJSON(): infer J }
            ? J extends Json
              ? J
              : unknown
            : T extends readonly unknown[]
              ? number extends T['length']
                ? ElementInRpc<T[number], D>[]
                : { [K in keyof T]: ElementInRpc<T[K], D> }
              : { [K in keyof T as SerializedKey<K, T[K]>]: ComputedInRpc<T[K], D> }

type ElementInRpc<T, D> = T extends Omitted ? null : ComputedInRpc<T, D>

/** The type of a computed value in the REST client. Missing attributes are null. */
export type ComputedInRest<T, D> = unknown extends T ? T : T extends Omitted | undefined ? null : RestValue<T, D>

type RestValue<T, D> = unknown extends T
  ? T
  : T extends Preserved
    ? T
    : T extends Special
      ? SpecialAs<T, D>
      : T extends Omitted
        ? undefined
        : T extends Unpredictable
          ? unknown
          : T extends { toJSON(): infer J }
            ? RestValue<J, D>
            : T extends readonly unknown[]
              ? number extends T['length']
                ? ComputedInRest<T[number], D>[]
                : { [K in keyof T]: ComputedInRest<T[K], D> }
              : { [K in keyof T as SerializedKey<K, T[K]>]: RestValue<T[K], D> }

/** Types that are the same on the server and the client. */
type Preserved = string | number | boolean | bigint | null | undefined | Date

/** Types whose class can differ on the client. */
type Special = Uint8Array | DecimalLike

type SpecialAs<T, D> = T extends Uint8Array ? Uint8Array<ArrayBuffer> : D

/** A Decimal of decimal.js or of Prisma. */
interface DecimalLike {
  readonly d: number[]
  readonly e: number
  readonly s: number
  toFixed(): string
}

/** Values that serialization omits from objects and replaces with null in arrays. */
type Omitted = symbol | ((...args: never) => unknown)

/** The name of a property, or never if serialization omits it. */
type SerializedKey<K, T> = T extends Omitted ? never : Exclude<K, symbol>

/** Types whose JSON form is not predictable. */
type Unpredictable =
  ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | RegExp | Error | ArrayBufferView | PromiseLike<unknown>

type Json = string | number | boolean | null
