import { encode } from '../codec/encode.js'
import type { ToLinkage } from './linkage.js'
import { valueToText } from './text.js'

/** How an upsert finds what it updates. */
export interface UpsertMatch {
  readonly operation: 'upsert'
  readonly matchFields: readonly string[]
}

/**
 * Writes the body of a create or an update. What the graph knows as a relation is a relationship, all else an attribute.
 * @param linked the linkage of a relationship
 * @param data the attributes and relationships together; undefined is nothing
 * @param id of what is updated; a create has it in `data`, if at all
 * @throws TypeError for what cannot be sent: an invalid date, NaN
 */
export function buildBody(type: string, linked: ToLinkage, data: object, id?: string, meta?: UpsertMatch): string {
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  let own: unknown = id
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue
    const linkage = linked(name, value)
    if (linkage !== undefined) relationships[name] = { data: linkage }
    else if (name === 'id') own = valueToText(value)
    else attributes[name] = value
  }
  return JSON.stringify({ data: { type, id: own, attributes: encode(attributes).json, relationships }, meta })
}
