import { formatRevision } from '../../schema/version-field.js'
import type { SerializationNotes } from '../../serialization/annotations.js'
import { quoteJson } from '../../serialization/write-json.js'
import { formatId, rowId } from '../request/resource-id.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { isRow, type Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import type { ListedMembers } from '../request/query/include-tree.js'

/** A resource to write into a document. */
export interface Entry {
  readonly row: Row
  readonly id: string
  /** The resource identifier as JSON, without the closing brace. */
  readonly start: string
  readonly selection: Selection
  /** The linkage of included relationships as JSON, by name. Undefined if there is none yet. */
  linkage: Map<string, string> | undefined
  /** The included lists that have parameters (such as a limit), by relationship name. Undefined if there are none yet. */
  lists: Map<string, ListedMembers> | undefined
  /** The JSON of `meta`. Undefined if there is none. */
  meta: string | undefined
}

/** Matches text that needs no escaping in JSON or in a URL, such as most ids. */
const UNRESERVED = /^[\w.~-]+$/

/**
 * Writes a row as a resource object (contract 2.2). Each field is written directly as text, according to its type in the schema and
 * together with superjson's annotations. Intermediate objects are not created.
 * @param path the path of the resource in the document, for the notes: `data.3`
 */
export function resourceJson(
  { row, id, start, selection, linkage, lists, meta }: Entry,
  path: string,
  notes: SerializationNotes,
): string {
  const { json, routes } = selection.model
  const self = `${json.url}/${UNRESERVED.test(id) ? id : encodeURIComponent(id)}`
  let text = start
  if (selection.attributes.length > 0) text += `,"attributes":{${attributesText(row, selection, path, notes)}}`
  const relationships = relationshipsText(row, selection, self, { linkage, lists })
  if (relationships !== '') text += `,"relationships":{${relationships}}`
  const metaWithVersion = withVersion(selection.model, row, meta)
  if (metaWithVersion !== undefined) text += `,"meta":${metaWithVersion}`
  return routes.has('/:id') ? `${text},"links":{"self":"${self}"}}` : `${text}}`
}

/** Adds the version to a resource's `meta`, if it has one. */
function withVersion({ model: { version } }: RestModel, row: Row, meta: string | undefined): string | undefined {
  const revision = version && formatRevision(row[version.name])
  if (revision === undefined) return meta
  const versionMember = `"version":"${revision}"`
  return meta === undefined ? `{${versionMember}}` : `{${versionMember},${meta.slice(1)}`
}

/** Creates the entry of a row. */
export function resourceEntry(row: Row, selection: Selection, id = rowId(selection.model.id, row)): Entry {
  return {
    row,
    id,
    start: identifierStart(selection.model, id),
    selection,
    linkage: undefined,
    lists: undefined,
    meta: undefined,
  }
}

/**
 * Returns a row's resource identifier as JSON.
 * @param meta the JSON of its `meta`
 */
export function identifierJson(model: RestModel, row: Row, meta?: string): string {
  return identifierStart(model, rowId(model.id, row)) + (meta === undefined ? '}' : `,"meta":${meta}}`)
}

/** Returns a resource identifier as JSON without the closing brace, which is also the start of the resource. */
function identifierStart({ json }: RestModel, id: string): string {
  return json.start + quoteJson(id)
}

/**
 * Returns the JSON linkage of a to-one relation whose foreign key is in the row.
 * @returns undefined if the row lacks a foreign key field, because the client omits it
 */
export function foreignKeyLinkage({ linkage = [], target }: Relationship, row: Row): string | undefined {
  const only = linkage.length === 1 ? row[linkage[0] ?? ''] : undefined
  if (typeof only === 'number') return `${target.json.start}"${only}"}`
  const values = linkage.map((name) => row[name])
  if (values.includes(undefined)) return undefined
  return values.includes(null) ? 'null' : `${identifierStart(target, formatId(target.id, values))}}`
}

function attributesText(row: Row, { attributes }: Selection, path: string, notes: SerializationNotes): string {
  let text = ''
  for (const { name, key, write, isComputed } of attributes) {
    const value = row[name]
    // Access policies may have removed the fields that the value is computed from.
    if (value === undefined && !(isComputed && name in row)) continue
    const json = write(value, path, notes)
    if (json === undefined) continue
    if (text !== '') text += ','
    text += key + json
  }
  return text
}

function relationshipsText(
  row: Row,
  { relationships }: Selection,
  self: string,
  { linkage, lists }: Pick<Entry, 'linkage' | 'lists'>,
): string {
  let text = ''
  for (const selected of relationships) {
    const { relationship, visible, list, counts } = selected
    if (!visible) continue
    const isTruncated = lists?.get(relationship.name)?.isTruncated === true
    const links = isTruncated ? selected.nextLinks : selected.links
    const data = linkage?.get(relationship.name) ?? toOneLinkageJson(row, relationship)
    // JSON:API does not allow empty relationship objects.
    if (data === undefined && links.length === 0 && !counts) continue
    if (text !== '') text += ','
    text += relationship.start
    if (data !== undefined) text += links.length === 0 ? `"data":${data}` : `"data":${data},`
    // Unlike `join`, concatenation does not make an additional copy.
    for (let index = 0; index < links.length; index++) text += index === 0 ? links[index] : self + links[index]
    if (counts || list) {
      const more = data !== undefined && list?.formatMore(isTruncated)
      const meta = [counts?.formatTotal(row, relationship.name), more].filter(Boolean).join(',')
      if (meta !== '') text += `${text.endsWith('{') ? '' : ','}"meta":{${meta}}`
    }
    text += '}'
  }
  return text
}

/** Returns the linkage of a to-one relation as JSON, or undefined if the caller may not read it. */
export function toOneLinkageJson(row: Row, relationship: Relationship): string | undefined {
  if (relationship.relation.many) return undefined
  const related = row[relationship.name]
  if (related !== undefined) return isRow(related) ? identifierJson(relationship.target, related) : 'null'
  return relationship.linkage && foreignKeyLinkage(relationship, row)
}
