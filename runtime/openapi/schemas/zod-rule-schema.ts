import type { Rule } from '../../schema/resource.js'
import type { JsonSchema } from '../document-types.js'
import type { RuleSchema } from './field-schema.js'

/**
 * Returns zod's conversion of rules to JSON Schema. zod is installed if the schema has rules, because the emitted code imports it.
 * @returns undefined if zod is not installed
 */
export async function zodRuleSchema(): Promise<RuleSchema | undefined> {
  const zod = await import('./to-json-schema.js').catch(() => undefined)
  if (!zod) return undefined
  return (rule) => {
    if (!isZod(rule)) return {}
    // Rules that JSON Schema cannot express (dates, bigints, custom code) are omitted. The response to an invalid value explains
    // them.
    const { $schema: _, ...jsonSchema } = zod.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' })
    const schema: JsonSchema = JSON.parse(JSON.stringify(jsonSchema))
    return withStandardFormat(schema)
  }

  function isZod(rule: Rule): rule is Rule & import('zod/v4/core').$ZodType {
    return '_zod' in rule
  }
}

/** The formats of JSON Schema. zod has additional formats, each with an equivalent pattern. */
const FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
])

function withStandardFormat({ format, ...schema }: JsonSchema): JsonSchema {
  return format !== undefined && FORMATS.has(format) ? { ...schema, format } : schema
}
