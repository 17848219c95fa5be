/** What checks a value and gives it its type: a zod schema is one. */
export interface Parser<V> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: V }
    | { readonly success: false; readonly error: { readonly issues: readonly ParserIssue[] } }
}

/** One thing that a {@link Parser} found wrong. */
export interface ParserIssue {
  readonly message: string
  /** Where in the value: keys and indices, outermost first. */
  readonly path: readonly PropertyKey[]
}

/** The keys and indices of a place in a value, as JSON has them. */
export function jsonPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'symbol' ? String(key) : key))
}
