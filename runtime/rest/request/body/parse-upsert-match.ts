import { RequestError } from '../../../errors/request-error.js'
import { isObject } from '../../../values/is-object.js'
import { type JsonObject, errorAt, childPointer } from '../request-errors.js'
import { type RestModel, bodyFieldBySchemaName } from '../../rest-model.js'

const UPSERT_MEMBERS = ['operation', 'matchFields']

/** The unique criterion that an upsert uses to find a row. */
export interface UpsertMatch {
  /** The criterion's name in Prisma's unique `where`. */
  readonly criterion: string
  /** The criterion's fields. */
  readonly fields: readonly string[]
}

/**
 * Parses `meta.operation` and `meta.matchFields` (contract 4.1, rule 4).
 * @returns undefined for a plain create
 * @throws RequestError 400 if they are invalid; if they were ignored, the request would be a plain create
 */
export function parseUpsertMatch(document: JsonObject, model: RestModel): UpsertMatch | undefined {
  rejectMisplacedMembers(document)
  const { meta } = document
  if (!isObject(meta)) return undefined
  const misspelled = Object.keys(meta).find((name) => {
    return (
      !UPSERT_MEMBERS.includes(name) && UPSERT_MEMBERS.some((member) => member.toLowerCase() === name.toLowerCase())
    )
  })
  if (misspelled !== undefined)
    throw upsertError(childPointer('/meta', misspelled), 'Use "operation" or "matchFields".')
  const { operation, matchFields } = meta
  if (operation === undefined && matchFields === undefined) return undefined
  if (operation !== 'upsert')
    throw upsertError('/meta', 'meta.operation must be "upsert". For a plain create, omit it and meta.matchFields.')
  if (!Array.isArray(matchFields) || matchFields.length === 0) {
    throw upsertError('/meta', 'meta.matchFields must list the fields of a unique constraint.')
  }
  const names: string[] = []
  for (const [index, name] of matchFields.entries()) {
    const pointer = `/meta/matchFields/${index}`
    const field = typeof name === 'string' ? findField(model, name) : undefined
    if (field === undefined) throw upsertError(pointer, `"${model.type}" has no field with this name.`)
    if (names.includes(field)) throw upsertError(pointer, 'Must not occur more than once.')
    names.push(field)
  }
  const criterion = findCriterion(model, names)
  if (criterion === undefined) {
    const uniques = [...model.model.uniques.values()].map((fields) => fields.map((name) => wireName(model, name)))
    const possible = uniques.filter((fields) => !fields.includes(undefined)).map((fields) => fields.join(' with '))
    throw upsertError('/meta/matchFields', `These fields are not unique together. Unique keys: ${possible.join(', ')}.`)
  }
  return { criterion, fields: names }
}

/**
 * Checks that a document does not request an upsert. Only creates can be upserts.
 * @throws RequestError 400 if it does
 */
export function rejectUpsert(document: JsonObject): void {
  rejectMisplacedMembers(document)
  const member = UPSERT_MEMBERS.find((name) => isObject(document['meta']) && Object.hasOwn(document['meta'], name))
  if (member !== undefined) throw upsertError(`/meta/${member}`, 'Only a POST to the collection can be an upsert.')
}

/** Rejects upsert members in the wrong place. If they were ignored, the request would be a plain create. */
function rejectMisplacedMembers(document: JsonObject): void {
  const { data } = document
  rejectUpsertMembers(document, '')
  if (!isObject(data)) return
  rejectUpsertMembers(data, '/data')
  if (isObject(data['meta'])) rejectUpsertMembers(data['meta'], '/data/meta')
}

function rejectUpsertMembers(object: JsonObject, pointer: string): void {
  for (const name of UPSERT_MEMBERS) {
    if (Object.hasOwn(object, name)) throw upsertError(`${pointer}/${name}`, `Must be meta.${name}.`)
  }
}

function findField(model: RestModel, wire: string): string | undefined {
  return wire === 'id' && model.model.fields.has('id') ? 'id' : model.bodyFields.get(wire)?.name
}

function wireName(model: RestModel, name: string): string | undefined {
  return name === 'id' ? name : bodyFieldBySchemaName(model, name)?.wire
}

function findCriterion(model: RestModel, names: readonly string[]): string | undefined {
  for (const [criterion, fields] of model.model.uniques) {
    if (fields.length === names.length && fields.every((field) => names.includes(field))) return criterion
  }
  return undefined
}

function upsertError(pointer: string, detail: string): RequestError {
  return new RequestError(errorAt('malformed-document', pointer, detail))
}
