import type { Computed } from './computed-types.js'
import type { Resource } from './resource.js'

/** Under which names of computed fields carry the client that they were taken from, where they do. */
export const SOURCE_CLIENT = Symbol('client')

/** Names of computed fields, by model: the option `computed` of both handlers. `F` has their types, where they were taken from a client. */
export type ComputedNames<N extends string = string, F = unknown> = { readonly [K in N]?: readonly string[] } & {
  readonly [SOURCE_CLIENT]?: unknown
} & Computed<F>

const LEGAL_NAME = /^_?[A-Za-z][\w-]*$/

/**
 * Reads the option `computed`: which computed fields (`$extends({ result })`) of a model are on the wire.
 * @param resources all of a handler's
 * @returns the names, of the models that have some
 * @throws Error for what is no model, for what is no name, and for a name that the model has for something else
 */
export function parseComputed(
  option: ComputedNames | undefined,
  resources: Iterable<Resource>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byModel = new Map([...resources].map((resource) => [resource.model, resource]))
  const read = new Map<string, ReadonlySet<string>>()
  for (const [model, names] of Object.entries(option ?? {})) {
    const resource = byModel.get(model)
    if (!resource) {
      throw new Error(`computed names "${model}", which is no model. Models: ${[...byModel.keys()].join(', ')}.`)
    }
    if (names === undefined) continue
    if (!Array.isArray(names)) throw new Error(`computed.${model} must be a list of names, as ["excerpt"].`)
    for (const name of names) checkName(resource, name)
    if (names.length > 0) read.set(model, new Set(names))
  }
  return read
}

function checkName({ model, fields, relations }: Resource, name: unknown): void {
  const what = `computed.${model}: ${JSON.stringify(name)}`
  if (typeof name !== 'string' || !LEGAL_NAME.test(name)) {
    throw new Error(
      `${what} cannot be a name on the wire. It may hold letters, digits, "-" and "_", and begins with a letter.`,
    )
  }
  const taken = Object.hasOwn(fields, name) ? 'a field' : Object.hasOwn(relations, name) ? 'a relation' : undefined
  const mend = 'Compute it under another name.'
  if (taken) throw new Error(`${what} is ${taken} of ${model} in the schema already. ${mend}`)
  if (name === 'id') throw new Error(`${what} is what every resource is identified by. ${mend}`)
  if (name === '_count') throw new Error(`${what} is what the client calls numbers of related rows. ${mend}`)
}
