import type { Resource } from '../../../runtime/index.js'

/** A model in the schema of ZenStack's hooks. */
interface ModelDefinition {
  readonly name: string
  readonly fields: Readonly<Record<string, object>>
  readonly idFields: readonly string[]
}

/** The schema of ZenStack's hooks. */
export interface SchemaDefinition {
  readonly provider: { readonly type: string }
  readonly models: Readonly<Record<string, ModelDefinition>>
}

/** Converts emitted resources to the schema that ZenStack's generator writes for its hooks. */
export function schemaOf(resources: readonly Resource[]): SchemaDefinition {
  return {
    provider: { type: 'sqlite' },
    models: Object.fromEntries(resources.map((resource) => [resource.model, modelOf(resource)])),
  }
}

function modelOf({ model: name, id, uniques, fields, relations }: Resource): ModelDefinition {
  const scalars = Object.entries(fields).map(([field, { type }]) => [field, { name: field, type }])
  const related = Object.entries(relations).map(([field, { model, many, foreignKey, onDelete, inverse }]) => [
    field,
    {
      name: field,
      type: model,
      ...(many && { array: true }),
      relation: {
        ...(inverse !== undefined && { opposite: inverse }),
        ...(foreignKey && { fields: Object.keys(foreignKey), references: Object.values(foreignKey) }),
        ...(onDelete && { onDelete }),
      },
    },
  ])
  return { name, idFields: uniques?.[id] ?? [id], fields: Object.fromEntries([...scalars, ...related]) }
}
