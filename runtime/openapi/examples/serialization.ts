import type { Field } from '../../schema/resource.js'
import { getEncoding } from '../../values/to-json.js'

/**
 * What `meta` says of an example, as in an answer: what values were before they became JSON. Empty where all of them are JSON.
 * @param fields the values with their fields, by their paths
 */
export function exampleSerialization(fields: readonly (readonly [path: string, field: Field, value: unknown])[]): {
  readonly serialization?: object
} {
  const values = fields.flatMap(([path, field, value]): [string, unknown][] => {
    const annotation = getEncoding(field)?.annotation
    if (!annotation || value === null) return []
    return Array.isArray(value) ? value.map((_, index) => [`${path}.${index}`, annotation]) : [[path, annotation]]
  })
  return values.length > 0 ? { serialization: { values: Object.fromEntries(values), v: 1 } } : {}
}
