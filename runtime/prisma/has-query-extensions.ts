import { isObject } from '../values/is-object.js'
import { extensionsOf } from './internals.js'

/** The name of the runtime's extensions, whose effects are rolled back if a call fails. */
export const INTERNAL_EXTENSION = 'routewright'

/**
 * Whether the client has app extensions that intercept queries (`query` or `model`). If a call fails, the effects of such an extension are
 * unknown: it may have written with a different client or sent an email.
 */
export function hasQueryExtensions(client: unknown): boolean {
  return extensionsOf(client).some(
    ({ name, query, model, client: members }) =>
      (query || model) && name !== INTERNAL_EXTENSION && !isReplicas(members),
  )
}

/** Recognizes `@prisma/extension-read-replicas`, which only chooses a client. It has no name. */
function isReplicas(members: unknown): boolean {
  return isObject(members) && '$primary' in members && '$replica' in members
}
