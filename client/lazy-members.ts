/** Creates an object whose properties are created on first access, because only the types contain the names in the schema. */
export function lazyMembers(make: (name: string) => unknown): object {
  const created = new Map<string, unknown>()
  return new Proxy(
    {},
    {
      get(_, name) {
        // `await` checks for `then`, and `JSON.stringify` for `toJSON`.
        if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
        if (!created.has(name)) created.set(name, make(name))
        return created.get(name)
      },
    },
  )
}
