import type { ClientCall, PreparedRoute } from '../../http/execute-prepared-route.js'

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
