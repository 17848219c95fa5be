import type { SchemaModel } from '../schema/schema.js'
import type { ConstraintSpec, FieldSpec, UniqueSpec } from './api-model.js'

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

/** Returns the constraints of a model that the runtime cannot derive from its unique criteria. */
export function findConstraints(
  { primaryKey, uniques }: Pick<SchemaModel, 'primaryKey' | 'uniques'>,
  usable: readonly UniqueSpec[],
  fields: readonly FieldSpec[],
): ConstraintSpec[] {
  const exposed = new Set(fields.filter(({ exposure }) => exposure !== 'hidden').map(({ name }) => name))
  const found = new Map<string, string | readonly string[]>()
  for (const { name, fields: keyFields, constraint } of [...(primaryKey ? [primaryKey] : []), ...uniques]) {
    const isUsable = usable.some((unique) => unique.name === name)
    const criterion = isUsable ? name : keyFields.filter((field) => exposed.has(field))
    if (constraint && criterion.length > 0 && !(isUsable && constraint.isDerived)) found.set(constraint.name, criterion)
  }
  return Array.from(found, ([name, criterion]) => ({ name, criterion }))
}
