import { serializeKey, whereAnyKey } from '../../orm/keys.js'
import { findMany } from './delegates.js'
import type { RestModel } from '../model.js'
import type { Row } from './row.js'
import { idSelect } from './selection.js'
import { selectFields } from '../../orm/select-fields.js'

/**
 * How to tell the key of each of some rows: the values of fields that relations refer to or are held by. Where the client
 * leaves such a field out of its rows, it is asked for once more, so that what it leaves out stays out of the answer.
 * @returns undefined for a row that has no value in one of them
 */
export async function rowKeys(
  orm: unknown,
  model: RestModel,
  rows: readonly Row[],
  names: readonly string[],
): Promise<(row: Row) => Row | undefined> {
  const isFilled = (row: Row | undefined) => names.every((name) => row?.[name] !== null && row?.[name] !== undefined)
  if (rows.every((row) => names.every((name) => row[name] !== undefined))) {
    return (row) => (isFilled(row) ? row : undefined)
  }
  const ids = model.id.fields.map(({ name }) => name)
  const select = { ...idSelect(model), ...selectFields(names) }
  const found = await findMany(orm, model, { where: whereAnyKey(ids, rows), select })
  const byId = new Map(found.map((row) => [serializeKey(ids, row), row]))
  return (row) => {
    const key = byId.get(serializeKey(ids, row))
    return isFilled(key) ? key : undefined
  }
}
