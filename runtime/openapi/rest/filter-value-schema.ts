import type { Field, ScalarType } from '../../schema/resource.js'
import type { JsonSchema } from '../document-types.js'
import { elementSchema } from '../schemas/field-schema.js'

/** Returns the schema of a value in a URL. */
export function filterValueSchema(field: Pick<Field, 'type' | 'values' | 'uuid'>): JsonSchema {
  const { type } = field
  if (type === 'Json') return { type: 'string', contentMediaType: 'application/json' }
  return elementSchema(field)
}

/** Returns the schema of one value in a URL, or of multiple values separated by commas. */
export function filterValuesSchema(field: Pick<Field, 'type' | 'values' | 'uuid'>): JsonSchema {
  const { type } = field
  const single = filterValueSchema(field)
  const pattern = field.uuid ? UUID : getPattern(field)
  const examples = EXAMPLES[field.uuid ? 'Uuid' : type]
  const exampleMembers = examples && { examples }
  if (pattern === undefined)
    return { ...single, description: type === 'Json' ? 'A JSON text.' : SEVERAL, ...exampleMembers }
  const several: JsonSchema = { type: 'string', pattern: `^${pattern}(,${pattern})+$` }
  return { anyOf: [...(single.anyOf ?? [single]), several], description: SEVERAL, ...exampleMembers }
}

/** Examples of one value and of multiple values. Enums need none, because their values are listed. */
const EXAMPLES: Partial<Readonly<Record<ScalarType | 'Uuid', readonly unknown[]>>> = {
  String: ['text', 'text,other'],
  Int: [1, '1,2'],
  BigInt: ['1', '1,2'],
  Float: [1.5, '1.5,2'],
  Decimal: ['9.99', '9.99,10'],
  DateTime: ['2024-05-31T12:00:00.000Z', '2024-05-31,2024-06-01'],
  Json: ['{"a":1}'],
  Bytes: ['AQID'],
  Uuid: ['0b1e9b1c-6f7a-4c1e-8f0a-1d2c3b4a5f60'],
}

const SEVERAL = 'One or more values, separated by commas. Any of them matches.'

const UUID = '[\\da-fA-F]{8}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{12}'

/** Patterns for the types whose text cannot contain arbitrary characters such as commas. */
const PATTERNS: Partial<Readonly<Record<ScalarType, string>>> = {
  Boolean: '(true|false)',
  // With this number of digits, a value is always in range.
  Int: '(0|-?[1-9]\\d{0,8})',
  BigInt: '(0|-?[1-9]\\d{0,17})',
  Float: '-?\\d+(\\.\\d+)?',
  Decimal: '-?\\d+(\\.\\d+)?',
  DateTime: '[1-9]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z)?',
}

function getPattern({ type, values = [] }: Pick<Field, 'type' | 'values'>): string | undefined {
  return type === 'Enum' ? `(${values.join('|')})` : PATTERNS[type]
}
