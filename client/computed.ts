/**
 * What becomes of the values of computed fields on their way to a client. The schema knows no types of them, so that servers write each
 * value as what it is, and the clients make values again of what was noted. `D` is the type of Decimals. These say it to the compiler.
 */

/** A value as the RPC client has it. What JSON lacks is noted inside of lists and plain objects, and nowhere else. */
export type ComputedInRpc<T, D> = unknown extends T
  ? T
  : T extends Same
    ? T
    : T extends Special
      ? SpecialAs<T, D>
      : T extends Absent
        ? never
        : T extends Foreign
          ? unknown
          : T extends { toJSON(): infer J }
            ? J extends Json
              ? J
              : unknown
            : T extends readonly unknown[]
              ? { [K in keyof T]: T[K] extends Absent ? null : ComputedInRpc<T[K], D> }
              : { [K in keyof T as T[K] extends Absent ? never : K]: ComputedInRpc<T[K], D> }

/** A value as the REST client has it: as {@link ComputedInRpc}, with null where there is none. */
export type ComputedInRest<T, D> = unknown extends T ? T : T extends Absent | undefined ? null : InRest<T, D>

type InRest<T, D> = unknown extends T
  ? T
  : T extends Same
    ? T
    : T extends Special
      ? SpecialAs<T, D>
      : T extends Foreign
        ? unknown
        : T extends { toJSON(): infer J }
          ? ComputedInRest<J, D>
          : T extends readonly unknown[]
            ? { [K in keyof T]: ComputedInRest<T[K], D> }
            : { [K in keyof T as T[K] extends Absent ? never : K]: InRest<T[K], D> }

/** What is the same on both sides. */
type Same = string | number | boolean | bigint | null | undefined | Date

/** What is another class on the other side. */
type Special = Uint8Array | DecimalLike

type SpecialAs<T, D> = T extends Uint8Array ? Uint8Array<ArrayBuffer> : D

/** A Decimal of decimal.js or of Prisma. */
interface DecimalLike {
  readonly d: number[]
  readonly e: number
  readonly s: number
  toFixed(): string
}

/** What is left out of objects, and null in lists. */
type Absent = symbol | ((...args: never) => unknown)

/** What arrives in some form of JSON, of which the styles have different ones. */
type Foreign =
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | RegExp
  | Error
  | Int8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

type Json = string | number | boolean | null
