import type { JsonSchema } from '../document.js'

/** An object with these members and no others. */
export function closedObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/** A list of values, no longer than a limit that is none where it is `Infinity`. */
export function listOf(items: JsonSchema, most = Infinity): JsonSchema {
  return { type: 'array', items, ...(most < Infinity && { maxItems: most }) }
}

/** One value, or a list of such. */
export function oneOrMany(one: JsonSchema, most = Infinity): JsonSchema {
  return anyOf(one, listOf(one, most))
}

/** What one of several schemas lets through. */
export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas.flatMap((schema) => (isUnion(schema) ? (schema.anyOf ?? []) : [schema]))
  return only && others.length === 0 ? only : { anyOf: [...(only ? [only] : []), ...others] }
}

/** What exactly one of several schemas lets through. */
export function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas
  return only && others.length === 0 ? only : { oneOf: schemas }
}

function isUnion(schema: JsonSchema): boolean {
  return schema.anyOf !== undefined && Object.keys(schema).length === 1
}

/** Beside any of some members, none of others. */
export function mutuallyExclusive(some: readonly string[], others: readonly string[]): JsonSchema {
  const none = { properties: Object.fromEntries(others.map((name) => [name, { not: {} }])) }
  return { dependentSchemas: Object.fromEntries(some.map((name) => [name, none])) }
}
