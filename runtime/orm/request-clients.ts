import { idFields, type Schema } from '../schema/schema.js'
import { ping } from './ping.js'
import { getPrimary } from './primary.js'
import { type QueryDeadline, withDeadline } from './deadline-client.js'

/** What is done with clients where a handler's options ask for it. */
export interface RequestClients {
  /** See `deadline-client.ts`. */
  readonly watch: (client: unknown, life: QueryDeadline) => unknown
  /** See `ping.ts`. */
  readonly ping: (client: unknown) => Promise<void>
}

/** @param schema the first of its models is asked for where a client has no SQL */
export function requestClients(schema: Schema): RequestClients {
  return {
    watch: withDeadline,
    async ping(client) {
      for (const model of schema.values()) return ping(getPrimary(client), model, idFields(model)[0] ?? '')
    },
  }
}
