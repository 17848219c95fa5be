import type { Field } from '../../schema/resource.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { elementSchema, isDateOnly, readSchema } from './field-schema.js'
import { nullable } from './schema-builders.js'
import { ruledFieldSchema, type RuleSchema } from './ruled-field-schema.js'

/** Returns a reference to a schema that does not belong to a model, and creates the schema if it does not exist. */
export type Share = (name: string, create: () => JsonSchema) => Reference

/** Types with a long schema, which is shared. */
const LONG: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Decimal', 'DateTime', 'Bytes'])

/** Types for which requests accept more formats than responses contain. */
const WIDER: ReadonlySet<string> = new Set(['BigInt', 'Decimal'])

/** Returns the schema of a field's value in requests, without its rule. For a list, the schema of one element. */
export function requestElementSchema(share: Share, field: Field): JsonSchema {
  const { type } = field
  if (!LONG.has(type)) return elementSchema(field)
  if (isDateOnly(field)) return share('DateInput', () => elementSchema(field))
  return share(WIDER.has(type) ? `${type}Input` : type, () => elementSchema({ type }))
}

/** Returns the schema of a field's values in requests. */
export function requestValueSchema(share: Share, field: Field, ruleSchema: RuleSchema | undefined): JsonSchema {
  return field.rule
    ? ruledFieldSchema(field, ruleSchema)
    : fieldValueSchema(share, field, requestElementSchema(share, field))
}

/** Returns the schema of a field's values in responses. */
export function responseValueSchema(share: Share, field: Field): JsonSchema {
  const { type } = field
  if (!LONG.has(type)) return readSchema(field)
  return fieldValueSchema(
    share,
    field,
    share(type, () => readSchema({ type })),
  )
}

/** Returns the schema of a field's values, given the schema of a single value. The nullable variant of a shared schema is shared too. */
export function fieldValueSchema(share: Share, { list, optional, type }: Field, element: JsonSchema): JsonSchema {
  if (list) return { type: 'array', items: element }
  if (!optional) return element
  if (element.$ref === undefined || !LONG.has(type)) return nullable(element)
  const name = element.$ref.slice(element.$ref.lastIndexOf('/') + 1)
  return share(`Nullable${name}`, () => nullable(element))
}
