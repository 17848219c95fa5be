/** Sends several changes in one request: atomic operations. Loaded with the first. */
import type { CallOptions } from '../http/options.js'
import { buildBody } from './body.js'
import { idString, getVersion } from './id.js'
import { buildMatch } from './match.js'
import type { PendingChange } from './pending.js'
import { toResources } from './resources.js'
import type { RestTransport } from './rest-transport.js'

/** What the methods are called as operations. */
const CODES: Readonly<Record<string, string>> = { create: 'add', upsert: 'add', delete: 'remove', replace: 'update' }

interface Identifier {
  readonly type: string
  readonly id?: string
}

/**
 * Makes changes in their order: all of them, or none.
 * @param path where the server takes them, below its url
 * @returns what each of them gives
 * @throws TypeError for what cannot be sent
 */
export async function runOperations(
  { exchange }: RestTransport,
  path: string,
  changes: readonly PendingChange[],
  call?: CallOptions,
): Promise<readonly unknown[]> {
  const added = new Set(changes.map(({ id }) => id))
  const body = JSON.stringify({ 'atomic:operations': changes.map((change) => operationOf(change, added)) })
  const asked = { body, ext: 'https://jsonapi.org/ext/atomic', reads: 'atomic:results' }
  const { json } = await exchange('POST', path, asked, call)
  const results: unknown = json?.['atomic:results']
  return changes.map((_, index) => {
    const result: unknown = Array.isArray(results) ? results[index] : undefined
    const { data = null, meta } = Object(result)
    return data && toResources({ data, meta })
  })
}

function operationOf({ method, args, type, linked, id, of }: PendingChange, added: ReadonlySet<string>): object {
  const op = CODES[method] ?? method
  const named = (one: Identifier) => {
    return one.id !== undefined && added.has(one.id) ? { ...one, id: undefined, lid: one.id } : one
  }
  const linkage = (data: unknown): unknown => (Array.isArray(data) ? data.map(linkage) : data && named(Object(data)))
  const [first, second] = args
  if (of) {
    const [owner, relation] = of
    const ref = { ...named({ type, id: text(owner) }), relationship: relation }
    return { op, ref, data: linkage(linked(relation, first)), ...asRead(owner) }
  }
  if (method === 'delete') return { op, ref: named({ type, id: text(first) }), ...asRead(first) }
  const isUpdate = method === 'update'
  const own = isUpdate ? text(first) : undefined
  const match = method === 'upsert' ? buildMatch(Object(second).match) : undefined
  const { data, meta } = JSON.parse(buildBody(type, linked, Object(isUpdate ? second : first), own, match))
  const relationships = Object.fromEntries(
    Object.entries(Object(data.relationships)).map(([name, value]) => [name, { data: linkage(Object(value).data) }]),
  )
  // An id that the caller has chosen is one.
  const resource = isUpdate ? named(data) : data.id === undefined ? { ...data, lid: id } : data
  return { op, data: { ...resource, relationships }, meta, ...(isUpdate && asRead(first)) }
}

/** A resource that was read is changed only where it still is of the same version. */
function asRead(given: unknown): { readonly meta?: object } {
  const version = getVersion(given)
  return version === undefined ? {} : { meta: { version } }
}

function text(given: unknown): string {
  const id: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'id') : given
  return idString(typeof id === 'number' || typeof id === 'bigint' ? id : String(id))
}
