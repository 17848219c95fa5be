import { policyCheckOf } from './allows.js'
import { isInTransaction } from './transactions.js'

/** The member of a client with read replicas that gives the client of the primary: `@prisma/extension-read-replicas` has it. */
export const PRIMARY = '$primary'

/** What of a client tells its read replicas. All but the first two are none of Prisma's documented members. */
interface PrismaLike {
  $primary?(): unknown
  $extends?(extension: object): object
  readonly _extensions?: { readonly head?: Layer | undefined }
  readonly _appliedParent?: PrismaLike
}

interface Layer {
  readonly extension: { readonly client?: Readonly<Record<string, unknown>> }
  readonly previous?: Layer | undefined
}

/** Where a client got its read replicas. */
interface Replicas {
  /** The client as it was with them and nothing after them. */
  readonly at: PrismaLike
  /** The extension that added them. Undefined where the client is none of Prisma's. */
  readonly extension: Layer['extension'] | undefined
  /** What the client was extended with after that. */
  readonly later: readonly object[]
}

const known = new WeakMap<object, object>()

/**
 * The client for whatever belongs to a write. With read replicas, a read goes to one of them, which may not have yet what this request,
 * or the one before it, has written. A client without replicas is its own primary, and so is one inside a transaction, which is on the
 * primary already.
 *
 * What `$primary` gives is the client that the replicas were put on. What was put on after them, as computed fields, is put on it again.
 * @throws Error where `$primary` gives no client, or one without the access policies that the client has
 */
export function getPrimary(client: object): object
export function getPrimary(client: unknown): unknown
export function getPrimary(client: unknown): unknown {
  if (typeof client !== 'object' || client === null) return client
  const found = known.get(client) ?? readPrimary(client)
  known.set(client, found)
  return found
}

/**
 * Lets a client that was made of a primary read from the replicas of another one. They have to come last: what is put on after them is
 * asked about no read, which goes to a replica at once.
 * @param given has the replicas, or has none
 * @param made of its primary
 */
export function withReplicas<C extends object>(given: object, made: C): C {
  // Known after the first time: hooks ask for each request.
  const replicas = getPrimary(given) === given ? undefined : replicasOf(given)?.extension
  if (!replicas) return made
  return extended(made, {
    ...replicas,
    client: {
      ...replicas.client,
      [PRIMARY](this: object) {
        return isInTransaction(this) ? this : made
      },
    },
  })
}

function readPrimary(client: PrismaLike): object {
  const replicas = replicasOf(client)
  if (!replicas) return client
  const { at, later } = replicas
  const beneath = at.$primary?.()
  if (typeof beneath !== 'object' || beneath === null) throw new Error(`"${PRIMARY}" of the client gives no client.`)
  const primary = later.reduce(extended, beneath)
  if (!policyCheckOf(client) || policyCheckOf(primary)) return primary
  throw new Error(`"${PRIMARY}" of the client gives one without its access policies.`)
}

/** @returns undefined where a client has none, or is inside a transaction */
function replicasOf(client: PrismaLike): Replicas | undefined {
  if (typeof client.$primary !== 'function' || isInTransaction(client)) return undefined
  const later: object[] = []
  let at = client
  for (let layer = client._extensions?.head; layer; layer = layer.previous) {
    const { extension } = layer
    if (extension.client && PRIMARY in extension.client) return { at, extension, later }
    if (!at._appliedParent) break
    later.unshift(extension)
    at = at._appliedParent
  }
  return { at: client, extension: undefined, later: [] }
}

function extended<C extends object>(client: C, extension: object): C {
  const extendable = client as { $extends(extension: object): C }
  return extendable.$extends(extension)
}
