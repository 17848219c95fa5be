import type { SerializationNotes } from '../../serialization/json-writer.js'
import { rowId } from '../request/id.js'
import { tooManyIncludedError } from '../request/include.js'
import type { RestModel } from '../model.js'
import { responseTooLargeError } from './respond.js'
import { type Entry, resourceEntry, resourceJson } from './resource-json.js'
import { isRow, type Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'

/** What rows become: JSON texts. */
export interface Serialized {
  /** Resource objects, with commas between them. */
  readonly data: string
  /** The included resources, none twice and none that is primary data too; with commas between them. */
  readonly included: string
  /** The members of `meta.serialization.values`. */
  readonly notes: string
}

/** How much an answer may hold. */
export interface ResponseBounds {
  /** Rows that it includes. */
  readonly includedRows: number
  /** Bytes of it. */
  readonly responseBytes: number
}

/** What of an answer is written so far. */
interface Written {
  readonly notes: SerializationNotes
  /** How long its resources are. */
  length: number
  readonly most: number
}

/** The included resources so far. */
interface Progress {
  /** Primary data too. */
  readonly known: Map<RestModel, Map<string, Entry>>
  readonly included: Entry[]
  loaded: number
  readonly most: number
}

/**
 * Writes rows as resource objects (contract 2.2).
 * @param isList whether the primary data is a list; decides the paths in `meta.serialization`
 * @param itemMeta the JSON of each row's own `meta`; absent where they have none
 * @throws RequestError 400 where there are more included rows than an answer may hold, or longer ones
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
  const written: Written = { notes, length: 0, most: responseBytes }
  const place = isList ? 'data.' : undefined
  if (!includes(selection)) return { data: entriesText(entries, place, written), included: '', notes: notes.text }
  const progress = start(includedRows)
  const known = knownOf(progress, selection.model)
  for (const entry of entries) known.set(entry.id, entry)
  for (const entry of entries) includeRelated(entry, selection, progress)
  const data = entriesText(entries, place, written)
  return { data, included: entriesText(progress.included, 'included.', written), notes: notes.text }
}

/**
 * Writes rows as resources of `included`, where the primary data is linkage alone.
 * @param selection what is included of them
 */
export function serializeIncluded(
  rows: readonly Row[],
  selection: Selection,
  { includedRows, responseBytes }: ResponseBounds,
): Pick<Serialized, 'included' | 'notes'> {
  const progress = start(includedRows)
  for (const row of rows) include(row, selection, progress)
  const written: Written = { notes: { text: '' }, length: 0, most: responseBytes }
  return { included: entriesText(progress.included, 'included.', written), notes: written.notes.text }
}

/** @param place the path of the list that they are in, with a dot; undefined for the one resource of a document */
function entriesText(entries: readonly Entry[], place: string | undefined, written: Written): string {
  const { notes, length, most } = written
  let text = ''
  let index = 0
  for (const entry of entries) {
    const resource = resourceJson(entry, place === undefined ? 'data' : place + index, notes)
    text += index === 0 ? resource : `,${resource}`
    index += 1
    // Found while it is written: the whole of it may be more than a text can hold.
    if (length + text.length + notes.text.length > most) throw responseTooLargeError(most)
  }
  written.length += text.length
  return text
}

function includes(selection: Selection): boolean {
  return selection.relationships.some(({ included }) => included)
}

function start(most: number): Progress {
  return { known: new Map(), included: [], loaded: 0, most }
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
  for (const { relationship, included, list } of selection.relationships) {
    if (!included) continue
    const related = row[relationship.name]
    // Access policies do not let it be read.
    if (related === undefined) continue
    entry.linkage ??= new Map()
    if (Array.isArray(related)) {
      const { name } = relationship
      const { limit = Infinity } = list ?? {}
      const members = related.length > limit ? related.slice(0, limit) : related
      const own = members.filter(isRow).map((one) => include(one, included, progress))
      // Two ways may lead to it, with lists that are not the same.
      const known = list && entry.members?.get(name)
      const all = known ? [...new Set([...known, ...own])] : own
      if (list) (entry.members ??= new Map()).set(name, all)
      if (related.length > limit) (entry.cut ??= new Set()).add(name)
      entry.linkage.set(name, `[${all.join(',')}]`)
    } else {
      entry.linkage.set(relationship.name, isRow(related) ? include(related, included, progress) : 'null')
    }
  }
}

/** Includes a row, unless it is there already, and what is included of it; gives its identifier. */
function include(row: Row, selection: Selection, progress: Progress): string {
  progress.loaded += 1
  if (progress.loaded > progress.most) throw tooManyIncludedError(progress.most)
  const { model } = selection
  const known = knownOf(progress, model)
  const id = rowId(model.id, row)
  let entry = known.get(id)
  if (!entry) {
    entry = resourceEntry(row, selection, id)
    known.set(id, entry)
    progress.included.push(entry)
  }
  includeRelated(entry, selection, progress, row)
  return `${entry.start}}`
}
