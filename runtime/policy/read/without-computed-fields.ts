import type { ComputedField } from '../../orm/computed-fields.js'
import { isObject } from '../../values/is-object.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { ReadContext } from './read-context.js'

/**
 * Returns copies of rows without computed fields. A client with result extensions computes them from everything that it loads, readable or
 * not. The caller's client computes them again, from the remaining fields.
 * @param rows one row, a list of rows, or another value, which is returned unchanged
 */
export function withoutComputed(model: PolicyModel, rows: unknown): unknown {
  if (Array.isArray(rows)) return rows.map((row) => withoutComputed(model, row))
  return typeof rows === 'object' && rows !== null ? withoutComputedFields(model, rows) : rows
}

/** Like {@link withoutComputed}, for one row. */
export function withoutComputedFields(model: PolicyModel, row: object): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  // Properties are read by name, so that no computed field is evaluated.
  for (const name of Object.keys(row)) {
    const relation = model.relations.get(name)
    if (relation) result[name] = withoutComputed(relation.target, Reflect.get(row, name))
    else if (model.fields.has(name) || name === '_count') result[name] = Reflect.get(row, name)
  }
  return result
}

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
