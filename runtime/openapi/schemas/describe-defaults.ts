import { isObject } from '../../values/is-object.js'
import type { JsonSchema } from '../document-types.js'
import { withDefault, withDescription } from './field-schema.js'

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS = new Set([
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
])

/** Keywords whose value maps names to schemas. */
const NAMED_SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Moves the defaults in an app's JSON Schema to the descriptions. See {@link withDefault}. */
export function describeDefaults(schema: unknown): JsonSchema {
  const { default: value, ...keywords }: JsonSchema & { readonly default?: unknown } = mapMembers(
    Object(schema),
    (member, name) => {
      if (SCHEMAS.has(name)) return Array.isArray(member) ? member.map(describeEach) : describeEach(member)
      return NAMED_SCHEMAS.has(name) && isObject(member) ? mapMembers(member, describeEach) : member
    },
  )
  const { description, ...others } = keywords
  return withDescription(others, withDefault({ default: value }, description))
}

/** A schema can also be true or false. */
function describeEach(schema: unknown): unknown {
  return isObject(schema) ? describeDefaults(schema) : schema
}

function mapMembers(
  members: Readonly<Record<string, unknown>>,
  convert: (value: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, convert(value, name)]))
}
