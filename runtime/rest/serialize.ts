import type { Annotation } from '../values/to-json.js'
import type { Identifier, RelationshipObject, ResourceObject, Serialization } from './document.js'
import { formatId, rowId } from './id.js'
import { tooManyIncluded } from './include.js'
import type { Relationship, RestModel } from './model.js'
import { mayRead } from './permissions.js'
import type { Selection } from './selection.js'

/** A row as Prisma gives it. */
export type Row = Readonly<Record<string, unknown>>

/** What rows become. */
export interface Serialized {
  readonly data: readonly ResourceObject[]
  /** The included resources, none twice and none that is primary data too. */
  readonly included: readonly ResourceObject[]
  readonly serialization: Serialization | undefined
}

/** How the documents being made look so far. */
interface Progress {
  readonly objects: Map<RestModel, Map<string, ResourceObject>>
  readonly included: ResourceObject[]
  readonly values: Record<string, Annotation>
  loaded: number
  readonly maxIncluded: number
}

/**
 * Makes rows into resource objects (contract 2.2). Types are known from the resource, so no value is looked at to find its.
 * @param isList whether the primary data is a list; decides the paths in `meta.serialization`
 * @param maxIncluded how many included rows an answer may hold
 * @throws RequestError 400 where there are more
 */
export function serializeRows(
  rows: readonly Row[],
  selection: Selection,
  { isList, maxIncluded }: { readonly isList: boolean; readonly maxIncluded: number },
): Serialized {
  const progress: Progress = { objects: new Map(), included: [], values: {}, loaded: 0, maxIncluded }
  const objects = register(progress, selection.model)
  const data = rows.map((row, index) => {
    const object = resourceObject(row, selection, isList ? `data.${index}` : 'data', progress.values)
    objects.set(object.id, object)
    return object
  })
  if (includes(selection)) rows.forEach((row, index) => includeRelated(row, data[index], selection, progress))
  return finish(data, progress)
}

/**
 * Makes rows into resources of `included`, where the primary data is linkage alone.
 * @param selection what is included of them
 */
export function serializeIncluded(rows: readonly Row[], selection: Selection, maxIncluded: number): Serialized {
  const progress: Progress = { objects: new Map(), included: [], values: {}, loaded: 0, maxIncluded }
  for (const row of rows) include(row, selection, progress)
  return finish([], progress)
}

/** The identifier of a row. */
export function identifierOf(model: RestModel, row: Row): Identifier {
  return { type: model.type, id: rowId(model.id, row) }
}

/**
 * The linkage of a to-one relation that the row holds itself.
 * @returns undefined where the client leaves its fields out
 */
export function ownLinkage({ linkage = [], target }: Relationship, row: Row): Identifier | null | undefined {
  const values = linkage.map((name) => row[name])
  if (values.includes(undefined)) return undefined
  return values.includes(null) ? null : { type: target.type, id: formatId(target.id, values) }
}

/** Checks that what Prisma gave is a row. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** The rows in what Prisma gave for many of them. */
export function rowsOf(values: unknown): Row[] {
  return Array.isArray(values) ? values.filter(isRow) : []
}

function finish(data: readonly ResourceObject[], { included, values }: Progress): Serialized {
  const annotated = Object.keys(values).length > 0
  return { data, included, serialization: annotated ? { values, v: 1 } : undefined }
}

function register(progress: Progress, model: RestModel): Map<string, ResourceObject> {
  const known = progress.objects.get(model)
  if (known) return known
  const objects = new Map<string, ResourceObject>()
  progress.objects.set(model, objects)
  return objects
}

function resourceObject(
  row: Row,
  selection: Selection,
  path: string,
  values: Record<string, Annotation>,
): ResourceObject {
  const { model } = selection
  const object: ResourceObject = { type: model.type, id: rowId(model.id, row) }
  if (selection.attributes.length > 0) object.attributes = attributes(row, selection, `${path}.attributes`, values)
  const self = `${model.url}/${encodeURIComponent(object.id)}`
  const relationships = relationshipsOf(row, selection, self)
  if (relationships) object.relationships = relationships
  if (model.served.has('/:id')) object.links = { self }
  return object
}

function attributes(
  row: Row,
  selection: Selection,
  path: string,
  values: Record<string, Annotation>,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const { name, wire, encoding } of selection.attributes) {
    const value = row[name]
    if (value === undefined) continue
    if (value === null || !encoding) {
      shown[wire] = value
    } else if (Array.isArray(value)) {
      shown[wire] = value.map((element, index) => {
        values[`${path}.${wire}.${index}`] = encoding.annotation
        return encoding.encode(element)
      })
    } else {
      shown[wire] = encoding.encode(value)
      values[`${path}.${wire}`] = encoding.annotation
    }
  }
  return shown
}

function relationshipsOf(row: Row, selection: Selection, self: string): Record<string, RelationshipObject> | undefined {
  let relationships: Record<string, RelationshipObject> | undefined
  for (const { relationship, shown } of selection.relationships) {
    if (!shown) continue
    const object = relationshipObject(row, relationship, selection.model, self)
    // A relationship needs one member at least.
    if (object.data === undefined && !object.links) continue
    relationships ??= {}
    relationships[relationship.name] = object
  }
  return relationships
}

function relationshipObject(
  row: Row,
  relationship: Relationship,
  { served }: RestModel,
  self: string,
): RelationshipObject {
  const { name, relation, target, linkage } = relationship
  const object: RelationshipObject = {}
  if (!relation.many) {
    const related = row[name]
    if (related !== undefined) object.data = isRow(related) ? identifierOf(target, related) : null
    else if (linkage) {
      const data = ownLinkage(relationship, row)
      if (data !== undefined) object.data = data
    }
  }
  const links: Record<string, string> = {}
  const readable = mayRead(relationship)
  if (readable && served.has(`/:id/${name}`)) links['related'] = `${self}/${name}`
  if ((readable || linkage) && served.has(`/:id/relationships/${name}`)) links['self'] = `${self}/relationships/${name}`
  if (Object.keys(links).length > 0) object.links = links
  return object
}

function includes(selection: Selection): boolean {
  return selection.relationships.some(({ included }) => included)
}

function includeRelated(row: Row, object: ResourceObject | undefined, selection: Selection, progress: Progress): void {
  for (const { relationship, shown, included } of selection.relationships) {
    if (!included) continue
    const related = row[relationship.name]
    // Access policies do not let it be read.
    if (related === undefined) continue
    const linkage = Array.isArray(related)
      ? related.filter(isRow).map((one) => include(one, included, progress))
      : isRow(related)
        ? include(related, included, progress)
        : null
    const shownAs = shown ? object?.relationships?.[relationship.name] : undefined
    if (shownAs) shownAs.data = linkage
    else if (shown && object) {
      object.relationships ??= {}
      object.relationships[relationship.name] = { data: linkage }
    }
  }
}

/** Includes a row, unless it is there already, and what is included of it; gives its identifier. */
function include(row: Row, selection: Selection, progress: Progress): Identifier {
  progress.loaded += 1
  if (progress.loaded > progress.maxIncluded) {
    throw tooManyIncluded(progress.maxIncluded)
  }
  const { model } = selection
  const objects = register(progress, model)
  const id = rowId(model.id, row)
  let object = objects.get(id)
  if (!object) {
    object = resourceObject(row, selection, `included.${progress.included.length}`, progress.values)
    objects.set(id, object)
    progress.included.push(object)
  }
  includeRelated(row, object, selection, progress)
  return { type: model.type, id }
}
