/** Sends several changes in one request, with the Atomic Operations extension. Loaded on first use. */
import type { CallOptions } from '../http/options.js'
import { buildBody } from './body.js'
import { idString, getVersion } from './id.js'
import { buildMatch } from './match.js'
import type { PendingChange, PendingRoute } from './pending.js'
import { toResources } from './resources.js'
import type { RestTransport } from './rest-transport.js'

/** Method → operation code, if they differ. */
const CODES: Readonly<Record<string, string>> = { create: 'add', upsert: 'add', delete: 'remove', replace: 'update' }

interface Identifier {
  readonly type: string
  readonly id?: string
}

/**
 * Executes changes in order, all or nothing.
 * @param path the server's endpoint for operations, relative to its URL
 * @returns the result of each change
 * @throws TypeError if a value cannot be sent
 */
export async function runOperations(
  { exchange }: RestTransport,
  path: string,
  changes: readonly (PendingChange | PendingRoute)[],
  options?: CallOptions,
): Promise<readonly unknown[]> {
  const createdIds = new Set(changes.map((change) => ('id' in change ? change.id : undefined)))
  const operations = changes.map((change) =>
    'toOperation' in change ? change.toOperation(createdIds) : toOperation(change, createdIds),
  )
  const body = JSON.stringify({ 'atomic:operations': operations })
  const request = { body, ext: 'https://jsonapi.org/ext/atomic', key: 'atomic:results' }
  const { json } = await exchange('POST', path, request, options)
  const results: unknown = json?.['atomic:results']
  return changes.map((_, index) => {
    const result: unknown = Array.isArray(results) ? results[index] : undefined
    const { data = null, meta } = Object(result)
    // The value of a custom route is in `meta.result`.
    return data ? toResources({ data, meta }) : (Object(meta).result ?? null)
  })
}

function toOperation(
  { method, args, type, toLinkage, id, relationship }: PendingChange,
  createdIds: ReadonlySet<unknown>,
): object {
  const op = CODES[method] ?? method
  const withLocalId = (identifier: Identifier) => {
    return identifier.id !== undefined && createdIds.has(identifier.id)
      ? { ...identifier, id: undefined, lid: identifier.id }
      : identifier
  }
  const linkage = (data: unknown): unknown =>
    Array.isArray(data) ? data.map(linkage) : data && withLocalId(Object(data))
  const [first, second] = args
  if (relationship) {
    const [owner, name] = relationship
    const ref = { ...withLocalId({ type, id: targetIdString(owner) }), relationship: name }
    return { op, ref, data: linkage(toLinkage(name, first)), ...versionMeta(owner) }
  }
  if (method === 'delete') return { op, ref: withLocalId({ type, id: targetIdString(first) }), ...versionMeta(first) }
  const isUpdate = method === 'update'
  const targetId = isUpdate ? targetIdString(first) : undefined
  const match = method === 'upsert' ? buildMatch(Object(second).match) : undefined
  const { data, meta } = JSON.parse(buildBody(type, toLinkage, Object(isUpdate ? second : first), targetId, match))
  const relationships = Object.fromEntries(
    Object.entries(Object(data.relationships)).map(([name, value]) => [name, { data: linkage(Object(value).data) }]),
  )
  // Without an id from the caller, the new resource is sent with a local id.
  const resource = isUpdate ? withLocalId(data) : data.id === undefined ? { ...data, lid: id } : data
  return { op, data: { ...resource, relationships }, meta, ...(isUpdate && versionMeta(first)) }
}

/** A resource that was read together with its version is changed only if it still has that version. */
function versionMeta(target: unknown): { readonly meta?: object } {
  const version = getVersion(target)
  return version === undefined ? {} : { meta: { version } }
}

function targetIdString(target: unknown): string {
  const id: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, 'id') : target
  return idString(typeof id === 'number' || typeof id === 'bigint' ? id : String(id))
}
