import { fromJson } from '../values/from-json.js'
import { isObject } from '../values/is-object.js'
import { isDecimal } from '../values/to-json.js'
import { describeValueError, MISSING } from '../values/value-error.js'
import type { Input, InputField, InputFields, InputIssue, InputSchema } from './input-types.js'

// Validation of written values outside the server. Has no dependencies, so that it can be part of a browser bundle.
export type { CreateValues, Input, InputField, InputJson, InputSchema, UpdateValues } from './input-types.js'

/**
 * Creates the schemas of a model's input, with the server's rules and messages. Other members, such as relations, are not validated.
 * Called by the emitted `input.ts`.
 * @param fields the fields that callers can write
 */
export function createInput<const F extends InputFields>(fields: F): Input<F> {
  const entries = Object.entries(fields)
  return {
    create: createSchema(entries, findMissing),
    update: createSchema(
      entries.filter(([, { id }]) => !id),
      () => [],
    ),
  }
}

type Values = Readonly<Record<string, unknown>>
type Entries = readonly (readonly [name: string, field: InputField])[]

function createSchema<T, V, R>(
  fields: Entries,
  check: (fields: Entries, values: Values) => InputIssue[],
): InputSchema<T, V, R> {
  const validateFields = (values: Values): InputIssue[] => [
    ...fields.flatMap(([name, field]) => (hasValue(values, name) ? validateValue(name, field, values[name]) : [])),
    ...check(fields, values),
  ]
  // The predicate narrows the value to the schema's type, which the compiler cannot infer from the loop over the fields.
  const isValid = (value: unknown, issues: readonly InputIssue[]): value is T => isObject(value) && issues.length === 0
  return {
    '~standard': {
      version: 1,
      vendor: 'routewright',
      validate(value) {
        const issues = isObject(value) ? validateFields(value) : [{ message: 'Must be an object.' }]
        return isValid(value, issues) ? { value } : { issues }
      },
    },
    forForm: () => createSchema(fields, check),
  }
}

/** Whether the clients send a member. They omit undefined values. */
function hasValue(values: Values, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] !== undefined
}

function findMissing(fields: Entries, values: Values): InputIssue[] {
  return fields.flatMap(([name, { required, relations = [] }]) =>
    required && ![name, ...relations].some((each) => hasValue(values, each)) ? [toIssue([name], MISSING)] : [],
  )
}

function validateValue(name: string, field: InputField, value: unknown): InputIssue[] {
  // Prisma's null values for Json columns.
  if (field.type === 'Json' && typeof value === 'object' && value !== null && '_getName' in value) return []
  const parsed = fromJson(field, toSent(field, value))
  if (parsed.ok) return []
  return parsed.errors.map((error) => toIssue([name, ...error.path], describeValueError(name, field, error)))
}

function toIssue(
  path: readonly (string | number)[],
  { message, rule: { rule: code, ...params } }: typeof MISSING,
): InputIssue {
  return { message, path, code, params }
}

/** Converts a value to the form in which the clients send it, unless the server's validation accepts it as it is. */
function toSent(field: InputField, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (field.type === 'Json') return withoutUndefined(value)
  if (field.type !== 'Decimal') return value
  if (Array.isArray(value)) return value.map((element) => toSent(field, element))
  return isDecimal(value) ? value.toFixed() : value
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutUndefined(member)]))
}
