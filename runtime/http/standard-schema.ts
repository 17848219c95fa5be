import { type ErrorDetail, RequestError, throwErrors } from '../errors/request-error.js'
import { isObject } from '../values/is-object.js'
import { parseFloat64, parseString } from '../values/parse-scalars.js'
import { describeValueError, type ValueError } from '../values/value-error.js'
import { describeIssue, type ValidationIssue } from './validation-issue.js'

/** A schema of any library that implements [Standard Schema](https://standardschema.dev), such as zod. `I` is its input, `O` its output. */
export interface StandardSchema<I = unknown, O = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => ValidationResult<O> | Promise<ValidationResult<O>>
    readonly types?: { readonly input: I; readonly output: O } | undefined
  }
}

/** The type of the values that a schema returns. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/** The type of the values that a schema accepts. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']

type ValidationResult<O> =
  { readonly value: O; readonly issues?: undefined } | { readonly issues: readonly ValidationIssue[] }

/** Returns the code and location of an error from its path in a value. */
type Locate = (path: readonly (string | number)[]) => Pick<ErrorDetail, 'code' | 'path' | 'source'>

/**
 * Validates a value with a schema and returns the schema's output.
 * @param locate returns the code and location of an error, from its path in the value
 * @throws RequestError with an error for each issue, up to 100. If the path is not empty, `detail` begins with it, and `message` omits it
 */
export async function applySchema<O>(schema: StandardSchema<unknown, O>, value: unknown, locate: Locate): Promise<O> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  const { vendor } = schema['~standard']
  throwErrors(
    result.issues.slice(0, MAX_ERRORS).map((issue): ErrorDetail => {
      const { path, message, rule } = describeIssue(issue, vendor)
      const sentence = /[.!?]$/.test(message) ? message : `${message}.`
      const messages = path.length > 0 ? { detail: `${path.join('.')}: ${sentence}`, message } : { detail: sentence }
      return { ...locate(path), ...messages, ...(rule && { rule }) }
    }),
  )
  throw new RequestError({ ...locate([]), detail: 'The value is invalid.' })
}

/**
 * Like {@link applySchema}, for values from requests. Also rejects text and numbers that not every database can store, as generated routes do.
 * @throws RequestError
 */
export async function applyInputSchema<O>(
  schema: StandardSchema<unknown, O>,
  value: unknown,
  locate: Locate,
): Promise<O> {
  const invalid = findInvalidScalar(value, [])
  if (!invalid) return applySchema(schema, value, locate)
  const { path } = invalid
  throw new RequestError({ ...locate(path), ...describeValueError(path.join('.'), { type: 'String' }, invalid) })
}

/** Returns the first text, name or number in a value that not every database can store. */
function findInvalidScalar(value: unknown, path: readonly (string | number)[]): ValueError | undefined {
  const parsed =
    typeof value === 'string' ? parseString(value) : typeof value === 'number' ? parseFloat64(value) : undefined
  if (parsed) return parsed.ok ? undefined : { path, message: parsed.message, rule: { rule: 'custom' } }
  if (!Array.isArray(value) && !isObject(value)) return undefined
  for (const [key, member] of Object.entries(value)) {
    const memberPath = [...path, Array.isArray(value) ? Number(key) : key]
    const found = findInvalidScalar(key, memberPath) ?? findInvalidScalar(member, memberPath)
    if (found) return found
  }
  return undefined
}

/** The maximum number of errors of one value. */
const MAX_ERRORS = 100
