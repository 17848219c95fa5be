import { isObject } from '../values/is-object.js'

/** What of a client tells how it was extended. None of Prisma's documented members. */
interface PrismaLike {
  readonly _extensions?: { readonly head?: Layer | undefined }
}

interface Layer {
  readonly extension: {
    readonly name?: string
    readonly client?: unknown
    readonly model?: unknown
    readonly query?: unknown
  }
  readonly previous?: Layer | undefined
}

/** The name of our own extensions, which undo what they did where a call fails. */
export const INTERNAL_EXTENSION = 'routewright'

/**
 * Whether an app's own code stands between a call of the client and the database: extensions with `query` or `model`. What that has
 * done by the time that a call fails is not known: it may have written by another client, or sent a mail.
 */
export function hasQueryExtensions(client: unknown): boolean {
  if (typeof client !== 'object' || client === null) return false
  const { _extensions: extensions }: PrismaLike = client
  for (let layer = extensions?.head; layer; layer = layer.previous) {
    const { extension } = layer
    if ((extension.query || extension.model) && extension.name !== INTERNAL_EXTENSION && !isReplicas(extension.client))
      return true
  }
  return false
}

/** `@prisma/extension-read-replicas`, which chooses a client and does nothing else. It has no name. */
function isReplicas(members: unknown): boolean {
  return isObject(members) && '$primary' in members && '$replica' in members
}
