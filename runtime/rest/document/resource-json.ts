import { formatRevision } from '../../schema/version.js'
import { type SerializationNotes, quote } from '../../serialization/json-writer.js'
import { formatId, rowId } from '../request/id.js'
import type { Relationship, RestModel } from '../model.js'
import { isRow, type Row } from '../orm/row.js'
import type { SelectedRelationship, Selection } from '../orm/selection.js'

/** A resource that a document will hold. */
export interface Entry {
  readonly row: Row
  readonly id: string
  /** Its identifier as JSON, but for the last brace. */
  readonly start: string
  readonly selection: Selection
  /** The linkage of its relationships that are included, as JSON, by their names. Undefined as long as there is none. */
  linkage: Map<string, string> | undefined
  /** The members of its included lists that something was asked of, as identifiers, by their names. Undefined as long as there are none. */
  members: Map<string, readonly string[]> | undefined
  /** The relationships of which only a part is included. Undefined as long as there is none. */
  cut: Set<string> | undefined
  /** The JSON of its `meta`. Undefined where it has none. */
  meta: string | undefined
}

/** What neither JSON nor a URL escapes; most ids are such texts. */
const UNRESERVED = /^[\w.~-]+$/

/**
 * Writes a row as a resource object (contract 2.2). Each field is written as its type in the schema says, straight into the text,
 * and superjson's notes with it: there is no object between a row and its JSON.
 * @param path where the resource is in the document, for the notes: `data.3`
 */
export function resourceJson(
  { row, id, start, selection, linkage, cut, meta }: Entry,
  path: string,
  notes: SerializationNotes,
): string {
  const { texts, served } = selection.model
  const self = `${texts.url}/${UNRESERVED.test(id) ? id : encodeURIComponent(id)}`
  let text = start
  if (selection.attributes.length > 0) text += `,"attributes":{${attributesText(row, selection, path, notes)}}`
  const relationships = relationshipsText(row, selection, self, { linkage, cut })
  if (relationships !== '') text += `,"relationships":{${relationships}}`
  const told = withVersion(selection.model, row, meta)
  if (told !== undefined) text += `,"meta":${told}`
  return served.has('/:id') ? `${text},"links":{"self":"${self}"}}` : `${text}}`
}

/** The `meta` of a resource: with its version, where it has one. */
function withVersion({ model: { version } }: RestModel, row: Row, meta: string | undefined): string | undefined {
  const revision = version && formatRevision(row[version.name])
  if (revision === undefined) return meta
  const told = `"version":"${revision}"`
  return meta === undefined ? `{${told}}` : `{${told},${meta.slice(1)}`
}

/** What a row becomes in a document. */
export function resourceEntry(row: Row, selection: Selection, id = rowId(selection.model.id, row)): Entry {
  return {
    row,
    id,
    start: identifierStart(selection.model, id),
    selection,
    linkage: undefined,
    members: undefined,
    cut: undefined,
    meta: undefined,
  }
}

/**
 * The identifier of a row, as JSON.
 * @param meta the JSON of its `meta`
 */
export function identifierJson(model: RestModel, row: Row, meta?: string): string {
  return identifierStart(model, rowId(model.id, row)) + (meta === undefined ? '}' : `,"meta":${meta}}`)
}

/** The identifier of the row with an id, as JSON, but for its last brace: what its resource begins with. */
function identifierStart({ texts }: RestModel, id: string): string {
  return texts.head + quote(id)
}

/**
 * The linkage of a to-one relation that the row holds itself, as JSON.
 * @returns undefined where the client leaves its fields out
 */
export function foreignKeyLinkage({ linkage = [], target }: Relationship, row: Row): string | undefined {
  const only = linkage.length === 1 ? row[linkage[0] ?? ''] : undefined
  if (typeof only === 'number') return `${target.texts.head}"${only}"}`
  const values = linkage.map((name) => row[name])
  if (values.includes(undefined)) return undefined
  return values.includes(null) ? 'null' : `${identifierStart(target, formatId(target.id, values))}}`
}

function attributesText(row: Row, { attributes }: Selection, path: string, notes: SerializationNotes): string {
  let text = ''
  for (const { name, key, write, isComputed } of attributes) {
    const value = row[name]
    // Access policies may have taken away what it is computed from.
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
  { linkage, cut }: Pick<Entry, 'linkage' | 'cut'>,
): string {
  let text = ''
  for (const selected of relationships) {
    const { relationship, shown, list } = selected
    if (!shown) continue
    const isCut = cut?.has(relationship.name) ?? false
    const links = isCut ? selected.linksOfCut : selected.links
    const data = linkage?.get(relationship.name) ?? toOneLinkageJson(row, relationship)
    // A relationship needs one member at least.
    if (data === undefined && links.length === 0 && !selected.counted) continue
    if (text !== '') text += ','
    text += relationship.opening
    if (data !== undefined) text += links.length === 0 ? `"data":${data}` : `"data":${data},`
    // Not by `join`, whose result is copied once more.
    for (let at = 0; at < links.length; at++) text += at === 0 ? links[at] : self + links[at]
    const meta = metaText(selected, row, list?.limit !== undefined && data !== undefined ? isCut : undefined)
    if (meta !== '') text += `${text.endsWith('{') ? '' : ','}"meta":{${meta}}`
    text += '}'
  }
  return text
}

/** What is told of a list: how many members it has, where they were counted, and whether more than are included, where it was cut. */
function metaText({ relationship, counted }: SelectedRelationship, row: Row, hasMore: boolean | undefined): string {
  const more = hasMore === undefined ? '' : `"hasMore":${hasMore}`
  const counts = counted ? row['_count'] : undefined
  const count = isRow(counts) ? counts[relationship.name] : undefined
  if (typeof count !== 'number') return more
  return `"total":${count}${more === '' ? '' : `,${more}`}`
}

/** The linkage of a to-one relation as the row has it, as JSON; undefined where it may not be read. */
export function toOneLinkageJson(row: Row, relationship: Relationship): string | undefined {
  if (relationship.relation.many) return undefined
  const related = row[relationship.name]
  if (related !== undefined) return isRow(related) ? identifierJson(relationship.target, related) : 'null'
  return relationship.linkage && foreignKeyLinkage(relationship, row)
}
