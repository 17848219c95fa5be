import { type ErrorDetail, RequestError } from '../errors/request-error.js'

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
}

/**
 * Validates a value with a schema and returns the schema's output.
 * @param toDetail creates the error for an issue, from its message and its path in the value
 * @throws RequestError with an error for each issue
 */
export async function applySchema<O>(
  schema: StandardSchema<unknown, O>,
  value: unknown,
  toDetail: (message: string, path: readonly (string | number)[]) => ErrorDetail,
): Promise<O> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  const [first, ...others] = result.issues.map(({ message, path = [] }) => toDetail(message, path.map(toJsonKey)))
  throw new RequestError([first ?? toDetail('The value is invalid.', []), ...others])
}

/** Converts a part of a path to a key or index that JSON can represent. */
function toJsonKey(part: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof part === 'object' ? part.key : part
  return typeof key === 'symbol' ? String(key) : key
}
