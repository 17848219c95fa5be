import { isObject } from '../../values/is-object.js'
import { childPointer, isAtMember, type JsonObject, malformedDocument } from '../request/body.js'
import { type Identity, parseLid } from './identity.js'

/** The local ids of one request: which operation gives each, and what it turned out to be. */
export interface LocalIds {
  /**
   * Notes the local id of what an operation adds.
   * @returns undefined where it has none
   * @throws RequestError 400 where another one has it already
   */
  assign(data: unknown, type: string, at: string): string | undefined
  /** @throws RequestError 400 for a local id that no earlier operation gives to a resource of this type */
  requireKnown(identity: Identity | undefined, type: string, at: string): void
  /**
   * Looks at the linkage in data.
   * @param isLinkage whether the data itself is linkage
   * @throws RequestError 400 for a local id that no earlier operation gives
   */
  requireLinked(data: unknown, at: string, isLinkage: boolean): void
  /** Notes what a local id has turned out to be. */
  resolve(type: string, lid: string, id: string): void
  /** The id that is meant. */
  idOf(identity: Identity, type: string): string
  /**
   * The same data with ids in place of local ones.
   * @param kind what the data is: linkage, a resource that is changed, or one that is added, whose own local id says nothing to the database
   */
  resolved(data: unknown, kind: 'linkage' | 'changed' | 'added'): unknown
}

/** Begins a request, of which no local id is known. */
export function createLocalIds(): LocalIds {
  /** Those that operations read so far give. */
  const known = new Set<string>()
  /** What they are, as far as the operations are done. */
  const ids = new Map<string, string>()

  const requireKnown: LocalIds['requireKnown'] = (identity, type, at) => {
    if (!identity || !('lid' in identity) || known.has(keyOf(type, identity.lid))) return
    throw malformedDocument(`No earlier operation adds a "${type}" with this lid.`, childPointer(at, 'lid'))
  }
  const idOf: LocalIds['idOf'] = (identity, type) => {
    return 'id' in identity ? identity.id : (ids.get(keyOf(type, identity.lid)) ?? '')
  }
  const withId = (identified: JsonObject): JsonObject => {
    const { lid, ...others } = identified
    const { type } = others
    return typeof lid === 'string' && typeof type === 'string' ? { ...others, id: idOf({ lid }, type) } : identified
  }

  return {
    requireKnown,
    idOf,
    assign(data, type, at) {
      const lid = isObject(data) ? parseLid(data, at) : undefined
      if (lid === undefined) return undefined
      const key = keyOf(type, lid)
      if (known.has(key)) throw malformedDocument('An earlier operation has given this lid.', childPointer(at, 'lid'))
      known.add(key)
      return lid
    },
    requireLinked(data, at, isLinkage) {
      mapLinkage(data, at, isLinkage, (identifier, place) => {
        const { type } = identifier
        const lid = typeof type === 'string' ? parseLid(identifier, place) : undefined
        if (lid !== undefined && typeof type === 'string') requireKnown({ lid }, type, place)
        return identifier
      })
    },
    resolve: (type, lid, id) => void ids.set(keyOf(type, lid), id),
    resolved(data, kind) {
      if (known.size === 0) return data
      const linked = mapLinkage(data, '', kind === 'linkage', withId)
      if (kind !== 'added' || !isObject(linked)) return kind === 'changed' && isObject(linked) ? withId(linked) : linked
      const { lid: _, ...others } = linked
      return others
    },
  }
}

/** Goes through the resource identifiers in data. */
function mapLinkage(
  data: unknown,
  at: string,
  isLinkage: boolean,
  change: (identifier: JsonObject, at: string) => JsonObject,
): unknown {
  if (isLinkage) {
    if (Array.isArray(data)) {
      return data.map((one: unknown, index) => (isObject(one) ? change(one, childPointer(at, index)) : one))
    }
    return isObject(data) ? change(data, at) : data
  }
  if (!isObject(data) || !isObject(data['relationships'])) return data
  const place = childPointer(at, 'relationships')
  const relationships = Object.entries(data['relationships']).map(([name, value]): [string, unknown] => {
    if (!isObject(value) || isAtMember(name)) return [name, value]
    return [
      name,
      { ...value, data: mapLinkage(value['data'], childPointer(childPointer(place, name), 'data'), true, change) },
    ]
  })
  return { ...data, relationships: Object.fromEntries(relationships) }
}

function keyOf(type: string, lid: string): string {
  return JSON.stringify([type, lid])
}
