import { policyCheckOf } from './policy-check.js'
import { type Extension, extensionsOf, parentOf } from './internals.js'
import { isInTransaction } from './transactions/transactions.js'

/** The name of the method that returns the primary's client. `@prisma/extension-read-replicas` adds it to clients with read replicas. */
export const PRIMARY = '$primary'

/** A client that may have read replicas. */
interface PrismaLike {
  $primary?(): unknown
}

/** The read replicas of a client. */
interface Replicas {
  /** The client right after the replicas extension was added. */
  readonly client: PrismaLike
  /** The extension that added the replicas. Undefined if the client is not a Prisma client. */
  readonly extension: Extension | undefined
  /** The extensions that were added after the replicas extension. */
  readonly later: readonly Extension[]
}

const primaries = new WeakMap<object, object>()

/**
 * Returns the client to use for everything that belongs to a write. With read replicas, reads go to a replica, which may not yet
 * have the changes made by this request or a previous one. A client without replicas is its own primary, and so is a client inside a
 * transaction, which already uses the primary.
 *
 * `$primary` returns the client to which the replicas were added. Extensions that were added later, such as computed fields, are added
 * again.
 * @throws Error if `$primary` does not return a client, or returns one without the access policies of the given client
 */
export function getPrimary(client: object): object
export function getPrimary(client: unknown): unknown
export function getPrimary(client: unknown): unknown {
  if (typeof client !== 'object' || client === null) return client
  const found = primaries.get(client) ?? readPrimary(client)
  primaries.set(client, found)
  return found
}

/**
 * Adds the read replicas of another client to a client that was derived from its primary. Must be the last extension, because later
 * extensions do not see reads that go to a replica.
 * @param source the client with or without replicas
 * @param client a client derived from the primary of `source`
 */
export function withReplicas<C extends object>(source: object, client: C): C {
  // Hooks call this function for each request, so the cache of `getPrimary` matters.
  const replicas = getPrimary(source) === source ? undefined : replicasOf(source)?.extension
  if (!replicas) return client
  return extended(client, {
    ...replicas,
    client: {
      ...replicas.client,
      [PRIMARY](this: object) {
        return isInTransaction(this) ? this : client
      },
    },
  })
}

function readPrimary(client: PrismaLike): object {
  const replicas = replicasOf(client)
  if (!replicas) return client
  const { client: replicated, later } = replicas
  const base = replicated.$primary?.()
  if (typeof base !== 'object' || base === null) throw new Error(`The client's "${PRIMARY}" must return a client.`)
  const primary = later.reduce(extended, base)
  if (!policyCheckOf(client) || policyCheckOf(primary)) return primary
  throw new Error(`The client's "${PRIMARY}" must return a client with the same access policies.`)
}

/** @returns undefined if the client has no replicas or is inside a transaction */
function replicasOf(client: PrismaLike): Replicas | undefined {
  if (typeof client.$primary !== 'function' || isInTransaction(client)) return undefined
  const later: Extension[] = []
  let current: object = client
  for (const extension of extensionsOf(client)) {
    if (extension.client && PRIMARY in extension.client) return { client: current, extension, later }
    const parent = parentOf(current)
    if (!parent) break
    later.unshift(extension)
    current = parent
  }
  return { client, extension: undefined, later: [] }
}

function extended<C extends object>(client: C, extension: object): C {
  const extendable = client as { $extends(extension: object): C }
  return extendable.$extends(extension)
}
