import { decodeSegment } from '../../http/decode.js'
import { RequestError } from '../../errors/request-error.js'
import { deserialize } from '../../serialization/deserialize.js'
import { isObject } from '../../values/is-object.js'
import type { RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import { beyondLimit } from '../request/beyond-limit.js'
import { below, isOthers, type JsonObject, malformedDocument } from '../request/body.js'
import { idText, inexactId, isInexact } from '../request/linkage.js'
import type { LocalIds } from './local-ids.js'
import { OPERATIONS, RESULTS } from './members.js'

/** What an operation does. */
export type OperationCode = 'add' | 'update' | 'remove'

/** The identity of a resource: its id, or the local one that an earlier operation of the same request gave. */
export type Identity = { readonly id: string } | { readonly lid: string }

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
 * @throws RequestError 400, 404 or 409 with a pointer
 */
export function readOperations(
  document: JsonObject,
  localIds: LocalIds,
  context: RestContext,
): readonly AtomicOperation[] {
  const { operations: most } = context.settings.limits
  for (const name of ['data', RESULTS]) {
    if (document[name] !== undefined) throw malformedDocument('It cannot stand beside operations.', below('', name))
  }
  const { meta } = document
  for (const name of ['operation', 'matchFields']) {
    if (!isObject(meta) || !Object.hasOwn(meta, name)) continue
    throw malformedDocument('It belongs into the "meta" of the operation.', below('/meta', name))
  }
  const list = document[OPERATIONS]
  const at = `/${OPERATIONS}`
  if (!Array.isArray(list) || list.length === 0) {
    throw malformedDocument(
      `The body needs "${OPERATIONS}": a list of operations, one at least.`,
      list === undefined ? '' : at,
    )
  }
  if (list.length > most) throw beyondLimit('operations', `A request may have at most ${most} operations.`)
  return list.map((operation: unknown, index) => readOperation(operation, below(at, index), localIds, context))
}

function readOperation(given: unknown, at: string, localIds: LocalIds, context: RestContext): AtomicOperation {
  if (!isObject(given)) throw malformedDocument('An operation must be an object.', at)
  const { op, ref, href, data, meta } = given
  requireKnown(given, ['op', 'ref', 'href', 'data', 'meta'], at)
  if (op !== 'add' && op !== 'update' && op !== 'remove') {
    throw malformedDocument('Its "op" must be "add", "update" or "remove".', op === undefined ? at : below(at, 'op'))
  }
  if (meta !== undefined && !isObject(meta)) throw malformedDocument('It must be an object.', below(at, 'meta'))
  if (ref !== undefined && href !== undefined) throw malformedDocument('It has "ref" or "href", and not both.', at)
  const place =
    ref !== undefined
      ? readRef(ref, below(at, 'ref'), context)
      : href !== undefined
        ? readHref(href, below(at, 'href'), context)
        : placeOf(op, data, at, context)
  const { model, relationship } = place
  const isChange = relationship !== undefined || op === 'update'
  const isAdded = op === 'add' && relationship === undefined
  if (isAdded && href !== undefined && place.target)
    throw malformedDocument('Resources are added to a collection.', below(at, 'href'))
  // It says nothing more then, but some clients send it.
  if (isAdded && ref !== undefined) requireSame(ref, data, at)
  const target = isAdded ? undefined : place.target
  if ((isChange || op === 'remove') && !target) {
    if (ref !== undefined) throw malformedDocument('It needs "id" or "lid".', below(at, 'ref'))
    if (href === undefined) throw malformedDocument('It needs "id" or "lid".', below(at, 'data'))
    throw malformedDocument('It leads to a collection, and not to a resource or a relationship.', below(at, 'href'))
  }
  const isRemoved = op === 'remove' && relationship === undefined
  if (isRemoved && data !== undefined) throw malformedDocument('What is removed has no data.', below(at, 'data'))
  if (!isRemoved && data === undefined) throw malformedDocument('It needs data.', at)
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
  deserialize(document, meta?.['serialization'], { pointer: below(below(at, 'meta'), 'serialization') })
  localIds.requireKnown(
    target,
    model.type,
    ref === undefined && href === undefined ? below(at, 'data') : below(at, 'ref'),
  )
  if (op === 'update' && relationship === undefined && isObject(data)) {
    localIds.requireKnown(identityOf(data, below(at, 'data')), model.type, below(at, 'data'))
  }
  localIds.requireLinked(data, below(at, 'data'), relationship !== undefined)
  const lid = isAdded ? localIds.assign(data, model.type, below(at, 'data')) : undefined
  return { op, model, target, relationship, document, lid, isOneOfMany }
}

/** What an operation is about. */
interface Place {
  readonly model: RestModel
  readonly target: Identity | undefined
  readonly relationship?: string
}

function readRef(ref: unknown, at: string, context: RestContext): Place {
  if (!isObject(ref)) throw malformedDocument('It must be an object.', at)
  const { type, relationship } = ref
  requireKnown(ref, ['type', 'id', 'lid', 'relationship'], at)
  const model = modelOf(type, below(at, 'type'), context)
  const target = identityOf(ref, at)
  if (relationship === undefined) return { model, target }
  if (!target) throw malformedDocument('It needs "id" or "lid".', at)
  if (typeof relationship !== 'string') throw malformedDocument('It must be a string.', below(at, 'relationship'))
  return { model, target, relationship: relationshipOf(model, relationship, below(at, 'relationship')) }
}

/**
 * Refuses a `ref` that says of what is added something else than its data.
 * @throws RequestError 409
 */
function requireSame(ref: unknown, data: unknown, at: string): void {
  if (!isObject(ref) || !isObject(data)) return
  for (const name of ['id', 'lid']) {
    if (ref[name] === undefined || ref[name] === data[name]) continue
    const source = { pointer: below(below(at, 'ref'), name) }
    throw new RequestError({ code: 'id-conflict', detail: `It is not the ${name} of the data.`, source })
  }
}

/** Refuses members that mean nothing: what is called "relation" would be a change of the resource itself. */
function requireKnown(given: JsonObject, known: readonly string[], at: string): void {
  const odd = Object.keys(given).find((name) => !known.includes(name) && !isOthers(name))
  if (odd !== undefined)
    throw malformedDocument(`There is no such member. There are: ${known.join(', ')}.`, below(at, odd))
}

/** Where there is neither `ref` nor `href`, the resource itself says what it is. */
function placeOf(op: OperationCode, data: unknown, at: string, context: RestContext): Place {
  if (op === 'remove') throw malformedDocument('It needs a "ref", or the "href" of a resource or a relationship.', at)
  if (!isObject(data)) throw malformedDocument('It must be one resource: an object.', below(at, 'data'))
  const model = modelOf(data['type'], below(below(at, 'data'), 'type'), context)
  return { model, target: op === 'update' ? identityOf(data, below(at, 'data')) : undefined }
}

/** A URL below the endpoint: a collection, a resource, or a relationship. */
function readHref(href: unknown, at: string, context: RestContext): Place {
  const path = typeof href === 'string' ? pathBelow(href, context.settings.endpoint) : undefined
  if (path === undefined) throw malformedDocument('It must be a URL below that of this API, without a query.', at)
  const segments = path.split('/').map(decodeSegment)
  const [type, id, word, relationship] = segments
  const model = modelOf(type, at, context)
  if (segments.length === 1) return { model, target: undefined }
  if (id === '') throw malformedDocument('It leads to no collection, resource or relationship.', at)
  if (id !== undefined && segments.length === 2) return { model, target: { id } }
  if (id !== undefined && word === 'relationships' && relationship !== undefined && segments.length === 4) {
    return { model, target: { id }, relationship: relationshipOf(model, relationship, at) }
  }
  throw malformedDocument('It leads to no collection, resource or relationship.', at)
}

function pathBelow(href: string, endpoint: string): string | undefined {
  if (/[?#\s\\]/.test(href)) return undefined
  const mount = new URL(endpoint).pathname.replace(/\/$/, '')
  const prefix = [endpoint, ...(mount === '' ? [] : [mount]), ''].find((one) => href.startsWith(`${one}/`))
  const path = (prefix === undefined ? href : href.slice(prefix.length + 1)).replace(/^\.\//, '')
  return path === '' || path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path) ? undefined : path
}

function modelOf(type: unknown, at: string, { byType }: RestContext): RestModel {
  if (typeof type !== 'string') throw malformedDocument('A resource needs a type, which is a string.', at)
  const model = byType.get(type)
  if (model) return model
  throw new RequestError({
    code: 'unsupported-model',
    detail: `There is no resource type ${JSON.stringify(type.slice(0, 100))}.`,
    source: { pointer: at },
  })
}

function relationshipOf(model: RestModel, name: string, at: string): string {
  if (model.relationships.has(name)) return name
  const detail = `"${model.type}" has no relationship ${JSON.stringify(name.slice(0, 100))}.`
  throw new RequestError({ code: 'unsupported-path', detail, source: { pointer: at } })
}

function identityOf(identifier: JsonObject, at: string): Identity | undefined {
  const { id, lid } = identifier
  if (id !== undefined && lid !== undefined) throw malformedDocument('It has "id" or "lid", and not both.', at)
  if (lid !== undefined) {
    if (typeof lid === 'string' && lid !== '') return { lid }
    throw malformedDocument('It must be a string that is not empty.', below(at, 'lid'))
  }
  if (id === undefined) return undefined
  if (isInexact(id)) throw new RequestError(inexactId(below(at, 'id')))
  const text = idText(id)
  // No id is written so, nor is half of a surrogate pair in any URL.
  if (text === '' || (text !== undefined && /\p{Surrogate}/u.test(text))) {
    throw new RequestError({
      code: 'not-found',
      detail: 'There is no resource with this id.',
      source: { pointer: below(at, 'id') },
    })
  }
  if (text !== undefined) return { id: text }
  throw malformedDocument('It must be a string.', below(at, 'id'))
}
