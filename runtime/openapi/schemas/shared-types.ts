import type { Field } from '../../schema/resource.js'
import type { JsonSchema, Reference } from '../document.js'
import { elementSchema, isDateOnly, nullable, readSchema } from './field-schema.js'
import { ruledSchema, type RuleSchema } from './rule-schema.js'

/** Refers to a schema that belongs to no model, which is made where it is not there yet. */
export type Share = (name: string, make: () => JsonSchema) => Reference

/** Types that take many words to say, which are said once. */
const LONG: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Decimal', 'DateTime', 'Bytes'])

/** Types that requests may give in more ways than answers have them. */
const WIDER: ReadonlySet<string> = new Set(['BigInt', 'Decimal'])

/** The schema of one value of a field in requests, without its rule; of a list, one element. */
export function requestElementSchema(share: Share, field: Field): JsonSchema {
  const { type } = field
  if (!LONG.has(type)) return elementSchema(field)
  if (isDateOnly(field)) return share('DateInput', () => elementSchema(field))
  return share(WIDER.has(type) ? `${type}Input` : type, () => elementSchema({ type }))
}

/** The schema of a field's values in requests. */
export function requestValueSchema(share: Share, field: Field, ruleSchema: RuleSchema | undefined): JsonSchema {
  return field.rule
    ? ruledSchema(field, ruleSchema)
    : fieldValueSchema(share, field, requestElementSchema(share, field))
}

/** The schema of a field's values in answers. */
export function responseValueSchema(share: Share, field: Field): JsonSchema {
  const { type } = field
  if (!LONG.has(type)) return readSchema(field)
  return fieldValueSchema(
    share,
    field,
    share(type, () => readSchema({ type })),
  )
}

/** The schema of a field's values, of that of one of them. What may be null is said once where it refers to what is said once. */
export function fieldValueSchema(share: Share, { list, optional, type }: Field, element: JsonSchema): JsonSchema {
  if (list) return { type: 'array', items: element }
  if (!optional) return element
  if (element.$ref === undefined || !LONG.has(type)) return nullable(element)
  const name = element.$ref.slice(element.$ref.lastIndexOf('/') + 1)
  return share(`Nullable${name}`, () => nullable(element))
}
