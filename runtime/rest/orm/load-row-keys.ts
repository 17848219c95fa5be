import { serializeKey, whereAnyKey } from '../../prisma/keys.js'
import { findMany } from './delegate-calls.js'
import type { RestModel } from '../rest-model.js'
import type { Row } from './row.js'
import { idSelect } from './id-select.js'
import { selectFields } from '../../prisma/select-fields.js'

/**
 * Creates a function that returns the key of a row: the values of the fields that relations refer to. If the client omits such a field from
 * its rows, the field is loaded separately, so that it does not appear in the response.
 * @returns a function that returns undefined for rows with a null in the key
 */
export async function loadRowKeys(
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
