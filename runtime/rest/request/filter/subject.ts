import { RequestError } from '../../../errors/request-error.js'
import type { ParsedScalar } from '../../../values/parse.js'
import type { RestModel } from '../../model.js'

/** What a condition is read from, as errors call it. */
export interface Subject {
  /** The parameter's name. */
  readonly name: string
  /** What its values are called, where the parameter holds more than these. */
  readonly label?: string
  /** All of its value. */
  readonly value: string
}

/**
 * A value that was read.
 * @throws RequestError 422 where it could not be
 */
export function parsedValue(subject: Subject, parsed: ParsedScalar): unknown {
  if (!parsed.ok) throw invalidValue(subject, parsed.message)
  return parsed.value
}

/** A 422: a value that the field cannot have. */
export function invalidValue({ name, label = name, value }: Subject, message: string): RequestError {
  const hint = value === 'null' ? ' What is empty is found with "$isNull=true", or with equals(…,null).' : ''
  const detail = `The value of ${label} ${message}.${hint}`
  return new RequestError({ code: 'invalid-value', detail, source: { parameter: name } })
}

/** A 400: an operator that the field, or the database, does not have. */
export function unsupportedOperator({ name }: Pick<Subject, 'name'>, detail: string): RequestError {
  return new RequestError({ code: 'unsupported-operator', detail, source: { parameter: name } })
}

/** The same of an operator that the database does not have. */
export function missingOperator({ name, label }: Subject, operator: string): RequestError {
  const where = label === undefined ? 'The' : `${label}: the`
  return unsupportedOperator({ name }, `${where} database has no operator "$${operator}".`)
}

/** A 400: a name that cannot be filtered by, because nothing is called so, or because the field is computed. */
export function unknownField({ name: parameter }: Pick<Subject, 'name'>, model: RestModel, name: string): RequestError {
  const detail = model.computed.has(name)
    ? `Nothing can be filtered by "${name}", which is computed.`
    : `"${model.type}" has no field "${name}".`
  return new RequestError({ code: 'unknown-field', detail, source: { parameter } })
}

/** The message about a field with a name that Prisma reserves. */
export function reservedFieldMessage(name: string): string {
  return `Filters by "${name}" are not possible: the database client reserves its name.`
}
