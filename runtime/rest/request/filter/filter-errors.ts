import { RequestError } from '../../../errors/request-error.js'
import type { ParsedScalar } from '../../../values/parse-scalars.js'
import type { RestModel } from '../../rest-model.js'
import { malformedParameter } from '../query/parse-query.js'

/** The part of the request that contains a condition, for error messages. */
export interface Subject {
  /** The name of the parameter. */
  readonly name: string
  /** A description of the value, if it is only a part of the parameter's value. */
  readonly label?: string
  /** The complete value. */
  readonly value: string
}

/**
 * Returns a parsed value.
 * @throws RequestError 422 if parsing failed
 */
export function parsedValue(subject: Subject, parsed: ParsedScalar): unknown {
  if (!parsed.ok) throw invalidValue(subject, parsed.message)
  return parsed.value
}

/** Returns a 422 error for a value that the field cannot have. */
export function invalidValue({ name, label = name, value }: Subject, message: string): RequestError {
  const hint = value === 'null' ? ' To match null, use "$isNull=true" or equals(…,null).' : ''
  const detail = `The value of ${label} ${message}.${hint}`
  return new RequestError({ code: 'invalid-value', detail, source: { parameter: name } })
}

/** Returns a 400 error for an operator that the field or the database does not support. */
export function unsupportedOperator({ name }: Pick<Subject, 'name'>, detail: string): RequestError {
  return new RequestError({ code: 'unsupported-operator', detail, source: { parameter: name } })
}

/** Returns a 400 error for an operator that the database does not support. */
export function missingOperator({ name, label }: Subject, operator: string): RequestError {
  const where = label === undefined ? 'The' : `${label}: the`
  return unsupportedOperator({ name }, `${where} database does not support the operator "$${operator}".`)
}

/** Returns a 400 error for a name that is unknown or belongs to a computed field. */
export function unknownField({ name: parameter }: Pick<Subject, 'name'>, model: RestModel, name: string): RequestError {
  const detail = model.computed.has(name)
    ? `"${name}" is computed and cannot be used in filters.`
    : `"${model.type}" has no field "${name}".`
  return new RequestError({ code: 'unknown-field', detail, source: { parameter } })
}

/** Returns the error message for a field whose name Prisma reserves. */
export function reservedFieldMessage(name: string): string {
  return `"${name}" cannot be used in filters, because the database client reserves its name.`
}

/** Returns the single value of a parameter that does not accept a list. */
export function singleValue(values: readonly string[], subject: Subject): string {
  const [only] = values
  if (only === undefined || values.length > 1) throw malformedParameter(subject, 'Must have exactly one value.')
  return only
}
