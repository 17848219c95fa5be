import type { Field } from '../../schema/resource.js'
import { idFields, type Model } from '../../schema/schema.js'
import { memoize } from '../memoize.js'
import { exampleValue } from './values.js'

/** Example values of a row's fields, by their names; those of which there is none are left out. */
export type ExampleRow = ReadonlyMap<string, unknown>

/** How far foreign keys are followed that refer to foreign keys. */
const MOST_STEPS = 5

/** An example of a model's rows. Its foreign keys refer to the examples of other models, so that these belong together. */
export const exampleRow = memoize((model: Model): ExampleRow => {
  return new Map(
    [...model.fields].flatMap(([name, field]): [string, unknown][] => {
      const value = referred(model, name, field, MOST_STEPS)
      return value === undefined ? [] : [[name, value]]
    }),
  )
})

function referred(model: Model, name: string, field: Field, steps: number): unknown {
  for (const { target, foreignKey = {} } of model.relations.values()) {
    const reference = foreignKey[name]
    const other = reference === undefined ? undefined : target.fields.get(reference)
    if (reference !== undefined && other && steps > 0) return referred(target, reference, other, steps - 1)
  }
  return exampleValue(name, field)
}

/** The values of the example's own id, in order. Undefined where there is no example of one of them. */
export function exampleId(model: Model): readonly unknown[] | undefined {
  return exampleOf(model, idFields(model))
}

/** The example's values of some fields. Undefined where there is none of one of them. */
export function exampleOf(model: Model, names: readonly string[]): readonly unknown[] | undefined {
  const row = exampleRow(model)
  return names.every((name) => row.has(name)) ? names.map((name) => row.get(name)) : undefined
}
