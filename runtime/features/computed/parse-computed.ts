import type { ComputedNames } from '../../schema/computed-names.js'
import type { Resource } from '../../schema/resource.js'

const LEGAL_NAME = /^_?[A-Za-z][\w-]*$/

/**
 * Parses the option `computed`: the computed fields (`$extends({ result })`) to expose, by model.
 * @param resources all resources of the handler
 * @returns the names, for models with at least one
 * @throws Error if a model does not exist, a name is invalid, or the model uses the name for a field or relation
 */
export function parseComputed(
  option: ComputedNames | undefined,
  resources: Iterable<Resource>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byModel = new Map([...resources].map((resource) => [resource.model, resource]))
  const parsed = new Map<string, ReadonlySet<string>>()
  for (const [model, names] of Object.entries(option ?? {})) {
    const resource = byModel.get(model)
    if (!resource) {
      throw new Error(`computed names "${model}", which is not a model. Models: ${[...byModel.keys()].join(', ')}.`)
    }
    if (names === undefined) continue
    if (!Array.isArray(names)) throw new Error(`computed.${model} must be a list of names, such as ["excerpt"].`)
    for (const name of names) assertComputedName(resource, name)
    if (names.length > 0) parsed.set(model, new Set(names))
  }
  return parsed
}

function assertComputedName({ model, fields, relations }: Resource, name: unknown): void {
  const what = `computed.${model}: ${JSON.stringify(name)}`
  if (typeof name !== 'string' || !LEGAL_NAME.test(name)) {
    throw new Error(
      `${what} is not a valid field name. It must consist of letters, digits, "-" and "_", and start with a letter.`,
    )
  }
  const conflict = Object.hasOwn(fields, name) ? 'a field' : Object.hasOwn(relations, name) ? 'a relation' : undefined
  const hint = 'Compute it under a different name.'
  if (conflict) throw new Error(`${what} is already ${conflict} of ${model} in the schema. ${hint}`)
  if (name === 'id') throw new Error(`${what} is the id of every resource. ${hint}`)
  if (name === '_count') throw new Error(`${what} is reserved for counts of related rows. ${hint}`)
}
