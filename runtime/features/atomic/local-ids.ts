import { RequestError } from '../../errors/request-error.js'
import { idString, unsafeIdError, isUnsafeInteger } from '../../rest/request/resource-id.js'
import { malformedDocument, childPointer, isAtMember, type JsonObject } from '../../rest/request/request-errors.js'
import { isObject } from '../../values/is-object.js'

/** The local ids of one request: which operations assign them, and which ids they resolve to. */
export interface LocalIds {
  /**
   * Registers the local id of a resource that an operation adds.
   * @returns undefined if the resource has no local id
   * @throws RequestError 400 if an earlier operation has assigned the same local id
   */
  assign(data: unknown, type: string, pointer: string): string | undefined
  /** @throws RequestError 400 if no earlier operation assigns this local id to a resource of this type */
  assertAssigned(identity: Identity | undefined, type: string, pointer: string): void
  /**
   * Checks the local ids in the linkage of an operation's data.
   * @param isLinkage whether the data itself is linkage
   * @throws RequestError 400 if no earlier operation assigns a local id
   */
  assertLinkageAssigned(data: unknown, pointer: string, isLinkage: boolean): void
  /** Stores the id that a local id resolves to. */
  resolve(type: string, lid: string, id: string): void
  /** Returns the id of an identity. */
  getId(identity: Identity, type: string): string
  /**
   * Returns the data with local ids replaced by ids.
   * @param kind the type of the data: linkage, a resource to change, or a resource to add. The local id of a resource to add is removed,
   * because it is not stored
   */
  replaceLids(data: unknown, kind: 'linkage' | 'changed' | 'added'): unknown
}

/** Creates the local ids of a request. */
export function createLocalIds(): LocalIds {
  /** The local ids that the operations parsed so far assign. */
  const assigned = new Set<string>()
  /** The ids that local ids resolve to, for completed operations. */
  const ids = new Map<string, string>()

  const assertAssigned: LocalIds['assertAssigned'] = (identity, type, pointer) => {
    if (!identity || !('lid' in identity) || assigned.has(lidKey(type, identity.lid))) return
    throw malformedDocument(`No earlier operation adds a "${type}" with this lid.`, childPointer(pointer, 'lid'))
  }
  const getId: LocalIds['getId'] = (identity, type) => {
    return 'id' in identity ? identity.id : (ids.get(lidKey(type, identity.lid)) ?? '')
  }
  const withId = (identified: JsonObject): JsonObject => {
    const { lid, ...others } = identified
    const { type } = others
    return typeof lid === 'string' && typeof type === 'string' ? { ...others, id: getId({ lid }, type) } : identified
  }

  return {
    assertAssigned,
    getId,
    assign(data, type, pointer) {
      const lid = isObject(data) ? parseLid(data, pointer) : undefined
      if (lid === undefined) return undefined
      const key = lidKey(type, lid)
      if (assigned.has(key))
        throw malformedDocument('An earlier operation already uses this lid.', childPointer(pointer, 'lid'))
      assigned.add(key)
      return lid
    },
    assertLinkageAssigned(data, pointer, isLinkage) {
      mapLinkage(data, pointer, isLinkage, (identifier, identifierPointer) => {
        const { type } = identifier
        const lid = typeof type === 'string' ? parseLid(identifier, identifierPointer) : undefined
        if (lid !== undefined && typeof type === 'string') assertAssigned({ lid }, type, identifierPointer)
        return identifier
      })
    },
    resolve: (type, lid, id) => void ids.set(lidKey(type, lid), id),
    replaceLids(data, kind) {
      if (assigned.size === 0) return data
      const linked = mapLinkage(data, '', kind === 'linkage', withId)
      if (kind !== 'added' || !isObject(linked)) return kind === 'changed' && isObject(linked) ? withId(linked) : linked
      const { lid: _, ...others } = linked
      return others
    },
  }
}

/** Maps the resource identifiers in data. */
function mapLinkage(
  data: unknown,
  pointer: string,
  isLinkage: boolean,
  change: (identifier: JsonObject, pointer: string) => JsonObject,
): unknown {
  if (isLinkage) {
    if (Array.isArray(data)) {
      return data.map((identifier: unknown, index) =>
        isObject(identifier) ? change(identifier, childPointer(pointer, index)) : identifier,
      )
    }
    return isObject(data) ? change(data, pointer) : data
  }
  if (!isObject(data) || !isObject(data['relationships'])) return data
  const relationshipsPointer = childPointer(pointer, 'relationships')
  const relationships = Object.entries(data['relationships']).map(([name, value]): [string, unknown] => {
    if (!isObject(value) || isAtMember(name)) return [name, value]
    return [
      name,
      {
        ...value,
        data: mapLinkage(value['data'], childPointer(childPointer(relationshipsPointer, name), 'data'), true, change),
      },
    ]
  })
  return { ...data, relationships: Object.fromEntries(relationships) }
}

function lidKey(type: string, lid: string): string {
  return JSON.stringify([type, lid])
}

/** The identity of a resource: its id, or the local id that an earlier operation of the same request assigned. */
export type Identity = { readonly id: string } | { readonly lid: string }

/**
 * Parses the local id of a resource or identifier.
 * @returns undefined if there is no local id
 * @throws RequestError 400 if the local id is invalid, or if there is also an id
 */
function parseLid({ id, lid }: JsonObject, at: string): string | undefined {
  if (lid === undefined) return undefined
  if (id !== undefined) throw malformedDocument('Must not have both "id" and "lid".', at)
  if (typeof lid === 'string' && lid !== '') return lid
  throw malformedDocument('Must be a non-empty string.', childPointer(at, 'lid'))
}

/**
 * Parses the identity in a resource identifier.
 * @returns undefined if the identifier has neither an id nor a local id
 * @throws RequestError 400 if the id has the wrong type; 404 if no resource can have this id
 */
export function parseIdentity(identifier: JsonObject, at: string): Identity | undefined {
  const { id } = identifier
  const lid = parseLid(identifier, at)
  if (lid !== undefined) return { lid }
  if (id === undefined) return undefined
  if (isUnsafeInteger(id)) throw new RequestError(unsafeIdError(childPointer(at, 'id')))
  const text = idString(id)
  // No id is empty, and no URL can contain half of a surrogate pair.
  if (text === '' || (text !== undefined && /\p{Surrogate}/u.test(text))) {
    throw new RequestError({
      code: 'not-found',
      detail: 'There is no resource with this id.',
      source: { pointer: childPointer(at, 'id') },
    })
  }
  if (text !== undefined) return { id: text }
  throw malformedDocument('Must be a string.', childPointer(at, 'id'))
}
