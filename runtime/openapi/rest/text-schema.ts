import type { Field, ScalarType } from '../../schema/resource.js'
import type { JsonSchema } from '../document.js'
import { elementSchema } from '../schemas/field-schema.js'

/** The schema of one value in a URL. */
export function textSchema(field: Pick<Field, 'type' | 'values' | 'uuid'>): JsonSchema {
  const { type } = field
  if (type === 'Json') return { type: 'string', contentMediaType: 'application/json' }
  return elementSchema(field)
}

/** The schema of one value in a URL, or of several with commas between them. */
export function listOfTexts(field: Pick<Field, 'type' | 'values' | 'uuid'>): JsonSchema {
  const { type } = field
  const one = textSchema(field)
  const pattern = field.uuid ? UUID : patternOf(field)
  if (pattern === undefined) return { ...one, description: type === 'Json' ? 'JSON, as text.' : SEVERAL }
  const several: JsonSchema = { type: 'string', pattern: `^${pattern}(,${pattern})+$` }
  return { anyOf: [...(one.anyOf ?? [one]), several], description: SEVERAL }
}

const SEVERAL = 'A value, or several with commas between them: any of them.'

const UUID = '[\\da-fA-F]{8}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{12}'

/** What texts of these types look like; other texts may hold anything, commas too. */
const PATTERNS: Partial<Readonly<Record<ScalarType, string>>> = {
  Boolean: '(true|false)',
  // As many digits as surely fit.
  Int: '(0|-?[1-9]\\d{0,8})',
  BigInt: '(0|-?[1-9]\\d{0,17})',
  Float: '-?\\d+(\\.\\d+)?',
  Decimal: '-?\\d+(\\.\\d+)?',
  DateTime: '[1-9]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z)?',
}

function patternOf({ type, values = [] }: Pick<Field, 'type' | 'values'>): string | undefined {
  return type === 'Enum' ? `(${values.join('|')})` : PATTERNS[type]
}
