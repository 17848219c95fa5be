declare const REASON: unique symbol

/** The type of a name that a call must not use. No value has this type, and the compiler shows the sentence `S` in its message. */
export interface Invalid<S extends string> {
  readonly [REASON]: S
}

/** A union of names as one string for messages: `author, comments`. Expensive for long unions, so use it in error branches only. */
export type JoinNames<U, Text extends string = ''> = [U] extends [never]
  ? Text extends ''
    ? 'none'
    : Text
  : LastOf<U> extends infer L extends string
    ? JoinNames<Exclude<U, L>, Text extends '' ? L : `${L}, ${Text}`>
    : never

/** The last member of a union. The compiler infers the last overload of an intersection of functions. */
type LastOf<U> = (U extends unknown ? (member: () => U) => void : never) extends (member: infer F) => void
  ? F extends () => infer L
    ? L
    : never
  : never

/** The message for a name `K` that is not a `Kind` of model `M`, with the available `Names`. */
export type UnknownName<
  M,
  Kind extends string,
  K,
  Names,
> = `${M & string} has no ${Kind} '${K & string}'. Available: ${JoinNames<Names & string>}`
