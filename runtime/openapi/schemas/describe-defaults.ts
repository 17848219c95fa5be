import { isObject } from '../../values/is-object.js'
import { withDefault } from './field-schema.js'

/** Keywords whose value maps names to schemas. */
const NAMED = new Set(['properties', 'patternProperties'])

/** Keywords whose value is data. */
const DATA = new Set(['const', 'enum', 'examples', 'default'])

/** Moves the defaults in an app's JSON Schema to the descriptions. See {@link withDefault}. */
export function describeDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describeDefaults)
  if (!isObject(schema)) return schema
  const { default: value, ...keywords } = mapMembers(schema, (member, name) => {
    if (DATA.has(name)) return member
    return NAMED.has(name) && isObject(member) ? mapMembers(member, describeDefaults) : describeDefaults(member)
  })
  if (value === undefined) return keywords
  const { description } = keywords
  const text = typeof description === 'string' ? description : undefined
  return { ...keywords, description: withDefault({ default: value }, text) }
}

function mapMembers(
  members: Readonly<Record<string, unknown>>,
  convert: (value: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, convert(value, name)]))
}
