import { retryRaces } from '../race.js'
import { type Fault, RequestError } from '../errors/request-error.js'
import { isObject } from '../values/is-object.js'
import { erase } from './erase.js'
import type { Scalars } from './attributes.js'
import { below, faultAt, type JsonObject } from './body.js'
import type { RestModel } from './model.js'
import { idSelect } from './selection.js'
import { isRow, type Row } from './row.js'

const UPSERT_MEMBERS = ['operation', 'matchFields']

/** The parts of a model's delegate that an upsert uses. */
export interface UpsertDelegate {
  findUnique(args: never): PromiseLike<unknown>
  create(args: never): PromiseLike<unknown>
  update(args: never): PromiseLike<unknown>
}

/**
 * Reads `meta.operation` and `meta.matchFields` (contract 4.1, rule 4).
 * @returns the fields to match, or undefined for a plain create
 * @throws RequestError 400 where they are not in order: never a plain create instead
 */
export function readMatchFields(document: JsonObject, model: RestModel): readonly string[] | undefined {
  refuseMisplaced(document)
  const { meta } = document
  if (!isObject(meta)) return undefined
  const misspelt = Object.keys(meta).find((name) => {
    return !UPSERT_MEMBERS.includes(name) && UPSERT_MEMBERS.some((known) => known.toLowerCase() === name.toLowerCase())
  })
  if (misspelt !== undefined) throw fail(below('/meta', misspelt), 'It is spelled "operation" or "matchFields".')
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
  if (!criterionOf(model, names)) {
    const uniques = [...model.model.uniques.values()].map((fields) => fields.map((name) => wireName(model, name)))
    const possible = uniques.filter((fields) => !fields.includes(undefined)).map((fields) => fields.join(' with '))
    throw fail('/meta/matchFields', `These fields are not unique together. Unique are: ${possible.join(', ')}.`)
  }
  return names
}

/**
 * Refuses to be asked for an upsert where there can be none: only a create can be one.
 * @throws RequestError 400
 */
export function refuseUpsert(document: JsonObject): void {
  refuseMisplaced(document)
  const member = UPSERT_MEMBERS.find((name) => isObject(document['meta']) && Object.hasOwn(document['meta'], name))
  if (member !== undefined) throw fail(`/meta/${member}`, 'Only a POST to the collection can be an upsert.')
}

/** What asks for an upsert at a wrong place would be ignored there, and the request be a plain create. */
function refuseMisplaced(document: JsonObject): void {
  const { data } = document
  const places = [
    ['', document],
    ['/data', data],
    ['/data/meta', isObject(data) ? data['meta'] : undefined],
  ] as const
  for (const [pointer, place] of places) {
    const member = UPSERT_MEMBERS.find((name) => isObject(place) && Object.hasOwn(place, name))
    if (member !== undefined)
      throw fail(`${pointer}/${member}`, `It belongs into "meta", beside "data": meta.${member}.`)
  }
}

/**
 * The unique `where` of the row that an upsert means.
 * @throws RequestError 400 where a field to match has no value
 */
export function matchWhere(
  model: RestModel,
  names: readonly string[],
  scalars: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const faults: Fault[] = []
  for (const name of names) {
    if (scalars.get(name) === undefined || scalars.get(name) === null) {
      const detail = `The field to match "${name}" needs a value in data.attributes.`
      faults.push(faultAt('malformed-document', '/meta/matchFields', detail))
    }
  }
  const [first, ...others] = faults
  if (first) throw new RequestError([first, ...others])
  const criterion = criterionOf(model, names) ?? ''
  const values = Object.fromEntries(names.map((name) => [name, scalars.get(name)]))
  return names.length === 1 ? values : { [criterion]: values }
}

/**
 * Updates the row that matches, or creates it. Not Prisma's own `upsert`, which does not tell which of the two it did. Safe
 * under concurrency: where another request came in between, it looks again.
 * @returns the row, and whether it is new
 */
export async function upsertRow(
  orm: unknown,
  delegate: UpsertDelegate,
  model: RestModel,
  calls: {
    readonly where: object
    readonly create: object
    readonly update: (found: Row) => Promise<object>
  },
): Promise<{ readonly row: unknown; readonly created: boolean }> {
  return retryRaces(orm, async () => {
    const found = await delegate.findUnique(erase({ where: calls.where, select: idSelect(model) }))
    if (!isRow(found)) return { row: await delegate.create(erase(calls.create)), created: true }
    return { row: await delegate.update(erase(await calls.update(found))), created: false }
  })
}

/** What the row that matches is updated with: not what it matches by, and not its id. */
export function updatedScalars(model: RestModel, names: readonly string[], scalars: Scalars): Scalars {
  const kept = new Set([...names, ...model.id.fields.map(({ name }) => name)])
  return new Map([...scalars].filter(([name]) => !kept.has(name)))
}

function fieldNamed(model: RestModel, wire: string): string | undefined {
  return wire === 'id' && model.model.fields.has('id') ? 'id' : model.written.get(wire)?.name
}

function wireName(model: RestModel, name: string): string | undefined {
  return name === 'id' ? name : [...model.written.values()].find((field) => field.name === name)?.wire
}

function criterionOf(model: RestModel, names: readonly string[]): string | undefined {
  const same = (fields: readonly string[]) =>
    fields.length === names.length && fields.every((field) => names.includes(field))
  return [...model.model.uniques].find(([, fields]) => same(fields))?.[0]
}

function fail(pointer: string, detail: string): RequestError {
  return new RequestError(faultAt('malformed-document', pointer, detail))
}
