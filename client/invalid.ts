declare const REASON: unique symbol

/** The type of a name that a call may not use: no value has it, and the compiler shows the sentence `S` in its message. */
export interface Invalid<S extends string> {
  readonly [REASON]: S
}

/** A union of names as one text, for messages: `author, comments`. Expensive for long unions, so it belongs into error branches. */
export type JoinNames<U, Text extends string = ''> = [U] extends [never]
  ? Text extends ''
    ? 'none'
    : Text
  : LastOf<U> extends infer L extends string
    ? JoinNames<Exclude<U, L>, Text extends '' ? L : `${L}, ${Text}`>
    : never

/** The last member of a union: the compiler infers the last overload of an intersection of functions. */
type LastOf<U> = (U extends unknown ? (member: () => U) => void : never) extends (member: infer F) => void
  ? F extends () => infer L
    ? L
    : never
  : never

/** The sentence that model `M` has no `Kind` with the name `K`, but `Names`. */
export type UnknownName<
  M,
  Kind extends string,
  K,
  Names,
> = `${M & string} has no ${Kind} '${K & string}'. Available: ${JoinNames<Names & string>}`
