import type { JsonApiDocument, ResourceIdentifier, ResourceJson } from './document.js'

/** What a resource object was made of. Not listed among its members, so that copies and comparisons have its fields alone. */
const SOURCE = Symbol('resource')

interface Source {
  readonly json: ResourceJson
  readonly document: JsonApiDocument
}

/** A resource as an object to work with: its id, its attributes and what its relationships lead to. */
export interface ResourceObject {
  readonly id: string
  readonly [SOURCE]: Source
}

/** What every resource object has beside its own fields. None of it can be a field: `$` is in no name of a Prisma schema. */
const MEMBERS = {
  get $type(): string {
    return sourceOf(this).json.type
  },
  get $links() {
    return sourceOf(this).json.links ?? {}
  },
  get $meta() {
    return sourceOf(this).json.meta ?? {}
  },
  get $relationships() {
    return sourceOf(this).json.relationships ?? {}
  },
  get $document(): JsonApiDocument {
    return sourceOf(this).document
  },
  /** Resources may lead to each other in circles, so JSON names what they lead to, and does not repeat it. */
  toJSON(): object {
    const { json } = sourceOf(this)
    const linked = Object.entries(json.relationships ?? {}).flatMap(([name, { data }]) =>
      data === undefined ? [] : [[name, data]],
    )
    return { type: json.type, id: json.id, ...json.attributes, ...Object.fromEntries(linked) }
  },
}

function sourceOf(object: object): Source {
  return Reflect.get(object, SOURCE)
}

/**
 * Makes objects of the resources in a document. Each resource is one object, however often it is linked; what is linked and not in
 * the document is an object with its id alone. Each linkage is followed once, so circles end.
 * @returns the primary data
 */
export function toResources(document: JsonApiDocument): ResourceObject | null | ResourceObject[] {
  const { data, included = [] } = document
  const primary = isList(data) ? data : data ? [data] : []
  const known = new Map<string, ResourceObject>()
  const make = (json: ResourceJson): ResourceObject => {
    const object: ResourceObject = Object.create(MEMBERS, { [SOURCE]: { value: { json, document } } })
    return Object.assign(object, { id: json.id }, json.attributes)
  }
  const all = [...primary, ...included]
  for (const json of all) known.set(keyOf(json), make(json))
  const linked = (identifier: ResourceIdentifier) => known.get(keyOf(identifier)) ?? make(identifier)
  for (const json of all) {
    const links: Record<string, unknown> = {}
    for (const [name, { data }] of Object.entries(json.relationships ?? {})) {
      if (data !== undefined) links[name] = isList(data) ? data.map(linked) : data && linked(data)
    }
    Object.assign(linked(json), links)
  }
  return isList(data) ? data.map(linked) : data && linked(data)
}

function keyOf({ type, id }: ResourceIdentifier): string {
  return `${type} ${id}`
}

/** Whether data is a list. */
export function isList<T>(data: T | readonly T[] | null | undefined): data is readonly T[] {
  return Array.isArray(data)
}
