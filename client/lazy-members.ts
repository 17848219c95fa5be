/** An object whose members are made when they are first asked for: what the schema has, only types know. */
export function lazyMembers(make: (name: string) => unknown): object {
  const made = new Map<string, unknown>()
  return new Proxy(
    {},
    {
      get(_, name) {
        // A promise would take an object with `then` for another one, and JSON asks for `toJSON`.
        if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
        if (!made.has(name)) made.set(name, make(name))
        return made.get(name)
      },
    },
  )
}
