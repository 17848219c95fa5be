import { type Notes, quote } from '../../serialization/json-text.js'
import { formatId, rowId } from '../request/id.js'
import type { Relationship, RestModel } from '../model.js'
import { isRow, type Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'

/** A resource that a document will hold. */
export interface Entry {
  readonly row: Row
  readonly id: string
  /** Its identifier as JSON, but for the last brace. */
  readonly start: string
  readonly selection: Selection
  /** The linkage of its relationships that are included, as JSON, by their names. Undefined as long as there is none. */
  linkage: Map<string, string> | undefined
}

/** What neither JSON nor a URL escapes; most ids are such texts. */
const UNRESERVED = /^[\w.~-]+$/

/**
 * Writes a row as a resource object (contract 2.2). Each field is written as its type in the schema says, straight into the text,
 * and superjson's notes with it: there is no object between a row and its JSON.
 * @param path where the resource is in the document, for the notes: `data.3`
 */
export function resourceText({ row, id, start, selection, linkage }: Entry, path: string, notes: Notes): string {
  const { texts, served } = selection.model
  const self = `${texts.url}/${UNRESERVED.test(id) ? id : encodeURIComponent(id)}`
  let text = start
  if (selection.attributes.length > 0) text += `,"attributes":{${attributesText(row, selection, path, notes)}}`
  const relationships = relationshipsText(row, selection, self, linkage)
  if (relationships !== '') text += `,"relationships":{${relationships}}`
  return served.has('/:id') ? `${text},"links":{"self":"${self}"}}` : `${text}}`
}

/** What a row becomes in a document. */
export function entryOf(row: Row, selection: Selection, id = rowId(selection.model.id, row)): Entry {
  return { row, id, start: identifierStart(selection.model, id), selection, linkage: undefined }
}

/** The identifier of a row, as JSON. */
export function identifierText(model: RestModel, row: Row): string {
  return `${identifierStart(model, rowId(model.id, row))}}`
}

/** The identifier of the row with an id, as JSON, but for its last brace: what its resource begins with. */
function identifierStart({ texts }: RestModel, id: string): string {
  return texts.head + quote(id)
}

/**
 * The linkage of a to-one relation that the row holds itself, as JSON.
 * @returns undefined where the client leaves its fields out
 */
export function ownLinkage({ linkage = [], target }: Relationship, row: Row): string | undefined {
  const only = linkage.length === 1 ? row[linkage[0] ?? ''] : undefined
  if (typeof only === 'number') return `${target.texts.head}"${only}"}`
  const values = linkage.map((name) => row[name])
  if (values.includes(undefined)) return undefined
  return values.includes(null) ? 'null' : `${identifierStart(target, formatId(target.id, values))}}`
}

function attributesText(row: Row, { attributes }: Selection, path: string, notes: Notes): string {
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

function relationshipsText(row: Row, { relationships }: Selection, self: string, linkage: Entry['linkage']): string {
  let text = ''
  for (const { relationship, shown, links } of relationships) {
    if (!shown) continue
    const data = linkage?.get(relationship.name) ?? toOneText(row, relationship)
    // A relationship needs one member at least.
    if (data === undefined && links.length === 0) continue
    if (text !== '') text += ','
    text += relationship.opening
    if (data !== undefined) text += links.length === 0 ? `"data":${data}` : `"data":${data},`
    // Not by `join`, whose result is copied once more.
    for (let at = 0; at < links.length; at++) text += at === 0 ? links[at] : self + links[at]
    text += '}'
  }
  return text
}

function toOneText(row: Row, relationship: Relationship): string | undefined {
  if (relationship.relation.many) return undefined
  const related = row[relationship.name]
  if (related !== undefined) return isRow(related) ? identifierText(relationship.target, related) : 'null'
  return relationship.linkage && ownLinkage(relationship, row)
}
