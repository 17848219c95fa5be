import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import type { SerializationNotes } from '../../serialization/annotations.js'
import { type OtherValue, writeJson } from '../../serialization/write-json.js'
import type { AttributeWriter } from '../../rest/document/attribute-writer.js'
import { type ComputedNames, type CheckClient, SOURCE_CLIENT } from '../../schema/computed-names.js'
import type { Resource } from '../../schema/resource.js'
import { computedLookup, type ComputedFields } from '../../prisma/internals.js'
import type { Model, Schema } from '../../schema/model.js'

/**
 * Enables the handler option `computed`, which exposes computed fields of the client.
 * Called by the emitted `index.ts`.
 */
export function computed(): Feature<'computed'> {
  return restFeature('computed', {
    parse: parseComputed,
    createClientCheck,
    createWriter: computedAttributeWriter,
  })
}

/** Returns the writer for a computed field. The schema does not contain its type, so each value is written according to its own type. */
function computedAttributeWriter(name: string): AttributeWriter {
  const attributePath = `.attributes.${name}`
  return {
    name,
    wire: name,
    key: `"${name}":`,
    isComputed: true,
    write: (value, path, notes) => valueText(value, path + attributePath, notes) ?? 'null',
  }
}

const NAMES: ReadonlySet<string> = new Set()

/** Converts a value like `JSON.stringify`, but annotates types that JSON does not have. Returns undefined for values that JSON omits. */
function valueText(value: unknown, path: string, notes: SerializationNotes): string | undefined {
  return writeJson(value, path, '', { notes, names: NAMES, limit: undefined, writeOther: writeLikeJson })
}

function writeLikeJson(value: unknown, write: (replacement: unknown) => string | undefined): OtherValue {
  if (typeof value !== 'object' || value === null || value instanceof Date) return { json: JSON.stringify(value) }
  if ('toJSON' in value && typeof value.toJSON === 'function') return { json: write(value.toJSON()) }
  return { json: write({ ...value }) }
}

/**
 * Creates a check that a client has the exposed computed fields, and that they do not depend on hidden or write-only fields. Each client is
 * checked once, and clients with the same extensions are not checked again.
 * @param option if it carries a client, that client is checked immediately
 * @returns undefined if no computed field is exposed
 * @throws Error if that client fails the check
 */
function createClientCheck(schema: Schema, option: ComputedNames | undefined): CheckClient | undefined {
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

const LEGAL_NAME = /^_?[A-Za-z][\w-]*$/

/**
 * Parses the option `computed`: the computed fields (`$extends({ result })`) to expose, by model.
 * @param resources all resources of the handler
 * @returns the names, for models with at least one
 * @throws Error if a model does not exist, a name is invalid, or the model uses the name for a field or relation
 */
function parseComputed(
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
