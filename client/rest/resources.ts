import type { JsonApiDocument, ResourceIdentifier, ResourceJson } from './document.js'

/** The JSON that a resource object was created from. Not enumerable, so that copies and comparisons contain only the fields of the resource. */
const SOURCE = Symbol('resource')

interface Source {
  readonly json: ResourceJson
  readonly document: JsonApiDocument
}

/** A resource as an object: its id, its attributes and its related resources. */
export interface ResourceObject {
  readonly id: string
  readonly [SOURCE]: Source
}

/** The prototype of resource objects. Its names cannot collide with fields, because names in Prisma do not contain `$`. */
const PROTOTYPE = {
  get $type(): string {
    return getSource(this).json.type
  },
  get $links() {
    return getSource(this).json.links ?? {}
  },
  get $meta() {
    return getSource(this).json.meta ?? {}
  },
  get $relationships() {
    return getSource(this).json.relationships ?? {}
  },
  get $document(): JsonApiDocument {
    return getSource(this).document
  },
  /** Related resources can be circular, so JSON contains only their identifiers. */
  toJSON(): object {
    const { json } = getSource(this)
    const linked = Object.entries(json.relationships ?? {}).flatMap(([name, { data }]) =>
      data === undefined ? [] : [[name, data]],
    )
    return { type: json.type, id: json.id, ...json.attributes, ...Object.fromEntries(linked) }
  },
}

function getSource(object: object): Source {
  return Reflect.get(object, SOURCE)
}

/**
 * Creates objects from the resources in a document. Each resource becomes one object, even if several relationships refer to it. Linked
 * resources that are not in the document become objects with only an id.
 * @returns the primary data
 */
export function toResources(document: JsonApiDocument): ResourceObject | null | ResourceObject[] {
  const { data, included = [] } = document
  const primary = isList(data) ? data : data ? [data] : []
  const resourcesByKey = new Map<string, ResourceObject>()
  const make = (json: ResourceJson): ResourceObject => {
    const object: ResourceObject = Object.create(PROTOTYPE, { [SOURCE]: { value: { json, document } } })
    return Object.assign(object, { id: json.id }, json.attributes)
  }
  const all = [...primary, ...included]
  for (const json of all) resourcesByKey.set(toResourceKey(json), make(json))
  const findLinked = (identifier: ResourceIdentifier) =>
    resourcesByKey.get(toResourceKey(identifier)) ?? make(identifier)
  for (const json of all) {
    const links: Record<string, unknown> = {}
    for (const [name, { data }] of Object.entries(json.relationships ?? {})) {
      if (data !== undefined) links[name] = isList(data) ? data.map(findLinked) : data && findLinked(data)
    }
    Object.assign(findLinked(json), links)
  }
  return isList(data) ? data.map(findLinked) : data && findLinked(data)
}

function toResourceKey({ type, id }: ResourceIdentifier): string {
  return `${type} ${id}`
}

/** Whether the data is an array. */
export function isList<T>(data: T | readonly T[] | null | undefined): data is readonly T[] {
  return Array.isArray(data)
}
