import type { Rule } from '../../schema/resource.js'
import type { JsonSchema } from '../document.js'
import type { RuleSchema } from './rule-schema.js'

/**
 * Zod's own JSON Schemas of rules. Zod is there where rules are: emitted code imports it.
 * @returns undefined where it is not
 */
export async function zodRuleSchema(): Promise<RuleSchema | undefined> {
  const zod = await import('zod/v4/core').catch(() => undefined)
  if (!zod) return undefined
  return (rule) => {
    if (!isZod(rule)) return {}
    // What JSON Schema cannot say (dates, bigints, code of the author's own) is left out: the answer to a value tells of it.
    const { $schema: _, ...made } = zod.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' })
    const schema: JsonSchema = JSON.parse(JSON.stringify(made))
    return withKnownFormat(schema)
  }

  function isZod(rule: Rule): rule is Rule & import('zod/v4/core').$ZodType {
    return '_zod' in rule
  }
}

/** The formats that JSON Schema has. Zod has more, each with a pattern that says the same. */
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

function withKnownFormat({ format, ...schema }: JsonSchema): JsonSchema {
  return format !== undefined && FORMATS.has(format) ? { ...schema, format } : schema
}
