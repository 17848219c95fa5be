import type { Model } from '../../../schema/model.js'
import { readableField } from '../assert-permissions.js'
import { type Args, childPath, expectBoolean, expectObject, type Path, unknownName } from '../argument-helpers.js'

const NUMERIC: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

/** The aggregates of `aggregate` and `groupBy`. */
export const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_avg', '_sum', '_min', '_max'])

/** Validates the fields of one aggregate. */
export function aggregate(model: Model, name: string, value: unknown, path: Path): unknown {
  return name === '_count' ? countSelection(model, value, path) : parseAggregateFields(model, name, value, path)
}

/** Validates the selection of `count`: rows (`true`, `_all`), and rows in which a field is not null. */
export function countSelection(model: Model, value: unknown, path: Path): unknown {
  return typeof value === 'boolean' ? value : parseAggregateFields(model, '_count', value, path)
}

function parseAggregateFields(model: Model, aggregate: string, value: unknown, path: Path): Args {
  const fields: Args = {}
  for (const [name, choice] of Object.entries(expectObject(value, path))) {
    if (aggregate !== '_count' || name !== '_all') {
      const field = readableField(model, name, path)
      const possible =
        aggregate === '_count' || (aggregate !== '_avg' && aggregate !== '_sum') || NUMERIC.has(field.type)
      if (!possible || (field.list && aggregate !== '_count')) unknownName(name, path)
    }
    if (expectBoolean(choice, childPath(path, name))) fields[name] = true
  }
  return fields
}
