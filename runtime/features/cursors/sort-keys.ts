import { RequestError } from '../../errors/request-error.js'
import { idSelect } from '../../rest/orm/delegate-calls.js'
import { isRow, type Row } from '../../rest/orm/row.js'
import type { SelectionArgs } from '../../rest/orm/selection.js'
import type { OrderBy } from '../../rest/request/query/parse-sort.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { Field } from '../../schema/resource.js'
import { isObject } from '../../values/is-object.js'

/** A field that rows are sorted by. */
export interface SortKey {
  /** The to-one relations to the field's row. Empty for a field of the row itself. */
  readonly path: readonly RelationStep[]
  readonly name: string
  readonly field: Field
  readonly descending: boolean
}

/** A to-one relation on the path of a {@link SortKey}. */
export interface RelationStep {
  readonly name: string
  readonly target: RestModel
  /** Whether the related row may be missing. */
  readonly optional: boolean
}

/**
 * Types that Prisma can compare. Enums cannot be compared, and the schema does not specify how a database sorts their values. Fields marked
 * `inexact` are excluded too, because the client does not receive all of their digits and a cursor would skip rows.
 */
const COMPARED = new Set(['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime'])

/**
 * Returns the sort keys of a sort order.
 * @throws RequestError 400 with the profile's error type if the sort order does not support cursors
 */
export function sortKeys(model: RestModel, orderBy: readonly OrderBy[]): readonly SortKey[] {
  return orderBy.map((entry) => sortKey(model, entry))
}

function sortKey(from: RestModel, entry: OrderBy): SortKey {
  const path: RelationStep[] = []
  let model = from
  let [name, value] = firstEntry(entry)
  while (isObject(value)) {
    const relationship = model.relationships.get(name)
    if (!relationship) break
    const { relation, target } = relationship
    path.push({ name, target, optional: relation.optional === true || !relation.foreignKey })
    model = target
    ;[name, value] = firstEntry(value)
  }
  const field = model.model.fields.get(name)
  if (!field || field.inexact || !COMPARED.has(field.type) || (value !== 'asc' && value !== 'desc')) {
    const isId = path.length === 0 && from.id.fields.some((part) => part.name === name)
    if (isId)
      throw unsupportedSort(
        `"${from.type}" does not support cursors, because its id contains "${name}".`,
        'Use page[offset].',
      )
    const label = name === '_relevance' ? 'relevance' : `"${name}"`
    throw unsupportedSort(`Cursors do not support sorting by ${label}.`)
  }
  return { path, name, field, descending: value === 'desc' }
}

function firstEntry(entry: object): [string, unknown] {
  return Object.entries(entry)[0] ?? ['', undefined]
}

/** Returns the profile's error for a sort order that does not support cursors. */
export function unsupportedSort(detail: string, fix = 'Use page[offset], or sort by other fields.'): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `${detail} ${fix}`,
    source: { parameter: 'sort' },
    type: `${CURSOR_PROFILE}/unsupported-sort`,
  })
}

/** Whether a key may be null, because its field or a row on its path is optional. */
export function isNullable({ field, path }: SortKey): boolean {
  return field.optional === true || path.some(({ optional }) => optional)
}

/** Returns the value of a key in a row. Undefined if it was not loaded. */
export function keyValue(row: Row, { path, name }: SortKey): unknown {
  let at: unknown = row
  for (const step of path) {
    at = isRow(at) ? at[step.name] : at
    if (at === null || at === undefined) return at
  }
  return isRow(at) ? at[name] : undefined
}

/** Adds a key to the arguments that load a row, even if a fieldset or the client omits it. */
export function selectKey(args: SelectionArgs, key: Pick<SortKey, 'path' | 'name'>): SelectionArgs {
  const [step, ...path] = key.path
  if (!step) return withField(args, key.name)
  const part = args.select ? 'select' : 'include'
  const loaded = args[part]?.[step.name]
  const below = isObject(loaded) ? loaded : loaded ? {} : { select: idSelect(step.target) }
  return { ...args, [part]: { ...args[part], [step.name]: selectKey(below, { ...key, path }) } }
}

function withField(args: SelectionArgs, name: string): SelectionArgs {
  if (args.select) return { ...args, select: { ...args.select, [name]: true } }
  if (!args.omit?.[name]) return args
  return { ...args, omit: Object.fromEntries(Object.entries(args.omit).filter(([other]) => other !== name)) }
}

/** The URI of the cursor pagination profile. Responses that follow the profile name it in their media type. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
