import { retryOnRace } from '../../orm/retry-on-conflict.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { isObject } from '../../values/is-object.js'
import type { Scalars } from '../request/parse-attributes.js'
import { childPointer, errorAt, type JsonObject } from '../request/parse-document.js'
import type { RestModel } from '../rest-model.js'
import { findBodyField } from '../find-body-field.js'
import { idSelect } from './selection.js'
import { findUnique } from './delegate-calls.js'

const UPSERT_MEMBERS = ['operation', 'matchFields']

/** The unique criterion that an upsert matches by. */
export interface Match {
  /** The criterion's name in Prisma's unique `where`. */
  readonly criterion: string
  /** The criterion's fields. */
  readonly fields: readonly string[]
}

/**
 * Parses `meta.operation` and `meta.matchFields` (contract 4.1, rule 4).
 * @returns undefined for a plain create
 * @throws RequestError 400 if they are invalid, so that a mistake never results in a plain create
 */
export function parseMatch(document: JsonObject, model: RestModel): Match | undefined {
  rejectMisplacedMembers(document)
  const { meta } = document
  if (!isObject(meta)) return undefined
  const misspelt = Object.keys(meta).find((name) => {
    return (
      !UPSERT_MEMBERS.includes(name) && UPSERT_MEMBERS.some((member) => member.toLowerCase() === name.toLowerCase())
    )
  })
  if (misspelt !== undefined) throw upsertError(childPointer('/meta', misspelt), 'Use "operation" or "matchFields".')
  const { operation, matchFields } = meta
  if (operation === undefined && matchFields === undefined) return undefined
  if (operation !== 'upsert')
    throw upsertError('/meta', 'meta.operation must be "upsert", or absent with meta.matchFields.')
  if (!Array.isArray(matchFields) || matchFields.length === 0) {
    throw upsertError('/meta', 'meta.matchFields must list the fields of a unique constraint.')
  }
  const names: string[] = []
  for (const [index, name] of matchFields.entries()) {
    const pointer = `/meta/matchFields/${index}`
    const field = typeof name === 'string' ? findField(model, name) : undefined
    if (field === undefined) throw upsertError(pointer, 'It is not a field of this type.')
    if (names.includes(field)) throw upsertError(pointer, 'It occurs more than once.')
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
    if (Object.hasOwn(object, name)) throw upsertError(`${pointer}/${name}`, `It must be meta.${name}.`)
  }
}

/**
 * Returns the unique `where` of the row that an upsert matches.
 * @throws RequestError 400 if a field to match has no value
 */
export function matchWhere({ criterion, fields }: Match, scalars: Scalars): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const errors: ErrorDetail[] = []
  for (const name of fields) {
    values[name] = scalars.get(name)
    if (values[name] === undefined || values[name] === null) {
      const detail = `The field to match "${name}" needs a value in data.attributes.`
      errors.push(errorAt('malformed-document', '/meta/matchFields', detail))
    }
  }
  throwErrors(errors)
  return fields.length === 1 ? values : { [criterion]: values }
}

/**
 * Updates the matching row, or creates it. Prisma's own `upsert` is not used, because it does not report which of the two it did. Retries
 * if a concurrent request creates or deletes the row in between.
 * @param where finds the matching row
 * @returns the row, and whether it is new
 */
export async function upsertRow(
  orm: unknown,
  model: RestModel,
  where: object,
  write: { create(): PromiseLike<unknown>; update(): PromiseLike<unknown> },
): Promise<{ readonly row: unknown; readonly created: boolean }> {
  return retryOnRace(orm, model.model, { where }, async () => {
    const found = await findUnique(orm, model, { where, select: idSelect(model) })
    if (!found) return { row: await write.create(), created: true }
    return { row: await write.update(), created: false }
  })
}

/** Returns the scalars to update the matching row with: all except the matched fields and the id. */
export function updatedScalars(model: RestModel, match: Match, scalars: Scalars): Scalars {
  const updated: Scalars = new Map(scalars)
  for (const name of match.fields) updated.delete(name)
  for (const { name } of model.id.fields) updated.delete(name)
  return updated
}

function findField(model: RestModel, wire: string): string | undefined {
  return wire === 'id' && model.model.fields.has('id') ? 'id' : model.bodyFields.get(wire)?.name
}

function wireName(model: RestModel, name: string): string | undefined {
  return name === 'id' ? name : findBodyField(model, name)?.wire
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
