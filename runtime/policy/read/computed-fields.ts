import type { ComputedField } from '../../orm/computed.js'
import { isObject } from '../../values/is-object.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import type { ReadContext } from './context.js'

/**
 * Rows without the fields that extensions compute, as the database has them: a client that such extensions are on computes them from
 * whatever it loads, whether or not it may be shown. The client that the caller holds computes them again, from what is left.
 * @param rows one row, a list of rows, or what is none
 * @returns copies
 */
export function withoutComputed(model: PolicyModel, rows: unknown): unknown {
  if (Array.isArray(rows)) return rows.map((row) => withoutComputed(model, row))
  return typeof rows === 'object' && rows !== null ? withoutComputedFields(model, rows) : rows
}

/** As {@link withoutComputed}, of one row. */
export function withoutComputedFields(model: PolicyModel, row: object): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  // By name, so that nothing is computed for this.
  for (const name of Object.keys(row)) {
    const relation = model.relations.get(name)
    if (relation) own[name] = withoutComputed(relation.target, Reflect.get(row, name))
    else if (model.fields.has(name) || name === '_count') own[name] = Reflect.get(row, name)
  }
  return own
}

/** What a name is that no field of the schema has, where the client that policies extend computes it. */
export function computedField(
  { computed }: Pick<ReadContext, 'computed'>,
  model: PolicyModel,
  name: string,
): ComputedField | undefined {
  const fields = model.fields.has(name) || model.relations.has(name) ? undefined : computed?.(model.delegate)
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/**
 * Arguments without the computed fields that `omit` names of extensions that are added later: the client that policies extend does not
 * know them. The same object where there are none.
 */
export function stripUnknownOmit(reading: Pick<ReadContext, 'computed'>, model: PolicyModel, args: Args): Args {
  const omit = args['omit']
  if (!isObject(omit)) return args
  const isKnown = (name: string) => model.fields.has(name) || computedField(reading, model, name) !== undefined
  const known = Object.entries(omit).filter(([name]) => isKnown(name))
  return known.length === Object.keys(omit).length ? args : { ...args, omit: Object.fromEntries(known) }
}
