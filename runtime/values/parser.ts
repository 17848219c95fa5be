/** A schema that validates and types a value, such as a zod schema. */
export interface Parser<V> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: V }
    | { readonly success: false; readonly error: { readonly issues: readonly ParserIssue[] } }
}

/** An error found by a {@link Parser}. */
export interface ParserIssue {
  readonly message: string
  /** The path in the value: keys and indices, outermost first. */
  readonly path: readonly PropertyKey[]
}

/** Converts a path to keys and indices that JSON can represent. */
export function jsonPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'symbol' ? String(key) : key))
}
