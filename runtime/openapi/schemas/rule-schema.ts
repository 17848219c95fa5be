import type { Field, Rule } from '../../schema/resource.js'
import type { JsonSchema } from '../document.js'
import { elementSchema, nullable, writeSchema } from './field-schema.js'

/** Makes a JSON Schema of a rule, as zod's `toJSONSchema` does; `{}` where JSON Schema cannot say what it asks for. */
export type RuleSchema = (rule: Rule) => JsonSchema

/**
 * The JSON Schema of a field's values in requests, with what the field's rule (`@zod.…`) asks of them.
 * @param ruleSchema undefined where there is no zod to ask
 */
export function ruledSchema(field: Field, ruleSchema: RuleSchema | undefined): JsonSchema {
  const plain = writeSchema(field)
  if (!field.rule || !ruleSchema) return plain
  return restricted(field, plain, ruleSchema(field.rule))
}

function restricted(field: Field, plain: JsonSchema, rule: JsonSchema): JsonSchema {
  if (field.list)
    return rule.type === 'array' ? { ...rule, items: both(elementSchema(field), rule.items ?? {}) } : plain
  const element = both(elementSchema(field), rule)
  return field.optional ? nullable(element) : element
}

/** What both of two schemas let through. Of alternatives, the rule is about those of its own type. */
function both(plain: JsonSchema, rule: JsonSchema): JsonSchema {
  if (plain.anyOf) return { ...plain, anyOf: plain.anyOf.map((one) => (isAbout(rule, one) ? both(one, rule) : one)) }
  if (!isAbout(rule, plain)) return plain
  const { type: _, minimum, maximum, ...others } = rule
  const least = greater(plain.minimum, minimum)
  const most = greater(negative(plain.maximum), negative(maximum))
  return {
    ...plain,
    ...others,
    ...(least !== undefined && { minimum: least }),
    ...(most !== undefined && { maximum: -most }),
  }
}

function isAbout({ type }: JsonSchema, { type: plain }: JsonSchema): boolean {
  return type !== undefined && (type === plain || (type === 'number' && plain === 'integer'))
}

function greater(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.max(one, other)
}

function negative(number: number | undefined): number | undefined {
  return number === undefined ? undefined : -number
}
