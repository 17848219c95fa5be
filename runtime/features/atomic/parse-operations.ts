import { RequestError } from '../../errors/request-error.js'
import { limitMessage } from '../../limits.js'
import { deserialize } from '../../serialization/deserialize.js'
import { isObject } from '../../values/is-object.js'
import type { RestModel } from '../../rest/rest-model.js'
import { type JsonObject, errorAt, malformedDocument, childPointer } from '../../rest/request/request-errors.js'
import { type Identity, parseIdentity, type LocalIds } from './local-ids.js'
import { OPERATIONS, RESULTS } from './atomic-media-type.js'
import type { OperationRoutes, RouteOperationTarget } from '../../rest/custom/custom-rest-routes.js'
import { type OperationTarget, type TargetParser, assertAllowedMembers } from './operation-target.js'

/** The code of an operation. */
export type OperationCode = 'add' | 'update' | 'remove'

/**
 * An operation with a valid structure. The router validates its contents later, except for the body and query of a declared route.
 */
export type AtomicOperation = OperationParts &
  (
    | {
        readonly model: RestModel
        readonly routePath?: undefined
      }
    | {
        /** Undefined if the group of the route has no model. */
        readonly model: RestModel | undefined
        /** The path of the declared route that the operation calls. Undefined if it changes a resource or a relationship. */
        readonly routePath: string
      }
  )

interface OperationParts {
  readonly op: OperationCode
  /**
   * The resource that the operation changes, or whose relationship it changes. Undefined for an added resource, and for a declared route,
   * unless its path contains `:id` for a local id.
   */
  readonly target: Identity | undefined
  /** The relationship that the operation changes. */
  readonly relationship?: string | undefined
  /** `data` and `meta`, as in the body of a separate request. For a declared route, `meta` and its validated `body` and `query`. */
  readonly document: JsonObject
  /** The local id of the added or updated resource. An update may change its id. */
  readonly lid?: string | undefined
  /** Whether `data` in the request contains a single resource identifier instead of a list. */
  readonly isOneOfMany?: boolean
}

/**
 * Parses the operations of a document (Atomic Operations, "Document Structure").
 * @param localIds registers the local ids that operations assign and validates those that they use
 * @param routes the declared routes that operations can call
 * @param max maximum number of operations
 * @throws RequestError 400, 404, 409 or 422 with a pointer
 */
export async function parseOperations(
  document: JsonObject,
  localIds: LocalIds,
  targetParser: TargetParser,
  routes: OperationRoutes | undefined,
  max: number,
): Promise<readonly AtomicOperation[]> {
  for (const name of ['data', RESULTS]) {
    if (document[name] !== undefined)
      throw malformedDocument(`"${name}" is not allowed together with "${OPERATIONS}".`, childPointer('', name))
  }
  const { meta } = document
  for (const name of ['operation', 'matchFields']) {
    if (isObject(meta) && Object.hasOwn(meta, name))
      throw malformedDocument('Must be in the "meta" of the operation.', childPointer('/meta', name))
  }
  const list = document[OPERATIONS]
  const pointer = `/${OPERATIONS}`
  if (!Array.isArray(list) || list.length === 0) {
    throw malformedDocument(
      `The body must contain "${OPERATIONS}": a list of at least one operation.`,
      list === undefined ? '' : pointer,
    )
  }
  if (list.length > max) {
    const detail = limitMessage('operations', `A request can have at most ${max} operations.`)
    throw new RequestError(errorAt('limit-exceeded', pointer, detail))
  }
  const operations: AtomicOperation[] = []
  for (const [index, operation] of list.entries()) {
    operations.push(await parseOperation(operation, childPointer(pointer, index), localIds, targetParser, routes))
  }
  return operations
}

function parseOperation(
  input: unknown,
  pointer: string,
  localIds: LocalIds,
  targetParser: TargetParser,
  routes: OperationRoutes | undefined,
): AtomicOperation | Promise<AtomicOperation> {
  const form = parseForm(input, pointer)
  const { op, ref, href, data, meta } = form
  if (routes && typeof href === 'string' && !href.includes('#')) {
    const path = targetParser.toPath(href.replace(/\?.*/s, ''))
    const route = path === undefined ? undefined : routes.parse({ ...form, url: href }, `/${path}`, pointer)
    if (route) return toRouteOperation(op, `/${path}`, route, localIds, pointer)
  }
  const operationTarget = parseTarget(form, pointer, targetParser)
  const { model, relationship } = operationTarget
  const isCreate = op === 'add' && relationship === undefined
  const target = isCreate ? undefined : operationTarget.target
  assertTarget(form, operationTarget, pointer)
  assertData(form, relationship, pointer)
  // Some clients send a single resource identifier instead of a list.
  const isOneOfMany =
    op !== 'update' &&
    relationship !== undefined &&
    isObject(data) &&
    model.relationships.get(relationship)?.relation.many === true
  const document = {
    ...(data !== undefined && { data: isOneOfMany ? [data] : data }),
    ...(meta !== undefined && { meta }),
  }
  deserialize(document, meta?.['serialization'], {
    pointer: childPointer(childPointer(pointer, 'meta'), 'serialization'),
  })
  const dataPointer = childPointer(pointer, 'data')
  localIds.assertAssigned(
    target,
    model.type,
    ref === undefined && href === undefined ? dataPointer : childPointer(pointer, 'ref'),
  )
  if (op === 'update' && relationship === undefined && isObject(data)) {
    localIds.assertAssigned(parseIdentity(data, dataPointer), model.type, dataPointer)
  }
  localIds.assertLinkageAssigned(data, dataPointer, relationship !== undefined)
  const isUpdated = op === 'update' && relationship === undefined && target && 'lid' in target
  const lid = isCreate ? localIds.assign(data, model.type, dataPointer) : isUpdated ? target.lid : undefined
  return { op, model, target, relationship, document, lid, isOneOfMany }
}

async function toRouteOperation(
  op: OperationCode,
  routePath: string,
  route: Promise<RouteOperationTarget>,
  localIds: LocalIds,
  pointer: string,
): Promise<AtomicOperation> {
  const call = await route
  localIds.assertAssigned(call.target, call.model?.type ?? '', childPointer(pointer, 'meta'))
  return { op, routePath, ...call }
}

/** The members of an operation. */
interface Form {
  readonly op: OperationCode
  readonly ref: unknown
  readonly href: unknown
  readonly data: unknown
  readonly meta: JsonObject | undefined
}

function parseForm(input: unknown, pointer: string): Form {
  if (!isObject(input)) throw malformedDocument('An operation must be an object.', pointer)
  const { op, ref, href, data, meta } = input
  assertAllowedMembers(input, ['op', 'ref', 'href', 'data', 'meta'], pointer)
  if (op !== 'add' && op !== 'update' && op !== 'remove') {
    throw malformedDocument(
      'Its "op" must be "add", "update" or "remove".',
      op === undefined ? pointer : childPointer(pointer, 'op'),
    )
  }
  if (meta !== undefined && !isObject(meta))
    throw malformedDocument('Must be an object.', childPointer(pointer, 'meta'))
  if (ref !== undefined && href !== undefined) throw malformedDocument('Must not have both "ref" and "href".', pointer)
  return { op, ref, href, data, meta }
}

/** Parses the target of an operation. Without `ref` and `href`, it is the resource in `data`. */
function parseTarget({ op, ref, href, data }: Form, pointer: string, targetParser: TargetParser): OperationTarget {
  if (ref !== undefined) return targetParser.fromRef(ref, childPointer(pointer, 'ref'))
  if (href !== undefined) return targetParser.fromHref(href, childPointer(pointer, 'href'))
  if (op === 'remove')
    throw malformedDocument('Must have "ref", or "href" with the URL of a resource or a relationship.', pointer)
  return targetParser.fromData(data, op === 'update', childPointer(pointer, 'data'))
}

/** Checks that an operation identifies the resource to change or, if it adds a resource, that it does not identify an existing one. */
function assertTarget({ op, ref, href, data }: Form, { target, relationship }: OperationTarget, pointer: string): void {
  if (op === 'add' && relationship === undefined) {
    if (href !== undefined && target)
      throw malformedDocument('Must be the URL of a collection.', childPointer(pointer, 'href'))
    // A `ref` is redundant for an added resource, but some clients send it.
    if (ref !== undefined) assertSameResource(ref, data, pointer)
    return
  }
  if (target) return
  if (ref !== undefined || href === undefined)
    throw malformedDocument('Must have "id" or "lid".', childPointer(pointer, ref === undefined ? 'data' : 'ref'))
  throw malformedDocument('Must be the URL of a resource or a relationship.', childPointer(pointer, 'href'))
}

function assertData({ op, data }: Form, relationship: string | undefined, pointer: string): void {
  const isRemoved = op === 'remove' && relationship === undefined
  if (isRemoved && data !== undefined)
    throw malformedDocument('An operation that removes a resource must not have "data".', childPointer(pointer, 'data'))
  if (!isRemoved && data === undefined) throw malformedDocument('Must have "data".', pointer)
}

/**
 * Checks that the `ref` of an added resource does not contradict its data.
 * @throws RequestError 409 if the id or local id differs
 */
function assertSameResource(ref: unknown, data: unknown, pointer: string): void {
  if (!isObject(ref) || !isObject(data)) return
  for (const name of ['id', 'lid']) {
    if (ref[name] === undefined || ref[name] === data[name]) continue
    const detail = `The ${name} differs from the ${name} in "data".`
    throw new RequestError(errorAt('id-conflict', childPointer(childPointer(pointer, 'ref'), name), detail))
  }
}
