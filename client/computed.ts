/**
 * What becomes of the values of computed fields on their way to a client. The schema knows no types of them, so that servers write each
 * value as what it is, and clients make values again of what is noted. These say it to the compiler; `D` is the type of Decimals.
 */

/** A value as the RPC client has it. What JSON lacks is noted inside of lists and plain objects, and nowhere else. */
export type ComputedInRpc<T, D> = unknown extends T
  ? T
  : T extends Same
    ? T
    : T extends Special
      ? SpecialAs<T, D>
      : T extends Absent
        ? undefined
        : T extends Foreign
          ? unknown
          : T extends { toJSON(): infer J }
            ? J extends Json
              ? J
              : unknown
            : T extends readonly unknown[]
              ? number extends T['length']
                ? ElementInRpc<T[number], D>[]
                : { [K in keyof T]: ElementInRpc<T[K], D> }
              : { [K in keyof T as Kept<K, T[K]>]: ComputedInRpc<T[K], D> }

type ElementInRpc<T, D> = T extends Absent ? null : ComputedInRpc<T, D>

/** A value as the REST client has it: an attribute is null where there is none. */
export type ComputedInRest<T, D> = unknown extends T ? T : T extends Absent | undefined ? null : InRest<T, D>

type InRest<T, D> = unknown extends T
  ? T
  : T extends Same
    ? T
    : T extends Special
      ? SpecialAs<T, D>
      : T extends Absent
        ? undefined
        : T extends Foreign
          ? unknown
          : T extends { toJSON(): infer J }
            ? InRest<J, D>
            : T extends readonly unknown[]
              ? number extends T['length']
                ? ComputedInRest<T[number], D>[]
                : { [K in keyof T]: ComputedInRest<T[K], D> }
              : { [K in keyof T as Kept<K, T[K]>]: InRest<T[K], D> }

/** What is the same on both sides. */
type Same = string | number | boolean | bigint | null | undefined | Date

/** What may be of another class on the other side. */
type Special = Uint8Array | DecimalLike

type SpecialAs<T, D> = T extends Uint8Array ? Uint8Array<ArrayBuffer> : D

/** A Decimal of decimal.js or of Prisma. */
interface DecimalLike {
  readonly d: number[]
  readonly e: number
  readonly s: number
  toFixed(): string
}

/** What is left out of objects, and is null in lists. */
type Absent = symbol | ((...args: never) => unknown)

/** The name of a member that is not left out. */
type Kept<K, T> = T extends Absent ? never : Exclude<K, symbol>

/** What arrives in some form of JSON that tells little of it. */
type Foreign =
  ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | RegExp | Error | ArrayBufferView | PromiseLike<unknown>

type Json = string | number | boolean | null
