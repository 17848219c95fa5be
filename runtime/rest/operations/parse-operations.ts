import { RequestError } from '../../errors/request-error.js'
import { limitMessage } from '../../limits.js'
import { deserialize } from '../../serialization/deserialize.js'
import { isObject } from '../../values/is-object.js'
import type { RestModel } from '../model.js'
import { childPointer, errorAt, type JsonObject, malformedDocument } from '../request/body.js'
import { type Identity, parseIdentity } from './identity.js'
import type { LocalIds } from './local-ids.js'
import { OPERATIONS, RESULTS } from './member-names.js'
import { type OperationTarget, type TargetParser, assertKnownMembers } from './operation-target.js'

/** What an operation does. */
export type OperationCode = 'add' | 'update' | 'remove'

/** One operation, of which the form is right. What it says of its model is not looked at yet. */
export interface AtomicOperation {
  readonly op: OperationCode
  readonly model: RestModel
  /** The resource that it changes, or whose relationship. Undefined for one that it adds. */
  readonly target: Identity | undefined
  /** The relationship that it changes. */
  readonly relationship: string | undefined
  /** `data` and `meta`, as a request of its own would have them. */
  readonly document: JsonObject
  /** The local id of what it adds. */
  readonly lid: string | undefined
  /** Whether the one member of the list in `data` stands for the list in the request. */
  readonly isOneOfMany: boolean
}

/**
 * Reads the operations of a document (Atomic Operations, "Document Structure").
 * @param localIds is told of the local ids that operations give and use
 * @param most how many there may be
 * @throws RequestError 400, 404 or 409 with a pointer
 */
export function parseOperations(
  document: JsonObject,
  localIds: LocalIds,
  places: TargetParser,
  most: number,
): readonly AtomicOperation[] {
  for (const name of ['data', RESULTS]) {
    if (document[name] !== undefined)
      throw malformedDocument('It cannot stand beside operations.', childPointer('', name))
  }
  const { meta } = document
  for (const name of ['operation', 'matchFields']) {
    if (!isObject(meta) || !Object.hasOwn(meta, name)) continue
    throw malformedDocument('It belongs into the "meta" of the operation.', childPointer('/meta', name))
  }
  const list = document[OPERATIONS]
  const at = `/${OPERATIONS}`
  if (!Array.isArray(list) || list.length === 0) {
    throw malformedDocument(
      `The body needs "${OPERATIONS}": a list of operations, one at least.`,
      list === undefined ? '' : at,
    )
  }
  if (list.length > most) {
    const detail = limitMessage('operations', `A request may have at most ${most} operations.`)
    throw new RequestError(errorAt('limit-exceeded', at, detail))
  }
  return list.map((operation: unknown, index) => readOperation(operation, childPointer(at, index), localIds, places))
}

function readOperation(given: unknown, at: string, localIds: LocalIds, places: TargetParser): AtomicOperation {
  const form = readForm(given, at)
  const { op, ref, href, data, meta } = form
  const place = placeOf(form, at, places)
  const { model, relationship } = place
  const isAdded = op === 'add' && relationship === undefined
  const target = isAdded ? undefined : place.target
  requireTarget(form, place, at)
  requireData(form, relationship, at)
  // One member of a list may stand for the list, as some clients send it.
  const isOneOfMany =
    op !== 'update' &&
    relationship !== undefined &&
    isObject(data) &&
    model.relationships.get(relationship)?.relation.many === true
  const document = {
    ...(data !== undefined && { data: isOneOfMany ? [data] : data }),
    ...(meta !== undefined && { meta }),
  }
  deserialize(document, meta?.['serialization'], { pointer: childPointer(childPointer(at, 'meta'), 'serialization') })
  const within = childPointer(at, 'data')
  localIds.requireKnown(target, model.type, ref === undefined && href === undefined ? within : childPointer(at, 'ref'))
  if (op === 'update' && relationship === undefined && isObject(data)) {
    localIds.requireKnown(parseIdentity(data, within), model.type, within)
  }
  localIds.requireLinked(data, within, relationship !== undefined)
  const lid = isAdded ? localIds.assign(data, model.type, within) : undefined
  return { op, model, target, relationship, document, lid, isOneOfMany }
}

/** The members of an operation. */
interface Form {
  readonly op: OperationCode
  readonly ref: unknown
  readonly href: unknown
  readonly data: unknown
  readonly meta: JsonObject | undefined
}

function readForm(given: unknown, at: string): Form {
  if (!isObject(given)) throw malformedDocument('An operation must be an object.', at)
  const { op, ref, href, data, meta } = given
  assertKnownMembers(given, ['op', 'ref', 'href', 'data', 'meta'], at)
  if (op !== 'add' && op !== 'update' && op !== 'remove') {
    throw malformedDocument(
      'Its "op" must be "add", "update" or "remove".',
      op === undefined ? at : childPointer(at, 'op'),
    )
  }
  if (meta !== undefined && !isObject(meta)) throw malformedDocument('It must be an object.', childPointer(at, 'meta'))
  if (ref !== undefined && href !== undefined) throw malformedDocument('It has "ref" or "href", and not both.', at)
  return { op, ref, href, data, meta }
}

/** Where there is neither `ref` nor `href`, the resource itself says what it is. */
function placeOf({ op, ref, href, data }: Form, at: string, places: TargetParser): OperationTarget {
  if (ref !== undefined) return places.ofRef(ref, childPointer(at, 'ref'))
  if (href !== undefined) return places.ofHref(href, childPointer(at, 'href'))
  if (op === 'remove') throw malformedDocument('It needs a "ref", or the "href" of a resource or a relationship.', at)
  return places.ofData(data, op === 'update', childPointer(at, 'data'))
}

/** Refuses an operation that does not say which resource it changes, and one that adds a resource where there is one. */
function requireTarget({ op, ref, href, data }: Form, { target, relationship }: OperationTarget, at: string): void {
  if (op === 'add' && relationship === undefined) {
    if (href !== undefined && target)
      throw malformedDocument('Resources are added to a collection.', childPointer(at, 'href'))
    // It says nothing more then, but some clients send it.
    if (ref !== undefined) requireSame(ref, data, at)
    return
  }
  if (target) return
  if (ref !== undefined) throw malformedDocument('It needs "id" or "lid".', childPointer(at, 'ref'))
  if (href === undefined) throw malformedDocument('It needs "id" or "lid".', childPointer(at, 'data'))
  throw malformedDocument(
    'It leads to a collection, and not to a resource or a relationship.',
    childPointer(at, 'href'),
  )
}

function requireData({ op, data }: Form, relationship: string | undefined, at: string): void {
  const isRemoved = op === 'remove' && relationship === undefined
  if (isRemoved && data !== undefined) throw malformedDocument('What is removed has no data.', childPointer(at, 'data'))
  if (!isRemoved && data === undefined) throw malformedDocument('It needs data.', at)
}

/**
 * Refuses a `ref` that says of what is added something else than its data.
 * @throws RequestError 409
 */
function requireSame(ref: unknown, data: unknown, at: string): void {
  if (!isObject(ref) || !isObject(data)) return
  for (const name of ['id', 'lid']) {
    if (ref[name] === undefined || ref[name] === data[name]) continue
    const source = { pointer: childPointer(childPointer(at, 'ref'), name) }
    throw new RequestError({ code: 'id-conflict', detail: `It is not the ${name} of the data.`, source })
  }
}
