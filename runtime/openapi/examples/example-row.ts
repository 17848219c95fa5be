import type { Field } from '../../schema/resource.js'
import { idFields, type Model } from '../../schema/model.js'
import { memoize } from '../memoize.js'
import { exampleValue } from './example-value.js'

/** Example values of a row, by field name. Fields without an example are missing. */
export type ExampleRow = ReadonlyMap<string, unknown>

/** Maximum number of foreign keys to follow, because they may refer to other foreign keys. */
const MAX_STEPS = 5

/** Returns an example row of a model. Its foreign keys match the example rows of the related models. */
export const exampleRow = memoize((model: Model): ExampleRow => {
  return new Map(
    [...model.fields].flatMap(([name, field]): [string, unknown][] => {
      const value = resolveExampleValue(model, name, field, MAX_STEPS)
      return value === undefined ? [] : [[name, value]]
    }),
  )
})

function resolveExampleValue(model: Model, name: string, field: Field, steps: number): unknown {
  for (const { target, foreignKey = {} } of model.relations.values()) {
    const reference = foreignKey[name]
    const referencedField = reference === undefined ? undefined : target.fields.get(reference)
    if (reference !== undefined && referencedField && steps > 0)
      return resolveExampleValue(target, reference, referencedField, steps - 1)
  }
  return exampleValue(name, field)
}

/** Returns the id of a model's example row, or undefined if part of it has no example. */
export function exampleId(model: Model): readonly unknown[] | undefined {
  return exampleValues(model, idFields(model))
}

/** Returns the values of some fields of a model's example row, or undefined if one of them has no example. */
export function exampleValues(model: Model, names: readonly string[]): readonly unknown[] | undefined {
  const row = exampleRow(model)
  return names.every((name) => row.has(name)) ? names.map((name) => row.get(name)) : undefined
}
