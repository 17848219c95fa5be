import type { Field, Rule } from '../../schema/resource.js'
import type { JsonSchema } from '../document-types.js'
import { elementSchema, writeSchema } from './field-schema.js'
import { nullable } from './schema-builders.js'

/** Converts a rule to a JSON Schema, as zod's `toJSONSchema` does. Returns `{}` if JSON Schema cannot express the rule. */
export type RuleSchema = (rule: Rule) => JsonSchema

/**
 * Returns the JSON Schema of a field's values in requests, including the constraints of the field's rule (`@zod.…`).
 * @param ruleSchema undefined if zod is not installed
 */
export function ruledFieldSchema(field: Field, ruleSchema: RuleSchema | undefined): JsonSchema {
  const plain = writeSchema(field)
  if (!field.rule || !ruleSchema) return plain
  return restricted(field, plain, ruleSchema(field.rule))
}

function restricted(field: Field, plain: JsonSchema, rule: JsonSchema): JsonSchema {
  if (field.list)
    return rule.type === 'array' ? { ...rule, items: intersect(elementSchema(field), rule.items ?? {}) } : plain
  const element = intersect(elementSchema(field), rule)
  return field.optional ? nullable(element) : element
}

/** Returns the intersection of two schemas. If a schema has alternatives, the rule restricts those with the same type. */
function intersect(plain: JsonSchema, rule: JsonSchema): JsonSchema {
  if (plain.anyOf)
    return {
      ...plain,
      anyOf: plain.anyOf.map((alternative) =>
        appliesTo(rule, alternative) ? intersect(alternative, rule) : alternative,
      ),
    }
  if (!appliesTo(rule, plain)) return plain
  const { type: _, minimum, maximum, ...others } = rule
  const min = optionalMax(plain.minimum, minimum)
  const negatedMax = optionalMax(negate(plain.maximum), negate(maximum))
  return {
    ...plain,
    ...others,
    ...(min !== undefined && { minimum: min }),
    ...(negatedMax !== undefined && { maximum: -negatedMax }),
  }
}

function appliesTo({ type }: JsonSchema, { type: plain }: JsonSchema): boolean {
  return type !== undefined && (type === plain || (type === 'number' && plain === 'integer'))
}

function optionalMax(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return Math.max(left, right)
}

function negate(number: number | undefined): number | undefined {
  return number === undefined ? undefined : -number
}
