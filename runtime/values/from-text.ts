import type { Field } from '../schema/resource.js'
import { scalarFromJson } from './from-json.js'
import {
  invalidResult,
  validResult,
  parseBytes,
  parseDateTime,
  parseDecimal,
  parseEnum,
  parseFloat,
  parseInt32Text,
  parseInt64,
  parseString,
  parseUuid,
  type ParsedScalar,
} from './parse.js'

const FLOAT = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i

/**
 * Checks a value given as text, in a URL: a filter's value, or a part of an id. Strict, so that `1abc`, ` 1` and `0x10` are
 * faults and never the number they start with.
 * @param field the field it is compared with; of a list, one element
 */
export function fromText(field: Field, text: string): ParsedScalar {
  switch (field.type) {
    case 'String':
      return field.uuid ? parseUuid(text) : parseString(text)
    case 'Boolean':
      return text === 'true' || text === 'false' ? validResult(text === 'true') : invalidResult('must be true or false')
    case 'Int':
      return parseInt32Text(text)
    case 'BigInt':
      return parseInt64(text)
    case 'Float':
      return FLOAT.test(text) ? parseFloat(Number(text)) : invalidResult('must be a number')
    case 'Decimal':
      return parseDecimal(text)
    case 'DateTime':
      return parseDateTime(text)
    case 'Json':
      return jsonFromText(text)
    case 'Bytes':
      return parseBytes(text)
    case 'Enum':
      return parseEnum(field, text)
  }
}

function jsonFromText(text: string): ParsedScalar {
  try {
    return scalarFromJson({ type: 'Json' }, JSON.parse(text))
  } catch {
    return invalidResult('must be JSON')
  }
}
