import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { decodeSegment } from '../../http/routing/mount-path.js'
import { notFoundError } from '../document/resource-errors.js'
import type { JsonObject } from '../request/request-errors.js'
import type { ResourceInput } from '../request/body/parse-resource-body.js'
import { type IdValues, uniqueWhere, parseId } from '../request/resource-id.js'
import type { RestContext } from '../rest-context.js'
import type { Relationship, RestModel } from '../rest-model.js'

/** Prepares a request to a route. */
export type Endpoint = (c: Context<ApiEnv>) => Promise<PreparedRoute>

/** A relationship of a model. Its routes have a resource of this model, the owner (parent row), in their URL. */
export interface RelationScope {
  /** The model of the owner. */
  readonly model: RestModel
  readonly relationship: Relationship
  readonly context: RestContext
}

/** The owner (parent row) of a new resource according to the URL. */
export interface UrlOwner {
  readonly model: RestModel
  /**
   * Adds the owner relationship to the body of a create, unless the body contains it. The create is then handled like any other.
   * @returns the same document if the body contains the relationship or its foreign key
   */
  addRelationship(document: JsonObject): JsonObject
  /**
   * Checks the owner in the body of a create. If the resource can have several owners and the body names others, adds the owner in the URL.
   * @throws RequestError 422 if the body names a different owner and the resource can have only one
   */
  assign(input: ResourceInput): ResourceInput
  /**
   * Rewrites an error that points to the owner relationship in the body, if that relationship came from the URL. Returns a 404 if the owner
   * was not found.
   * @param document the original body of the request
   */
  hidePointer(error: unknown, document: JsonObject): unknown
  /**
   * Whether a create failed because its owner does not exist. Queries the owner, because a foreign key error does not identify the missing
   * row.
   */
  isMissing(error: unknown, orm: unknown): Promise<boolean>
}

/** The resource that a URL refers to. */
export interface ResourceLocator {
  readonly id: IdValues
  /**
   * Returns the conditions of Prisma's `where` that limit the resource to the relationship in the URL. The response is a 404 if the resource
   * does not match them. Undefined if the URL does not contain a relationship.
   * @param update the body of an update, which must keep the resource in the relationship
   * @throws RequestError 422 if it does not
   */
  readonly scope?: (update?: ResourceInput) => readonly object[]
}

/**
 * Returns Prisma's unique `where` for a resource.
 * @throws RequestError see {@link ResourceLocator.scope}
 */
export function locatorWhere(
  model: RestModel,
  { id, scope }: ResourceLocator,
  update?: ResourceInput,
): Record<string, unknown> {
  const where = uniqueWhere(model.id, id)
  return scope ? { ...where, AND: scope(update) } : where
}

/**
 * Parses the id in the request's URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseUrlId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.req
  const end = path.indexOf('/', 1)
  return idOf(end < 0 ? path.slice(1) : path.slice(1, end), model)
}

/**
 * Parses the id of a related resource, which is the third and last segment of the URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseRelatedId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.req
  return idOf(path.slice(path.lastIndexOf('/') + 1), model)
}

function idOf(segment: string, model: RestModel): IdValues {
  const id = decodeSegment(segment)
  const values = id === undefined ? undefined : parseId(model.id, id)
  if (!values) throw notFoundError(model)
  return values
}
