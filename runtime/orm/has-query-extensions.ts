import { isObject } from '../values/is-object.js'

/** Prisma's undocumented properties that list a client's extensions. */
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
 * Whether the client has app extensions that intercept queries (`query` or `model`). If a call fails, the effects of such an extension are
 * unknown: it may have written with a different client or sent an email.
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
