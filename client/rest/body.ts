import { encode } from '../codec/encode.js'
import type { ToLinkage } from './linkage.js'
import { valueToText } from './text.js'

/** The `meta` of an upsert request. */
export interface UpsertMatch {
  readonly operation: 'upsert'
  readonly matchFields: readonly string[]
}

/**
 * Builds the body of a create or update request. Properties that the graph lists are relationships, and all others are attributes.
 * @param toLinkage returns the linkage of a relationship
 * @param data attributes and relationships. Undefined properties are omitted.
 * @param id the id of the resource to update. The id of a resource to create is in `data`, if the caller sets it.
 * @throws TypeError if a value cannot be sent, such as an invalid date or NaN
 */
export function buildBody(type: string, toLinkage: ToLinkage, data: object, id?: string, meta?: UpsertMatch): string {
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  let resourceId: unknown = id
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue
    const linkage = toLinkage(name, value)
    if (linkage !== undefined) relationships[name] = { data: linkage }
    else if (name === 'id') resourceId = valueToText(value)
    else attributes[name] = value
  }
  return JSON.stringify({ data: { type, id: resourceId, attributes: encode(attributes).json, relationships }, meta })
}
