import { idFields, type Schema } from '../schema/model.js'
import { ping } from './ping.js'
import { getPrimary } from './replicas.js'
import { type QueryDeadline, withQueryDeadline } from './with-query-deadline.js'

/** Functions for clients that are only needed with certain handler options. */
export interface RequestClients {
  /** See `with-query-deadline.ts`. */
  readonly wrap: (client: unknown, deadline: QueryDeadline) => unknown
  /** See `ping.ts`. */
  readonly ping: (client: unknown) => Promise<void>
}

/** @param schema its first model is queried by `ping` if a client does not support raw SQL */
export function requestClients(schema: Schema): RequestClients {
  return {
    wrap: withQueryDeadline,
    async ping(client) {
      for (const model of schema.values()) return ping(getPrimary(client), model, idFields(model)[0] ?? '')
    },
  }
}
