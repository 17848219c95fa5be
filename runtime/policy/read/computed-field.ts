import type { ComputedField } from '../../prisma/internals.js'
import { isObject } from '../../values/is-object.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { ReadContext } from './read-context.js'

/**
 * Finds a computed field of the client that policies extend.
 * @returns undefined if the schema has a field with this name, or the client does not compute it
 */
export function computedField(
  { computed }: Pick<ReadContext, 'computed'>,
  model: PolicyModel,
  name: string,
): ComputedField | undefined {
  const fields = model.fields.has(name) || model.relations.has(name) ? undefined : computed?.(model.delegate)
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/**
 * Removes computed fields from `omit` if the client that policies extend does not have them, because their extensions were added later.
 * Returns the same object if there are none.
 */
export function stripUnknownOmit(reading: Pick<ReadContext, 'computed'>, model: PolicyModel, args: Args): Args {
  const omit = args['omit']
  if (!isObject(omit)) return args
  const isAvailable = (name: string) => model.fields.has(name) || computedField(reading, model, name) !== undefined
  const available = Object.entries(omit).filter(([name]) => isAvailable(name))
  return available.length === Object.keys(omit).length ? args : { ...args, omit: Object.fromEntries(available) }
}
