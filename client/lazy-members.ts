/** Creates an object whose members are created on first access. Only the types know which members the schema has. */
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
