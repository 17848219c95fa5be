/** A position in the data that a client wrote. */
export interface PointerTarget {
  /** The index of the atomic operation. Undefined for a single request. */
  readonly operation?: number
  /** The keys and indices in the resource, outermost first. The first one is the name of a field or `id`. Undefined outside fields. */
  readonly path?: readonly (string | number)[]
}

/**
 * Parses the JSON pointer of an error: `/data/attributes/title`, `/data/relationships/author/data/id` or `/data/id`, each with an optional
 * prefix `/atomic:operations/2`. In relationships, the members `data` and `id` are omitted, because the client writes `author: 1` and
 * `tags: [1, 2]`.
 */
export function parsePointer(pointer = ''): PointerTarget {
  const [, operation, location = ''] = /^(?:\/atomic:operations\/(\d+))?(.*)$/s.exec(pointer) ?? []
  const [, data, kind, name, ...rest] = location
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = operation === undefined ? {} : { operation: Number(operation) }
  if (data !== 'data') return found
  if (kind === 'id') return { ...found, path: ['id'] }
  if (name === undefined || !(kind === 'attributes' || kind === 'relationships')) return found
  const inner = kind === 'attributes' ? rest : rest.filter((key) => INDEX.test(key))
  return { ...found, path: [name, ...inner.map((key) => (INDEX.test(key) ? Number(key) : key))] }
}

const INDEX = /^\d+$/
