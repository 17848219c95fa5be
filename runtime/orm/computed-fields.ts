import { type ComputedNames, SOURCE_CLIENT } from '../schema/parse-computed.js'
import type { Model, Schema } from '../schema/model.js'

/** A result field that a client extension computes (`$extends({ result })`). */
export interface ComputedField {
  readonly name: string
  /** The schema fields that it depends on, directly or through other computed fields. */
  readonly needs: readonly string[]
}

/** The computed fields of a model, by name. The object is the same for clients with the same extensions. */
export type ComputedFields = Readonly<Record<string, ComputedField>>

/** Returns the computed fields of the model with the given delegate. */
export type ComputedLookup = (delegate: string) => ComputedFields | undefined

/** Prisma's undocumented properties that list a client's extensions. */
interface PrismaLike {
  readonly _extensions?: {
    isEmpty?(): boolean
    getAllComputedFields?(model: string): ComputedFields | undefined
  }
}

/**
 * Caches the lookup per client, because access to a Prisma client goes through its proxies, which is slow, especially inside a transaction.
 */
const lookupCache = new WeakMap<object, { readonly lookup: ComputedLookup | undefined }>()

/**
 * Returns the lookup of a client's computed fields.
 * @param client a Prisma client; computed fields of other clients are not detected
 * @returns undefined if there are no extensions
 */
export function computedLookup(client: unknown): ComputedLookup | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const found = lookupCache.get(client) ?? { lookup: readLookup(client) }
  lookupCache.set(client, found)
  return found.lookup
}

function readLookup(client: PrismaLike): ComputedLookup | undefined {
  const { _extensions: extensions } = client
  if (!extensions?.getAllComputedFields || extensions.isEmpty?.()) return undefined
  return (delegate) => extensions.getAllComputedFields?.(delegate)
}

/** Whether a computed field depends on a hidden or write-only field. */
export function exposesHiddenField({ needs }: ComputedField, { omit = {} }: Model): boolean {
  return needs.some((name) => Object.hasOwn(omit, name))
}

/** Checks that a client can serve the exposed computed fields. Throws an Error if it cannot. */
export type CheckClient = (client: unknown) => void

/**
 * Creates a check that a client has the exposed computed fields, and that they do not depend on hidden or write-only fields. Each client is
 * checked once, and clients with the same extensions are not checked again.
 * @param option if it carries a client, that client is checked immediately
 * @returns undefined if no computed field is exposed
 * @throws Error if that client fails the check
 */
export function clientCheck(schema: Schema, option: ComputedNames | undefined): CheckClient | undefined {
  const models = [...schema.values()].filter(({ computed }) => computed.size > 0)
  if (models.length === 0) return undefined
  const checked = new WeakSet<object>()
  const check: CheckClient = (client) => {
    const lookup = computedLookup(client)
    for (const model of models) {
      const fields = lookup?.(model.delegate) ?? {}
      if (checked.has(fields)) continue
      for (const name of model.computed) checkField(model, name, fields)
      checked.add(fields)
    }
  }
  if (option && SOURCE_CLIENT in option) check(option[SOURCE_CLIENT])
  return check
}

function checkField(model: Model, name: string, fields: ComputedFields): void {
  const what = `computed.${model.name}: "${name}"`
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) {
    const available = Object.keys(fields).join(', ')
    const hint = `Computed fields of ${model.name}: ${available === '' ? 'none' : available}.`
    throw new Error(`${what} is not a computed field of the client. ${hint}`)
  }
  const needed = field.needs.find((need) => Object.hasOwn(model.omit ?? {}, need))
  if (needed === undefined) return
  const why = model.fields.has(needed) ? 'write-only' : 'hidden'
  throw new Error(`${what} cannot be exposed, because it needs "${needed}", which is ${why}.`)
}

/**
 * Lists computed fields of a client for the option `computed`. When the handler is created, it checks that client.
 * Called by the emitted `exposeComputed`.
 * @returns the names with the client
 */
export function computedFields<N extends string, F>(client: unknown, names: ComputedNames<N, F>): ComputedNames<N, F> {
  return { ...names, [SOURCE_CLIENT]: client }
}
