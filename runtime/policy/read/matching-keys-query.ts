import { chunkKeys, whereAnyKey } from '../../prisma/keys.js'
import { callClient } from '../../prisma/call-client.js'
import { restrict } from '../rules/condition.js'
import type { MatchRows } from './redact.js'
import { rowKey } from '../row-id.js'

/** Creates a function that queries which rows match a filter. */
export function matchingKeysQuery(getClient: () => object): MatchRows {
  return async (model, ids, where) => {
    const keys = new Set<string>()
    const select = Object.fromEntries(model.idFields.map((field) => [field, true]))
    for (const chunk of chunkKeys(model.idFields, ids)) {
      const matching = restrict(model, whereAnyKey(model.idFields, chunk), [where])
      const rows = await callClient(getClient(), model, 'findMany', { where: matching, select })
      for (const row of rows) keys.add(rowKey(model, row))
    }
    return keys
  }
}
