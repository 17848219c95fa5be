/** The recorded usage of a client. */
export interface ClientUsage {
  /** The operations of delegates, with the names of their arguments. */
  readonly calls: { readonly operation: string; readonly names: readonly string[] }[]
  /** The accessed members of the client itself. */
  readonly members: Set<string>
}

/** Wraps a client and records its usage, including in transactions. */
export function recorded<C extends object>(client: C, usage: ClientUsage): C {
  const wrapped: C = new Proxy(client, {
    has(_, name) {
      noteMember(name, usage)
      return Reflect.has(client, name)
    },
    get(_, name) {
      noteMember(name, usage)
      const member: unknown = Reflect.get(client, name)
      if (name === '_extensions') return member
      if (typeof member === 'function') return memberOf(client, wrapped, String(name), member, usage)
      return typeof member === 'object' && member !== null ? delegateOf(member, usage) : member
    },
  })
  return wrapped
}

function noteMember(name: string | symbol, { members }: ClientUsage): void {
  if (typeof name === 'string' && /^[$_]/.test(name)) members.add(name)
}

/** Wraps a function of the client. Clients that it returns or passes to a callback are recorded too. */
function memberOf(client: object, wrapped: object, name: string, member: Function, usage: ClientUsage) {
  return (first: unknown, ...more: unknown[]): unknown => {
    if (name === '_createItxClient') return recorded(Object(member.call(client, first, ...more)), usage)
    if (typeof first !== 'function') return member.call(client, first, ...more)
    if (name === '$extends') return first(wrapped)
    return member.call(client, (inside: object) => first(recorded(inside, usage)), ...more)
  }
}

function delegateOf(delegate: object, { calls }: ClientUsage): object {
  return new Proxy(delegate, {
    get(_, operation) {
      const call: unknown = Reflect.get(delegate, operation)
      if (typeof call !== 'function') return call
      return (args?: object): unknown => {
        calls.push({ operation: String(operation), names: Object.keys(args ?? {}) })
        return call.call(delegate, args)
      }
    },
  })
}
