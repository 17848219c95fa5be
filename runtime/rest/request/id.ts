import { RequestError } from '../../errors/request-error.js'
import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/schema.js'
import { fromText } from '../../values/from-text.js'
import { plainDecimal } from '../../values/parse.js'
import { getEncoding } from '../../values/to-json.js'

/** What identifies a resource: a unique criterion of its model (design 5: compound ids, ids in URLs and links). */
export interface IdDefinition {
  /** The criterion's name in Prisma's unique `where`. */
  readonly criterion: string
  /** Its fields, in order. */
  readonly fields: readonly IdField[]
  /** More than one field: the criterion's name is not the field's own, and parts are escaped. */
  readonly compound: boolean
}

export interface IdField {
  readonly name: string
  readonly field: Field
}

/** Values of an id's fields, by field name. */
export type IdValues = Readonly<Record<string, unknown>>

/**
 * Makes a criterion of a model ready to identify its resources.
 * @throws Error where one of its fields may be null: rows without a value would have no id
 */
export function createIdDefinition(model: Model, criterion: string): IdDefinition {
  const names = model.uniques.get(criterion) ?? []
  const fields = names.map((name) => {
    const field = model.fields.get(name)
    if (!field) throw new Error(`The field "${name}" of ${model.name} is not on the wire.`)
    if (field.optional) {
      throw new Error(`${model.name} cannot be identified by "${criterion}": its field "${name}" may be null.`)
    }
    return { name, field }
  })
  return { criterion, fields, compound: fields.length > 1 }
}

/**
 * The id of a resource, always a string. The parts of a compound id are joined with `_`; `%` and `_` inside a part are
 * percent-encoded, so that two rows never share an id. A single value is its own id, except for the three that no URL can
 * hold as a path segment (empty, `.` and `..`), which are written with a leading `%`, as is one that begins with `%` itself.
 * @param values the values of the id's fields, in order
 */
export function formatId(spec: IdDefinition, values: readonly unknown[]): string {
  if (!spec.compound) return escapeSingle(partText(spec.fields[0]?.field, values[0]))
  return values
    .map((value, index) => partText(spec.fields[index]?.field, value).replaceAll('%', '%25').replaceAll('_', '%5F'))
    .join('_')
}

/**
 * Reads an id back. Strict: what {@link formatId} would not have written is no id, so that a resource has one URL.
 * @returns undefined where no resource can have this id
 */
export function parseId(spec: IdDefinition, id: string): IdValues | undefined {
  const values = parseLenientId(spec, id)
  return values && rowId(spec, values) === id ? values : undefined
}

/**
 * Reads an id that a value is made or looked for by, in any spelling that its fields' values may have: `2024-05-31`, `1.50`.
 * @returns undefined where no resource can have this id
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
 * The id of a row.
 * @throws RequestError 403 where the row comes without the id's fields: access policies do not let them be read
 */
export function rowId(spec: IdDefinition, row: Readonly<Record<string, unknown>>): string {
  const only = spec.fields[0]
  const first = only && row[only.name]
  // Most ids are such numbers.
  if (typeof first === 'number' && !spec.compound) return String(first)
  const values = spec.fields.map(({ name }) => row[name])
  if (!values.includes(undefined)) return formatId(spec, values)
  throw new RequestError({ code: 'forbidden', detail: 'The id of a resource may not be read.' })
}

/** The id of the same row, whatever spelling it was given in. */
export function canonicalId(spec: IdDefinition, values: IdValues): string {
  return rowId(spec, values)
}

/** Prisma's unique `where` for an id. */
export function uniqueWhere(spec: IdDefinition, values: IdValues): Record<string, unknown> {
  return spec.compound ? { [spec.criterion]: { ...values } } : { ...values }
}

function partText(field: Field | undefined, value: unknown): string {
  if (typeof value === 'string') return field?.type === 'Decimal' ? plainDecimal(value) : value
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
