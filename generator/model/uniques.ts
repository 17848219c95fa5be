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
  return [...(primaryKey ? [primaryKey] : []), ...uniques].flatMap(
    ({ name, fields: keyFields, constraint }): ConstraintSpec[] => {
      if (!constraint) return []
      const isUsable = usable.some((unique) => unique.name === name)
      if (isUsable) return constraint.isDerived ? [] : [{ name: constraint.name, criterion: name }]
      const visible = keyFields.filter((field) => exposed.has(field))
      return visible.length > 0 ? [{ name: constraint.name, criterion: visible }] : []
    },
  )
}
