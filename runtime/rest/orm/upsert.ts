import { retryOnRace } from '../../orm/retry.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { isObject } from '../../values/is-object.js'
import type { Scalars } from '../request/attributes.js'
import { childPointer, errorAt, type JsonObject } from '../request/body.js'
import type { RestModel } from '../model.js'
import { bodyField } from '../written-field.js'
import { idSelect } from './selection.js'
import { findUnique } from './delegates.js'

const UPSERT_MEMBERS = ['operation', 'matchFields']

/** What an upsert matches by. */
export interface Match {
  /** The criterion's name in Prisma's unique `where`. */
  readonly criterion: string
  /** Its fields. */
  readonly fields: readonly string[]
}

/**
 * Reads `meta.operation` and `meta.matchFields` (contract 4.1, rule 4).
 * @returns what to match by, or undefined for a plain create
 * @throws RequestError 400 where they are not in order: never a plain create instead
 */
export function parseMatch(document: JsonObject, model: RestModel): Match | undefined {
  refuseMisplaced(document)
  const { meta } = document
  if (!isObject(meta)) return undefined
  const misspelt = Object.keys(meta).find((name) => {
    return !UPSERT_MEMBERS.includes(name) && UPSERT_MEMBERS.some((known) => known.toLowerCase() === name.toLowerCase())
  })
  if (misspelt !== undefined) throw fail(childPointer('/meta', misspelt), 'It is spelled "operation" or "matchFields".')
  const { operation, matchFields } = meta
  if (operation === undefined && matchFields === undefined) return undefined
  if (operation !== 'upsert') throw fail('/meta', 'meta.operation must be "upsert", or absent with meta.matchFields.')
  if (!Array.isArray(matchFields) || matchFields.length === 0) {
    throw fail('/meta', 'meta.matchFields must list the fields of a unique constraint.')
  }
  const names: string[] = []
  for (const [index, name] of matchFields.entries()) {
    const pointer = `/meta/matchFields/${index}`
    const field = typeof name === 'string' ? fieldNamed(model, name) : undefined
    if (field === undefined) throw fail(pointer, 'It is no field of this type.')
    if (names.includes(field)) throw fail(pointer, 'It is named more than once.')
    names.push(field)
  }
  const criterion = criterionOf(model, names)
  if (criterion === undefined) {
    const uniques = [...model.model.uniques.values()].map((fields) => fields.map((name) => wireName(model, name)))
    const possible = uniques.filter((fields) => !fields.includes(undefined)).map((fields) => fields.join(' with '))
    throw fail('/meta/matchFields', `These fields are not unique together. Unique are: ${possible.join(', ')}.`)
  }
  return { criterion, fields: names }
}

/**
 * Refuses to be asked for an upsert where there can be none: only a create can be one.
 * @throws RequestError 400
 */
export function rejectUpsert(document: JsonObject): void {
  refuseMisplaced(document)
  const member = UPSERT_MEMBERS.find((name) => isObject(document['meta']) && Object.hasOwn(document['meta'], name))
  if (member !== undefined) throw fail(`/meta/${member}`, 'Only a POST to the collection can be an upsert.')
}

/** What asks for an upsert at a wrong place would be ignored there, and the request be a plain create. */
function refuseMisplaced(document: JsonObject): void {
  const { data } = document
  refuseMembers(document, '')
  if (!isObject(data)) return
  refuseMembers(data, '/data')
  if (isObject(data['meta'])) refuseMembers(data['meta'], '/data/meta')
}

function refuseMembers(place: JsonObject, pointer: string): void {
  for (const name of UPSERT_MEMBERS) {
    if (Object.hasOwn(place, name)) throw fail(`${pointer}/${name}`, `It must be meta.${name}.`)
  }
}

/**
 * The unique `where` of the row that an upsert means.
 * @throws RequestError 400 where a field to match has no value
 */
export function matchWhere({ criterion, fields }: Match, scalars: Scalars): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const faults: ErrorDetail[] = []
  for (const name of fields) {
    values[name] = scalars.get(name)
    if (values[name] === undefined || values[name] === null) {
      const detail = `The field to match "${name}" needs a value in data.attributes.`
      faults.push(errorAt('malformed-document', '/meta/matchFields', detail))
    }
  }
  throwErrors(faults)
  return fields.length === 1 ? values : { [criterion]: values }
}

/**
 * Updates the row that matches, or creates it. Not Prisma's own `upsert`, which does not tell which of the two it did. Safe
 * under concurrency: where another request came in between, it looks again.
 * @param where finds the row that matches
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

/** What the row that matches is updated with: not what it matches by, and not its id. */
export function updatedScalars(model: RestModel, match: Match, scalars: Scalars): Scalars {
  const updated: Scalars = new Map(scalars)
  for (const name of match.fields) updated.delete(name)
  for (const { name } of model.id.fields) updated.delete(name)
  return updated
}

function fieldNamed(model: RestModel, wire: string): string | undefined {
  return wire === 'id' && model.model.fields.has('id') ? 'id' : model.written.get(wire)?.name
}

function wireName(model: RestModel, name: string): string | undefined {
  return name === 'id' ? name : bodyField(model, name)?.wire
}

function criterionOf(model: RestModel, names: readonly string[]): string | undefined {
  for (const [criterion, fields] of model.model.uniques) {
    if (fields.length === names.length && fields.every((field) => names.includes(field))) return criterion
  }
  return undefined
}

function fail(pointer: string, detail: string): RequestError {
  return new RequestError(errorAt('malformed-document', pointer, detail))
}
