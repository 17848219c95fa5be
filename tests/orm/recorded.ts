/** What a client was asked. */
export interface Asked {
  /** The calls of delegates' operations, with the names of their arguments. */
  readonly calls: { readonly operation: string; readonly names: readonly string[] }[]
  /** The members of the client itself that were looked for. */
  readonly members: Set<string>
}

/** A client that notes what it is asked, inside transactions too. */
export function recorded<C extends object>(client: C, asked: Asked): C {
  const wrapped: C = new Proxy(client, {
    has(_, name) {
      noteMember(name, asked)
      return Reflect.has(client, name)
    },
    get(_, name) {
      noteMember(name, asked)
      const member: unknown = Reflect.get(client, name)
      if (name === '_extensions') return member
      if (typeof member === 'function') return memberOf(client, wrapped, String(name), member, asked)
      return typeof member === 'object' && member !== null ? delegateOf(member, asked) : member
    },
  })
  return wrapped
}

function noteMember(name: string | symbol, { members }: Asked): void {
  if (typeof name === 'string' && /^[$_]/.test(name)) members.add(name)
}

/** A function of the client itself: the clients that it gives, or gives to a function, note as well. */
function memberOf(client: object, wrapped: object, name: string, member: Function, asked: Asked) {
  return (first: unknown, ...more: unknown[]): unknown => {
    if (name === '_createItxClient') return recorded(Object(member.call(client, first, ...more)), asked)
    if (typeof first !== 'function') return member.call(client, first, ...more)
    if (name === '$extends') return first(wrapped)
    return member.call(client, (inside: object) => first(recorded(inside, asked)), ...more)
  }
}

function delegateOf(delegate: object, { calls }: Asked): object {
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
