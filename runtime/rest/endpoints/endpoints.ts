import type { Context } from 'hono'

import type { ApiEnv } from '../../http/api-handler.js'
import type { ClientCall, PreparedRoute } from '../../http/execute-route.js'

/**
 * Understands a request: reads and checks it, and gives the arguments of the call that its route makes.
 * @throws RequestError where the request cannot be served; the client is not asked for then
 */
export type Endpoint = (c: Context<ApiEnv>) => Promise<PreparedRoute>

/** An {@link Endpoint} of one relation of a model. */
export type RelationEndpoint = (c: Context<ApiEnv>, relation: string) => Promise<PreparedRoute>

/** The endpoints of a model (contract 4.1). */
export interface RestEndpoints {
  /** `GET /:type`: a page of the collection. */
  readonly list: Endpoint
  /** `POST /:type`: a new resource. */
  readonly create: (c: Context<ApiEnv>) => Promise<PreparedCreate>
  /** `GET /:type/:id` */
  readonly get: Endpoint
  /** `PATCH /:type/:id` and `PUT /:type/:id` */
  readonly update: Endpoint
  /** `DELETE /:type/:id` */
  readonly delete: Endpoint
  /** `GET /:type/:id/:relationship`: the related resource, or a page of the related resources. */
  readonly related: RelationEndpoint
  /** `POST /:type/:id/:relationship`: a new resource that is a member from the start. */
  readonly createMember: RelationEndpoint
  /** `GET /:type/:id/:relationship/:relatedId` */
  readonly getMember: RelationEndpoint
  /** `PATCH` and `PUT /:type/:id/:relationship/:relatedId`; of a to-one relationship `/:type/:id/:relationship`. */
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

/** What a `POST /:type` asks for. */
export interface PreparedCreate extends PreparedRoute {
  /**
   * Where the body's `meta.operation` asks for an upsert: updates the row that matches, or creates one; safe under concurrency.
   * Answers 200 or 201.
   */
  readonly upsert?: (calls: UpsertCalls) => Promise<Response>
}

/** The emitted calls that an upsert is made of. */
export interface UpsertCalls {
  readonly create: ClientCall
  readonly update: ClientCall
}
