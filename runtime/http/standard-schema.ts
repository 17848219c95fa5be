import { type ErrorDetail, RequestError, throwErrors } from '../errors/request-error.js'
import { brokenRule } from '../values/value-error.js'

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

interface ValidationIssue {
  readonly message: string
  /** The path in the value, outermost first. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  /** The code of the violated rule, in issues of zod and of the emitted `input.ts`. */
  readonly code?: string
  /** The parameters of the rule, in issues of `input.ts`. In issues of zod, they are further properties. */
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * Validates a value with a schema and returns the schema's output.
 * @param locate returns the code and location of an error, from its path in the value
 * @throws RequestError with an error for each issue. The `detail` begins with the path, the `message` does not contain it
 */
export async function applySchema<O>(
  schema: StandardSchema<unknown, O>,
  value: unknown,
  locate: (path: readonly (string | number)[]) => Pick<ErrorDetail, 'code' | 'path' | 'source'>,
): Promise<O> {
  const { validate, vendor } = schema['~standard']
  const result = await validate(value)
  if (!result.issues) return result.value
  throwErrors(
    result.issues.map((issue): ErrorDetail => {
      const { message } = issue
      const path = (issue.path ?? []).map(toJsonKey)
      const rule = findRule(issue, vendor)
      const texts = path.length > 0 ? { detail: `${path.join('.')}: ${message}`, message } : { detail: message }
      return { ...locate(path), ...texts, ...(rule && { rule }) }
    }),
  )
  throw new RequestError({ ...locate([]), detail: 'The value is invalid.' })
}

/** Converts a part of a path to a key or index that JSON can represent. */
function toJsonKey(part: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof part === 'object' ? part.key : part
  return typeof key === 'symbol' ? String(key) : key
}

/** Returns the rule that an issue names. Other libraries use `code` for different values. */
function findRule(issue: ValidationIssue, vendor: string): ErrorDetail['rule'] {
  if (vendor === 'zod') return brokenRule(issue)
  const { code, params } = issue
  return vendor === 'routewright' && code !== undefined ? { rule: code, ...params } : undefined
}
