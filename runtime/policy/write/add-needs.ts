import type { ComputedLookup } from '../../prisma/internals.js'
import { isObject } from '../../values/is-object.js'
import type { Args } from '../args.js'
import type { PolicyModel } from '../policy-schema.js'

/**
 * Extends the selection of a written row so that it loads all fields that computed fields need, even those that the caller or the client's
 * `omit` option excludes. The row is read without its computed fields. The caller's client computes them and removes the excluded fields.
 * @param computed the computed fields of the client; undefined if it has none
 * @param args `select`, `include` and `omit`
 */
export function addNeeds(computed: ComputedLookup | undefined, model: PolicyModel, args: Args): Args {
  if (!computed) return args
  const key = isObject(args['select']) ? 'select' : 'include'
  const result: Record<string, unknown> = { ...args }
  if (isObject(args[key])) {
    const members = Object.entries(args[key]).map(([name, value]) => {
      const target = model.relations.get(name)?.target
      return [name, target && value ? addNeeds(computed, target, isObject(value) ? value : {}) : value] as const
    })
    result[key] = Object.fromEntries(members)
  }
  if (key === 'include') {
    const omit = isObject(args['omit']) ? args['omit'] : {}
    const fields = Object.values(computed(model.delegate) ?? {}).filter(({ name }) => omit[name] !== true)
    const needs = fields.flatMap((field) => field.needs.map((name) => [name, false] as const))
    if (needs.length > 0) result['omit'] = { ...omit, ...Object.fromEntries(needs) }
  }
  return result
}
