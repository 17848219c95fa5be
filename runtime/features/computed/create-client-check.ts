import { computedLookup } from '../../prisma/computed-lookup.js'
import type { ComputedFields } from '../../prisma/internals.js'
import { type CheckClient, type ComputedNames, SOURCE_CLIENT } from '../../schema/computed-names.js'
import type { Model, Schema } from '../../schema/model.js'

/**
 * Creates a check that a client has the exposed computed fields, and that they do not depend on hidden or write-only fields. Each client is
 * checked once, and clients with the same extensions are not checked again.
 * @param option if it carries a client, that client is checked immediately
 * @returns undefined if no computed field is exposed
 * @throws Error if that client fails the check
 */
export function createClientCheck(schema: Schema, option: ComputedNames | undefined): CheckClient | undefined {
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
