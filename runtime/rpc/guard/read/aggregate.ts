import type { Model } from '../../../schema/schema.js'
import { readableField } from '../permissions.js'
import { type Args, childPath, expectBoolean, expectObject, type Path, unknownName } from '../arguments.js'

const NUMERIC: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

/** The aggregates of `aggregate` and `groupBy`. */
export const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_avg', '_sum', '_min', '_max'])

/** Checks one aggregate: which fields it is taken of. */
export function aggregate(model: Model, name: string, value: unknown, at: Path): unknown {
  return name === '_count' ? countSelection(model, value, at) : fieldsOf(model, name, value, at)
}

/** Checks what `count` counts: rows (`true`, `_all`), and rows in which a field is not null. */
export function countSelection(model: Model, value: unknown, at: Path): unknown {
  return typeof value === 'boolean' ? value : fieldsOf(model, '_count', value, at)
}

function fieldsOf(model: Model, aggregate: string, value: unknown, at: Path): Args {
  const fields: Args = {}
  for (const [name, choice] of Object.entries(expectObject(value, at))) {
    if (aggregate !== '_count' || name !== '_all') {
      const field = readableField(model, name, at)
      const possible =
        aggregate === '_count' || (aggregate !== '_avg' && aggregate !== '_sum') || NUMERIC.has(field.type)
      if (!possible || (field.list && aggregate !== '_count')) unknownName(name, at)
    }
    if (expectBoolean(choice, childPath(at, name))) fields[name] = true
  }
  return fields
}
