import type { SerializationNotes } from '../../serialization/annotations.js'
import { rowId } from '../request/resource-id.js'
import { tooManyIncludedError } from '../request/request-errors.js'
import type { RestModel } from '../rest-model.js'
import { responseTooLargeError } from './respond.js'
import { type Entry, resourceEntry, resourceJson } from './resource-json.js'
import { isRow, type Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'

/** Rows serialized as JSON text. */
export interface Serialized {
  /** Resource objects, separated by commas. */
  readonly data: string
  /** The included resources, separated by commas, without duplicates and without primary data. */
  readonly included: string
  /** The members of `meta.serialization.values`. */
  readonly notes: string
}

/** Size limits of a response. */
export interface ResponseBounds {
  /** Maximum number of included rows. */
  readonly includedRows: number
  /** Maximum size in bytes. */
  readonly responseBytes: number
}

/** The progress of writing a response. */
interface DocumentSize {
  readonly notes: SerializationNotes
  /** The total length of the resources so far. */
  length: number
  readonly maxLength: number
}

/** The resources included so far. */
interface Progress {
  /** Includes the primary data. */
  readonly entriesByModel: Map<RestModel, Map<string, Entry>>
  readonly included: Entry[]
  loaded: number
  readonly maxLoaded: number
}

/**
 * Serializes rows as resource objects (contract 2.2).
 * @param isList whether the primary data is a list; determines the paths in `meta.serialization`
 * @param itemMeta the JSON of each row's own `meta`
 * @throws RequestError 400 if there are too many included rows or if the response is too large
 */
export function serializeRows(
  rows: readonly Row[],
  selection: Selection,
  { isList, includedRows, responseBytes }: ResponseBounds & { readonly isList: boolean },
  itemMeta?: readonly string[],
): Serialized {
  const entries = rows.map((row) => resourceEntry(row, selection))
  if (itemMeta) for (const [index, entry] of entries.entries()) entry.meta = itemMeta[index]
  const notes: SerializationNotes = { text: '' }
  const size: DocumentSize = { notes, length: 0, maxLength: responseBytes }
  const pathPrefix = isList ? 'data.' : undefined
  if (!includes(selection)) return { data: entriesText(entries, pathPrefix, size), included: '', notes: notes.text }
  const progress = createProgress(includedRows)
  const entriesById = getEntries(progress, selection.model)
  for (const entry of entries) entriesById.set(entry.id, entry)
  for (const entry of entries) includeRelated(entry, selection, progress)
  const data = entriesText(entries, pathPrefix, size)
  return { data, included: entriesText(progress.included, 'included.', size), notes: notes.text }
}

/**
 * Serializes rows as resources of `included`, for documents whose primary data is linkage.
 * @param selection the fields and relationships to include
 */
export function serializeIncluded(
  rows: readonly Row[],
  selection: Selection,
  { includedRows, responseBytes }: ResponseBounds,
): Pick<Serialized, 'included' | 'notes'> {
  const progress = createProgress(includedRows)
  for (const row of rows) include(row, selection, progress)
  const size: DocumentSize = { notes: { text: '' }, length: 0, maxLength: responseBytes }
  return { included: entriesText(progress.included, 'included.', size), notes: size.notes.text }
}

/** @param pathPrefix the path of the list of entries, with a trailing dot; undefined for a single resource */
function entriesText(entries: readonly Entry[], pathPrefix: string | undefined, size: DocumentSize): string {
  const { notes, length, maxLength } = size
  let text = ''
  let index = 0
  for (const entry of entries) {
    const resource = resourceJson(entry, pathPrefix === undefined ? 'data' : pathPrefix + index, notes)
    text += index === 0 ? resource : `,${resource}`
    index += 1
    // Checked during writing, because the complete text may exceed the maximum length of a string.
    if (length + text.length + notes.text.length > maxLength) throw responseTooLargeError(maxLength)
  }
  size.length += text.length
  return text
}

function includes(selection: Selection): boolean {
  return selection.relationships.some(({ included }) => included)
}

function createProgress(maxLoaded: number): Progress {
  return { entriesByModel: new Map(), included: [], loaded: 0, maxLoaded }
}

function getEntries({ entriesByModel }: Progress, model: RestModel): Map<string, Entry> {
  const found = entriesByModel.get(model)
  if (found) return found
  const entries = new Map<string, Entry>()
  entriesByModel.set(model, entries)
  return entries
}

/** Includes the related rows of a resource. A different include path may have included some of them already, with less linkage. */
function includeRelated(entry: Entry, selection: Selection, progress: Progress, row = entry.row): void {
  for (const { relationship, included, list } of selection.relationships) {
    if (!included) continue
    const related = row[relationship.name]
    // The relation is missing if access policies do not allow the caller to read it.
    if (related === undefined) continue
    entry.linkage ??= new Map()
    if (Array.isArray(related)) {
      const { name } = relationship
      const toIdentifier = (member: Row) => include(member, included, progress)
      const rows = related.filter(isRow)
      const listed = list?.collect(rows, toIdentifier, entry.lists?.get(name))
      if (listed) (entry.lists ??= new Map()).set(name, listed)
      entry.linkage.set(name, `[${(listed?.identifiers ?? rows.map(toIdentifier)).join(',')}]`)
    } else {
      entry.linkage.set(relationship.name, isRow(related) ? include(related, included, progress) : 'null')
    }
  }
}

/** Includes a row, unless it is already included, and then its related rows. Returns the row's identifier. */
function include(row: Row, selection: Selection, progress: Progress): string {
  progress.loaded += 1
  if (progress.loaded > progress.maxLoaded) throw tooManyIncludedError(progress.maxLoaded)
  const { model } = selection
  const entriesById = getEntries(progress, model)
  const id = rowId(model.id, row)
  let entry = entriesById.get(id)
  if (!entry) {
    entry = resourceEntry(row, selection, id)
    entriesById.set(id, entry)
    progress.included.push(entry)
  }
  includeRelated(entry, selection, progress, row)
  return `${entry.start}}`
}
