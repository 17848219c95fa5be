import type { JsonSchema, Reference } from '../document-types.js'

/** Returns the schema of an object with these properties and no others. */
export function closedObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/** Returns the schema of an object with the properties of open objects and its own ones, and no others. */
export function composedObject(
  schemas: readonly Reference[],
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    allOf: schemas,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    unevaluatedProperties: false,
  }
}

/** Returns the schema of an object that has only these names, all with the same schema. */
export function recordOf(names: JsonSchema, values: JsonSchema): JsonSchema {
  return { type: 'object', propertyNames: names, additionalProperties: values }
}

/** Returns the schema of an object to which further rules apply. Some tools ignore rules next to a `$ref`, so it is in `allOf`. */
export function restricted(schema: Reference, rules: JsonSchema): JsonSchema {
  return { type: 'object', allOf: [schema], ...rules }
}

/** Returns the schema of an object that another schema describes, but without some of its properties. */
export function withoutProperties(schema: Reference, names: readonly string[]): JsonSchema {
  return restricted(schema, names.length > 0 ? { propertyNames: { not: { enum: names } } } : {})
}

/** Returns the schema of a list of values with a maximum length, which may be `Infinity`. */
export function listOf(items: JsonSchema, max = Infinity): JsonSchema {
  return { type: 'array', items, ...(max < Infinity && { maxItems: max }) }
}

/** Returns the schema of one value, or a list of values. */
export function oneOrMany(item: JsonSchema, max = Infinity): JsonSchema {
  return anyOf(item, listOf(item, max))
}

/** Returns a schema that accepts values of any of the given schemas. */
export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas.flatMap(alternatives)
  return only && others.length === 0 ? only : { anyOf: [...(only ? [only] : []), ...others] }
}

/** Returns a schema that accepts values of exactly one of the given schemas. */
export function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas
  return only && others.length === 0 ? only : { oneOf: schemas }
}

/** Returns the constraint that properties from the two lists must not be combined. */
export function mutuallyExclusive(names: readonly string[], others: readonly string[]): JsonSchema {
  const forbidden = { propertyNames: { not: { enum: others } } }
  return { dependentSchemas: Object.fromEntries(names.map((name) => [name, forbidden])) }
}

/** Maps each name to its own schema. */
export function mapNames<T>(
  entries: readonly (readonly [name: string, value: T])[],
  make: (value: T, name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(entries.map(([name, value]) => [name, make(value, name)]))
}

/** Maps all names to the same schema. */
export function mapToSchema(names: readonly string[], schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, schema]))
}

/** Returns a schema that also accepts null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  // A schema without a type, such as Json, already accepts null.
  if (type === undefined)
    return schema.$ref || schema.anyOf || schema.oneOf ? { anyOf: [...alternatives(schema), { type: 'null' }] } : schema
  const types = typeof type === 'string' ? [type] : type
  return { ...schema, type: [...types, 'null'], ...(values && { enum: [...values, null] }) }
}

/** Returns the alternatives of a union, or the schema itself if it is not a union. */
export function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf && Object.keys(schema).length === 1 ? schema.anyOf : [schema]
}
