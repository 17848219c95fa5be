import type { SchemaModel } from '../schema/schema.js'
import type { FieldSpec, UniqueSpec } from './api-model.js'

/** Returns the unique criteria whose fields callers can read, best identifier first: the id, then required uniques, then nullable ones. */
export function findUsableUniques(
  model: Pick<SchemaModel, 'primaryKey' | 'uniques'>,
  fields: readonly FieldSpec[],
): UniqueSpec[] {
  const readable = new Map(
    fields
      .filter((field) => field.exposure === 'full' || field.exposure === 'readOnly')
      .map((field) => [field.name, field]),
  )
  const nullable = (unique: UniqueSpec) => unique.fields.some((field) => readable.get(field)?.optional)
  const seen = new Set<string>()
  const { primaryKey, uniques } = model
  const best = [...uniques.filter((unique) => !nullable(unique)), ...uniques.filter(nullable)]
  return [...(primaryKey ? [primaryKey] : []), ...best].filter((unique) => {
    if (seen.has(unique.name) || !unique.fields.every((field) => readable.has(field))) return false
    seen.add(unique.name)
    return true
  })
}
