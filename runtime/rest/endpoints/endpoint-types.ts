import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import type { ClientCall, PreparedRoute } from '../../http/execute-prepared-route.js'

/**
 * Parses and validates a request, and returns the arguments of its route's call. Except in nested routes, the client is resolved only after
 * the request has been parsed.
 * @throws RequestError if the request is invalid
 */
export type Endpoint = (c: Context<ApiEnv>) => Promise<PreparedRoute>

/** An {@link Endpoint} of one relation of a model. */
export type RelationEndpoint = (c: Context<ApiEnv>, relation: string) => Promise<PreparedRoute>

/** The endpoints of a model (contract 4.1). */
export interface RestEndpoints {
  /** `GET /:type`: a page of the collection. */
  readonly list: Endpoint
  /** `POST /:type`: creates a resource. */
  readonly create: (c: Context<ApiEnv>) => Promise<PreparedCreate>
  /** `GET /:type/:id` */
  readonly get: Endpoint
  /** `PATCH /:type/:id` and `PUT /:type/:id` */
  readonly update: Endpoint
  /** `DELETE /:type/:id` */
  readonly delete: Endpoint
  /** `GET /:type/:id/:relationship`: the related resource, or a page of the related resources. */
  readonly related: RelationEndpoint
  /** `POST /:type/:id/:relationship`: creates a resource as a member of the relationship. */
  readonly createMember: RelationEndpoint
  /** `GET /:type/:id/:relationship/:relatedId` */
  readonly getMember: RelationEndpoint
  /** `PATCH` and `PUT /:type/:id/:relationship/:relatedId`. For a to-one relationship: `/:type/:id/:relationship`. */
  readonly updateMember: RelationEndpoint
  /** `DELETE /:type/:id/:relationship/:relatedId` */
  readonly deleteMember: RelationEndpoint
  /** `GET /:type/:id/relationships/:relationship`: linkage only. */
  readonly linkage: RelationEndpoint
  /** `POST /:type/:id/relationships/:relationship`: adds members to a to-many relationship. */
  readonly add: RelationEndpoint
  /** `PATCH` and `PUT /:type/:id/relationships/:relationship`: replaces the whole relationship. */
  readonly replace: RelationEndpoint
  /** `DELETE /:type/:id/relationships/:relationship`: removes members from a to-many relationship. */
  readonly remove: RelationEndpoint
}

/** The prepared `POST /:type`. */
export interface PreparedCreate extends PreparedRoute {
  /**
   * Set if the body's `meta.operation` requests an upsert: updates the matching row, or creates one. Safe under concurrency. Responds with
   * 200 or 201.
   */
  readonly upsert?: (calls: UpsertCalls) => Promise<Response>
}

/** The emitted calls that an upsert makes. */
export interface UpsertCalls {
  readonly create: ClientCall
  readonly update: ClientCall
}
