/**
 * `T` where it has no member that `U` has not, at any depth; such a member is `never`, and so an error. What the compiler infers of an
 * argument it checks for excess members nowhere but at the top.
 */
export type Strict<T, U> = T extends Whole
  ? T
  : T extends readonly (infer E)[]
    ? Strict<E, Extract<U, readonly unknown[]>[number]>[]
    : { [K in keyof T]: K extends KeyOf<U> ? Strict<T[K], At<U, K>> : never }

/** Values that are not taken apart. */
type Whole =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | Uint8Array
  | { toFixed(): string }
  | ((...args: never) => unknown)

type KeyOf<U> = U extends unknown ? keyof U : never

type At<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never
