import type { Field } from '../schema/resource.js'
import { scalarFromJson } from './from-json.js'
import { DECIMAL, invalidResult, parseFloat, parseInt32Text, type ParsedScalar, validResult } from './parse-scalars.js'

/**
 * Validates a value from a URL: a filter value, or a part of an id. Strict, so that `1abc`, ` 1` and `0x10` are rejected instead of being
 * parsed as numbers.
 * @param field the field that the value is compared with; for a list field, with one of its elements
 */
export function fromText(field: Field, text: string): ParsedScalar {
  switch (field.type) {
    case 'Boolean':
      return text === 'true' || text === 'false' ? validResult(text === 'true') : invalidResult('must be true or false')
    case 'Int':
      return parseInt32Text(text)
    case 'Float':
      return DECIMAL.test(text) ? parseFloat(Number(text)) : invalidResult('must be a number')
    case 'Json':
      return jsonFromText(text)
    default:
      // The other types are also strings in JSON.
      return scalarFromJson(field, text)
  }
}

function jsonFromText(text: string): ParsedScalar {
  try {
    return scalarFromJson({ type: 'Json' }, JSON.parse(text))
  } catch {
    return invalidResult('must be JSON')
  }
}
