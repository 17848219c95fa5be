/** Returns a member of a JSON value, or undefined if it does not exist. */
export function getMember(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}

/** Returns the members of a JSON value. Values without members have none. */
export function entries(value: unknown): [name: string, value: unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Returns the part of a document that a `$ref` refers to. Returns other parts unchanged. */
export function resolveReference(document: unknown, part: unknown): unknown {
  const reference = getMember(part, '$ref')
  if (typeof reference !== 'string') return part
  const names = reference.replace(/^#\//, '').split('/')
  return getMember(document, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')))
}

/** Returns the schema of a request body or a response. */
export function contentSchema(described: unknown): unknown {
  return getMember(entries(getMember(described, 'content'))[0]?.[1], 'schema')
}
