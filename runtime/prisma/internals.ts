import { isObject } from '../values/is-object.js'
import type { Model } from '../schema/model.js'

/** A client extension, as passed to `$extends`. */
export interface Extension {
  readonly name?: string
  readonly client?: Readonly<Record<string, unknown>>
  readonly model?: unknown
  readonly query?: unknown
}

/** A result field that a client extension computes (`$extends({ result })`). */
export interface ComputedField {
  readonly name: string
  /** The schema fields that it depends on, directly or through other computed fields. */
  readonly needs: readonly string[]
}

/** The computed fields of a model, by name. The object is the same for clients with the same extensions. */
export type ComputedFields = Readonly<Record<string, ComputedField>>

/** The transaction of a call. */
export interface OpenTransaction {
  /** An interactive transaction of the app, or a list of calls in a batch. */
  readonly kind: 'itx' | 'batch'
  readonly id: unknown
}

/** Prisma's settings for transactions. The times are in milliseconds. */
export interface TransactionOptions {
  readonly maxWait?: number
  readonly timeout?: number
  readonly isolationLevel?: string
}

/**
 * All members of Prisma's clients that the runtime reads and Prisma does not document. They may be missing in another version of Prisma,
 * and in clients of other ORMs.
 */
interface Internals {
  readonly _activeProvider?: string
  readonly _appliedParent?: object
  readonly _engineConfig?: { readonly transactionOptions?: TransactionOptions }
  readonly _extensions?: {
    readonly head?: Layer | undefined
    isEmpty?(): boolean
    getAllComputedFields?(model: string): ComputedFields | undefined
  }
  _createItxClient?(transaction: OpenTransaction, scope: string, state: { readonly stack: string[] }): object
}

interface Layer {
  readonly extension: Extension
  readonly previous?: Layer | undefined
}

const internalsOf = (client: unknown): Internals => (typeof client === 'object' && client !== null ? client : {})

/** Returns Prisma's name for the client's database, for example `postgresql`. Undefined if it is unknown. */
export function providerOf(client: unknown): string | undefined {
  return internalsOf(client)._activeProvider
}

/** Returns the extensions of a client, the last one first. Empty if they are unknown. */
export function extensionsOf(client: unknown): readonly Extension[] {
  const extensions: Extension[] = []
  for (let layer = internalsOf(client)._extensions?.head; layer; layer = layer.previous)
    extensions.push(layer.extension)
  return extensions
}

/** Returns the client without its last extension, in the same transaction. Undefined if it is unknown. */
export function parentOf(client: object): object | undefined {
  return internalsOf(client)._appliedParent
}

/** Returns the client's own settings for transactions. Empty if they are unknown. */
export function transactionOptionsOf(client: object): TransactionOptions {
  return internalsOf(client)._engineConfig?.transactionOptions ?? {}
}

/**
 * Returns a client inside an existing transaction.
 * @throws Error if the version of Prisma does not support it
 */
export function clientInTransaction(client: object, transaction: OpenTransaction): object {
  // Called on the client, because the method uses its `this`.
  const prisma = internalsOf(client)
  if (typeof prisma._createItxClient !== 'function') {
    throw new Error('This version of Prisma does not support access policies inside an open transaction.')
  }
  const scope = crypto.randomUUID()
  return prisma._createItxClient(transaction, scope, { stack: [scope] })
}

/**
 * Returns the client without any extensions, in the same transaction. Policies, hooks and extensions of the app do not apply to it.
 * @throws Error if the version of Prisma does not support it
 */
export function baseClient(client: object): object {
  return extensionsOf(client).reduce<object>((current) => {
    const parent = parentOf(current)
    if (!parent) throw new Error('This version of Prisma does not expose the client without its extensions.')
    return parent
  }, client)
}

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

/** Returns the computed fields of the model with the given delegate. */
export type ComputedLookup = (delegate: string) => ComputedFields | undefined

/** The parts of a client's extensions that requests need. */
interface ExtensionInfo {
  /** Whether the client is known to have no extensions. */
  readonly isEmpty: boolean
  /** Undefined if there are no extensions, or if they are unknown. */
  readonly lookup: ComputedLookup | undefined
}

/** Cached per client, because access to a Prisma client goes through its proxies, which is slow, especially inside a transaction. */
const extensionInfo = new WeakMap<object, ExtensionInfo>()

function extensionInfoOf(client: unknown): ExtensionInfo | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const cached = extensionInfo.get(client)
  if (cached) return cached
  const extensions = internalsOf(client)._extensions
  const isEmpty = extensions?.isEmpty?.() ?? false
  const lookup = isEmpty
    ? undefined
    : extensions?.getAllComputedFields && ((delegate: string) => extensions.getAllComputedFields?.(delegate))
  const info = { isEmpty, lookup }
  extensionInfo.set(client, info)
  return info
}

/**
 * Returns the lookup of a client's computed fields.
 * @param client a Prisma client; computed fields of other clients are not detected
 * @returns undefined if there are no extensions
 */
export function computedLookup(client: unknown): ComputedLookup | undefined {
  return extensionInfoOf(client)?.lookup
}

/** Whether a client is known to have no extensions, so that all queries for the same rows return the same result. */
export function hasNoExtensions(client: unknown): boolean {
  return extensionInfoOf(client)?.isEmpty ?? false
}

/** Whether a computed field depends on a hidden or write-only field. */
export function exposesHiddenField({ needs }: ComputedField, { omit = {} }: Model): boolean {
  return needs.some((name) => Object.hasOwn(omit, name))
}
