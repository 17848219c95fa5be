import { note, type Notes, quote } from '../serialization/json-text.js'
import { toBase64 } from '../values/to-json.js'
import { formatId, rowId } from './id.js'
import { tooManyIncluded } from './include.js'
import type { Attribute, Relationship, RestModel } from './model.js'
import type { SelectedRelationship, Selection } from './selection.js'

/** A row as Prisma gives it. */
export type Row = Readonly<Record<string, unknown>>

/** What rows become: JSON texts. */
export interface Serialized {
  /** Resource objects, with commas between them. */
  readonly data: string
  /** The included resources, none twice and none that is primary data too; with commas between them. */
  readonly included: string
  /** The members of `meta.serialization.values`. */
  readonly notes: string
}

/** A resource that the document will hold. */
interface Entry {
  readonly row: Row
  readonly selection: Selection
  /** The linkage of its relationships that are included, by their names. */
  readonly linkage: Map<string, string>
}

/** The included resources so far. */
interface Progress {
  readonly known: Map<RestModel, Map<string, Entry>>
  readonly included: Entry[]
  loaded: number
  readonly most: number
}

/**
 * Writes rows as resource objects (contract 2.2). Each field is written as its type in the schema says, straight into the text,
 * and superjson's notes with it: there is no object between a row and its JSON.
 * @param isList whether the primary data is a list; decides the paths in `meta.serialization`
 * @param most how many included rows an answer may hold
 * @throws RequestError 400 where there are more
 */
export function serializeRows(
  rows: readonly Row[],
  selection: Selection,
  { isList, most }: { readonly isList: boolean; readonly most: number },
): Serialized {
  const notes: Notes = { text: '' }
  if (!includes(selection)) return { data: dataText(rows, selection, isList, notes), included: '', notes: notes.text }
  const progress: Progress = { known: new Map(), included: [], loaded: 0, most }
  const known = knownOf(progress, selection.model)
  const entries = rows.map((row): Entry => ({ row, selection, linkage: new Map() }))
  for (const entry of entries) known.set(rowId(selection.model.id, entry.row), entry)
  for (const entry of entries) includeRelated(entry, selection, progress)
  const linkageOf = (index: number) => entries[index]?.linkage
  const data = dataText(rows, selection, isList, notes, linkageOf)
  return { data, included: includedText(progress, notes), notes: notes.text }
}

/**
 * Writes rows as resources of `included`, where the primary data is linkage alone.
 * @param selection what is included of them
 */
export function serializeIncluded(
  rows: readonly Row[],
  selection: Selection,
  most: number,
): Pick<Serialized, 'included' | 'notes'> {
  const progress: Progress = { known: new Map(), included: [], loaded: 0, most }
  for (const row of rows) include(row, selection, progress)
  const notes: Notes = { text: '' }
  return { included: includedText(progress, notes), notes: notes.text }
}

/** The identifier of a row, as JSON. */
export function identifierText(model: RestModel, row: Row): string {
  return `${model.texts.head}${quote(rowId(model.id, row))}}`
}

/**
 * The linkage of a to-one relation that the row holds itself, as JSON.
 * @returns undefined where the client leaves its fields out
 */
export function ownLinkage({ linkage = [], target }: Relationship, row: Row): string | undefined {
  const values = linkage.map((name) => row[name])
  if (values.includes(undefined)) return undefined
  return values.includes(null) ? 'null' : `${target.texts.head}${quote(formatId(target.id, values))}}`
}

/** Checks that what Prisma gave is a row. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** The rows in what Prisma gave for many of them. */
export function rowsOf(values: unknown): Row[] {
  return Array.isArray(values) ? values.filter(isRow) : []
}

function dataText(
  rows: readonly Row[],
  selection: Selection,
  isList: boolean,
  notes: Notes,
  linkageOf?: (index: number) => ReadonlyMap<string, string> | undefined,
): string {
  let text = ''
  for (const [index, row] of rows.entries()) {
    const path = isList ? `data.${index}` : 'data'
    text += (index === 0 ? '' : ',') + resourceText(row, selection, path, notes, linkageOf?.(index))
  }
  return text
}

function includedText({ included }: Progress, notes: Notes): string {
  let text = ''
  for (const [index, { row, selection, linkage }] of included.entries()) {
    text += (index === 0 ? '' : ',') + resourceText(row, selection, `included.${index}`, notes, linkage)
  }
  return text
}

function resourceText(
  row: Row,
  selection: Selection,
  path: string,
  notes: Notes,
  linkage: ReadonlyMap<string, string> | undefined,
): string {
  const { model } = selection
  const id = rowId(model.id, row)
  const self = `${model.texts.url}/${encodeURIComponent(id)}`
  let text = `${model.texts.head}${quote(id)}`
  if (selection.attributes.length > 0) text += `,"attributes":{${attributesText(row, selection, path, notes)}}`
  const relationships = relationshipsText(row, selection, self, linkage)
  if (relationships !== '') text += `,"relationships":{${relationships}}`
  return model.served.has('/:id') ? `${text},"links":{"self":"${self}"}}` : `${text}}`
}

function attributesText(row: Row, { attributes }: Selection, path: string, notes: Notes): string {
  let text = ''
  for (const attribute of attributes) {
    const value = row[attribute.name]
    if (value === undefined) continue
    const json = attribute.encoding && value !== null ? encodedText(value, attribute, path, notes) : plainText(value)
    if (json !== undefined) text += text === '' ? attribute.key + json : `,${attribute.key}${json}`
  }
  return text
}

/** A value of a type that JSON has. Undefined for what JSON leaves out, which only client extensions give. */
function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return JSON.stringify(value)
}

function encodedText(value: unknown, attribute: Attribute, path: string, notes: Notes): string | undefined {
  const at = `${path}.attributes.${attribute.wire}`
  if (!Array.isArray(value)) return noted(value, attribute, at, notes)
  return `[${value.map((element, index) => noted(element, attribute, `${at}.${index}`, notes) ?? 'null').join(',')}]`
}

function noted(value: unknown, { encoding, annotation }: Attribute, path: string, notes: Notes): string | undefined {
  note(notes, path, annotation)
  // Texts without anything to escape.
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (typeof value === 'bigint') return `"${value}"`
  if (value instanceof Uint8Array) return `"${toBase64(value)}"`
  return plainText(encoding?.encode(value))
}

function relationshipsText(
  row: Row,
  selection: Selection,
  self: string,
  linkage: ReadonlyMap<string, string> | undefined,
): string {
  let text = ''
  for (const selected of selection.relationships) {
    if (!selected.shown) continue
    const { relationship } = selected
    const data = linkage?.get(relationship.name) ?? toOneText(row, relationship)
    const links = linksText(selected, self)
    // A relationship needs one member at least.
    if (data === undefined && links === undefined) continue
    const members = data === undefined ? links : links === undefined ? `"data":${data}` : `"data":${data},${links}`
    text += `${text === '' ? '' : ','}"${relationship.name}":{${members}}`
  }
  return text
}

function toOneText(row: Row, relationship: Relationship): string | undefined {
  if (relationship.relation.many) return undefined
  const related = row[relationship.name]
  if (related !== undefined) return isRow(related) ? identifierText(relationship.target, related) : 'null'
  return relationship.linkage && ownLinkage(relationship, row)
}

function linksText({ related, self: own }: SelectedRelationship, self: string): string | undefined {
  if (related === undefined) return own === undefined ? undefined : `"links":{"self":"${self}${own}"}`
  if (own === undefined) return `"links":{"related":"${self}${related}"}`
  return `"links":{"related":"${self}${related}","self":"${self}${own}"}`
}

function includes(selection: Selection): boolean {
  return selection.relationships.some(({ included }) => included)
}

function knownOf({ known }: Progress, model: RestModel): Map<string, Entry> {
  const found = known.get(model)
  if (found) return found
  const entries = new Map<string, Entry>()
  known.set(model, entries)
  return entries
}

/** Includes what a selection includes of a resource's row. It may be there already, with less linkage. */
function includeRelated(entry: Entry, selection: Selection, progress: Progress, row = entry.row): void {
  for (const { relationship, included } of selection.relationships) {
    if (!included) continue
    const related = row[relationship.name]
    // Access policies do not let it be read.
    if (related === undefined) continue
    if (Array.isArray(related)) {
      const members = related.filter(isRow).map((one) => include(one, included, progress))
      entry.linkage.set(relationship.name, `[${members.join(',')}]`)
    } else {
      entry.linkage.set(relationship.name, isRow(related) ? include(related, included, progress) : 'null')
    }
  }
}

/** Includes a row, unless it is there already, and what is included of it; gives its identifier. */
function include(row: Row, selection: Selection, progress: Progress): string {
  progress.loaded += 1
  if (progress.loaded > progress.most) throw tooManyIncluded(progress.most)
  const { model } = selection
  const known = knownOf(progress, model)
  const id = rowId(model.id, row)
  let entry = known.get(id)
  if (!entry) {
    entry = { row, selection, linkage: new Map() }
    known.set(id, entry)
    progress.included.push(entry)
  }
  includeRelated(entry, selection, progress, row)
  return `${model.texts.head}${quote(id)}}`
}
