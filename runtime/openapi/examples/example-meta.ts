import type { Field } from '../../schema/resource.js'
import { getEncoding } from '../../values/to-json.js'

/**
 * Returns the `meta` of an example in a response, with the annotations of its values. Empty if there are no annotations.
 * @param fields the values with their fields and paths
 */
export function exampleMeta(fields: readonly (readonly [path: string, field: Field, value: unknown])[]): {
  readonly serialization?: object
} {
  const values = fields.flatMap(([path, field, value]): [string, unknown][] => {
    const annotation = getEncoding(field)?.annotation
    if (!annotation || value === null) return []
    return Array.isArray(value) ? value.map((_, index) => [`${path}.${index}`, annotation]) : [[path, annotation]]
  })
  return values.length > 0 ? { serialization: { values: Object.fromEntries(values), v: 1 } } : {}
}
