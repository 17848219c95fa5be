import { RequestError, type ErrorDetail } from '../../errors/request-error.js'
import type { Model } from '../../schema/model.js'
import type { Field } from '../../schema/resource.js'
import { fromText } from '../../values/from-json.js'
import { normalizeDecimal } from '../../values/parse-scalars.js'
import { getEncoding } from '../../values/to-json.js'
import { errorAt } from './request-errors.js'

/** The unique criterion that identifies the resources of a model. */
export interface IdDefinition {
  /** The criterion's name in Prisma's unique `where`. */
  readonly criterion: string
  /** The criterion's fields, in order. */
  readonly fields: readonly IdField[]
  /** Whether there is more than one field. The criterion then has its own name, and the parts of an id are escaped. */
  readonly compound: boolean
}

/** A field of a resource's id. */
export interface IdField {
  readonly name: string
  readonly field: Field
}

/** Values of an id's fields, by field name. */
export type IdValues = Readonly<Record<string, unknown>>

/**
 * Creates the id definition of a model.
 * @throws Error if one of the fields is nullable, because rows with a null would have no id
 */
export function createIdDefinition(model: Model, criterion: string): IdDefinition {
  const names = model.uniques.get(criterion) ?? []
  const fields = names.map((name) => {
    const field = model.fields.get(name)
    if (!field) throw new Error(`The field "${name}" of ${model.name} is not exposed.`)
    if (field.optional) {
      throw new Error(`${model.name} cannot be identified by "${criterion}", because its field "${name}" may be null.`)
    }
    return { name, field }
  })
  return { criterion, fields, compound: fields.length > 1 }
}

/**
 * Formats the id of a resource, always as a string. The parts of a compound id are joined with `_`; `%` and `_` inside a part are
 * percent-encoded, so that ids are unique. A single value is used unchanged, with two exceptions: values that cannot be a path segment
 * (empty, `.` and `..`) and values that start with `%` are prefixed with `%`.
 * @param values the values of the id's fields, in order
 */
export function formatId(spec: IdDefinition, values: readonly unknown[]): string {
  if (!spec.compound) return escapeSingle(partText(spec.fields[0]?.field, values[0]))
  return values
    .map((value, index) => partText(spec.fields[index]?.field, value).replaceAll('%', '%25').replaceAll('_', '%5F'))
    .join('_')
}

/**
 * Parses an id. Accepts only the exact output of {@link formatId}, so that each resource has one URL.
 * @returns undefined if no resource can have this id
 */
export function parseId(spec: IdDefinition, id: string): IdValues | undefined {
  const values = parseLenientId(spec, id)
  return values && rowId(spec, values) === id ? values : undefined
}

/**
 * Parses an id in the body of a create or in a filter. Accepts every spelling that its fields accept, such as `2024-05-31` or `1.50`.
 * @returns undefined if no resource can have this id
 */
export function parseLenientId(spec: IdDefinition, id: string): IdValues | undefined {
  const parts = spec.compound ? id.split('_').map(unescapePart) : [unescapeSingle(id)]
  if (parts.length !== spec.fields.length) return undefined
  const values: Record<string, unknown> = {}
  for (const [index, { name, field }] of spec.fields.entries()) {
    const part = parts[index]
    if (part === undefined) return undefined
    const parsed = fromText(field, part)
    if (!parsed.ok) return undefined
    values[name] = parsed.value
  }
  return values
}

/**
 * Returns the id of a row, or the canonical spelling of a parsed id.
 * @param row the row, or the values of the id's fields
 * @throws RequestError 403 if the row does not contain the id's fields, because access policies hide them
 */
export function rowId(spec: IdDefinition, row: Readonly<Record<string, unknown>>): string {
  const only = spec.fields[0]
  const first = only && row[only.name]
  // Fast path for the most common ids.
  if (typeof first === 'number' && !spec.compound) return String(first)
  const values = spec.fields.map(({ name }) => row[name])
  if (!values.includes(undefined)) return formatId(spec, values)
  throw new RequestError({ code: 'forbidden', detail: 'The id of a resource is not readable.' })
}

/** Returns Prisma's unique `where` for an id. */
export function uniqueWhere(spec: IdDefinition, values: IdValues): Record<string, unknown> {
  return spec.compound ? { [spec.criterion]: { ...values } } : { ...values }
}

function partText(field: Field | undefined, value: unknown): string {
  if (typeof value === 'string') return field?.type === 'Decimal' ? normalizeDecimal(value) : value
  if (typeof value === 'number') return String(value)
  const encoding = field && getEncoding(field)
  return String(encoding ? encoding.encode(value) : value)
}

function escapeSingle(text: string): string {
  return text === '' || text === '.' || text === '..' || text.startsWith('%') ? `%${text}` : text
}

function unescapeSingle(id: string): string | undefined {
  const text = id.startsWith('%') ? id.slice(1) : id
  return escapeSingle(text) === id ? text : undefined
}

function unescapePart(part: string): string | undefined {
  const text = part.replaceAll('%5F', '_').replaceAll('%25', '%')
  return text.replaceAll('%', '%25').replaceAll('_', '%5F') === part ? text : undefined
}

/** Returns an id in a body as a string, or undefined if the id is neither a string nor a number. */
export function idString(id: unknown): string | undefined {
  if (typeof id === 'string') return id
  return typeof id === 'number' ? String(id) : undefined
}

/** Whether an id is a number that JSON may have rounded, so that it could be the id of another row. */
export function isUnsafeInteger(id: unknown): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}

/** Returns the error for an id that JSON may have rounded. See {@link isUnsafeInteger}. */
export function unsafeIdError(pointer: string): ErrorDetail {
  return errorAt('invalid-value', pointer, 'This number may be rounded. Send the id as a string.')
}
