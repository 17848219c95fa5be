import { isObject } from '../values/is-object.js'

/** Prisma's undocumented members that list a client's extensions. */
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

/** The name of the runtime's extensions, whose effects are rolled back if a call fails. */
export const INTERNAL_EXTENSION = 'routewright'

/**
 * Whether the client has app extensions that intercept queries (`query` or `model`). The effects of such an extension before a call fails
 * are unknown: it may have written with another client or sent an email.
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

/** Recognizes `@prisma/extension-read-replicas`, which only chooses a client. It has no name. */
function isReplicas(members: unknown): boolean {
  return isObject(members) && '$primary' in members && '$replica' in members
}
