import { type ComputedNames, SOURCE_CLIENT } from '../schema/computed.js'
import type { Model, Schema } from '../schema/schema.js'

/** A field of results that an extension of the client computes (`$extends({ result })`). */
export interface ComputedField {
  readonly name: string
  /** What it is computed from: names of the schema's own fields, also where it needs another computed field. */
  readonly needs: readonly string[]
}

/** The computed fields of a model, by name. The same object as long as the client's extensions are the same. */
export type ComputedFields = Readonly<Record<string, ComputedField>>

/** Gives the computed fields of the model that has a delegate. */
export type ComputedLookup = (delegate: string) => ComputedFields | undefined

/** What a client of Prisma's knows of its extensions. None of its documented members. */
interface PrismaLike {
  readonly _extensions?: {
    isEmpty?(): boolean
    getAllComputedFields?(model: string): ComputedFields | undefined
  }
}

/** What was found out of each client: to ask one of Prisma's, above all inside a transaction, goes through its proxies. */
const known = new WeakMap<object, { readonly lookup: ComputedLookup | undefined }>()

/**
 * What the extensions of a client compute.
 * @param client Prisma's; of another nothing is known
 * @returns undefined where there are none
 */
export function computedLookup(client: unknown): ComputedLookup | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const found = known.get(client) ?? { lookup: readLookup(client) }
  known.set(client, found)
  return found.lookup
}

function readLookup(client: PrismaLike): ComputedLookup | undefined {
  const { _extensions: extensions } = client
  if (!extensions?.getAllComputedFields || extensions.isEmpty?.()) return undefined
  return (delegate) => extensions.getAllComputedFields?.(delegate)
}

/** Whether a computed field tells what is never read: what is hidden or write-only. */
export function exposesHiddenField({ needs }: ComputedField, { omit = {} }: Model): boolean {
  return needs.some((name) => Object.hasOwn(omit, name))
}

/** Throws an Error that says what is wrong, where a client cannot answer with the computed fields that are on the wire. */
export type CheckClient = (client: unknown) => void

/**
 * Makes the check that a client computes what is exposed of it, and from nothing that is hidden or write-only. A client is looked at
 * once, and another one with the same extensions not again.
 * @param option where the names carry a client, that is checked now
 * @returns undefined where nothing is exposed
 * @throws Error as the check
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
    const known = Object.keys(fields).join(', ')
    const mend = `Of ${model.name} it computes ${known === '' ? 'nothing' : known}.`
    throw new Error(`${what} is no computed field of the client. ${mend}`)
  }
  const needed = field.needs.find((need) => Object.hasOwn(model.omit ?? {}, need))
  if (needed === undefined) return
  const why = model.fields.has(needed) ? 'write-only' : 'hidden'
  throw new Error(`${what} cannot be exposed, because it needs "${needed}", which is ${why}.`)
}

/**
 * Names computed fields of a client, for the option `computed`: a handler that is made with them looks at the client at once.
 * @returns the names, with the client
 */
export function computedFields<N extends string, F>(client: unknown, names: ComputedNames<N, F>): ComputedNames<N, F> {
  return { ...names, [SOURCE_CLIENT]: client }
}
