import { consumeListQueries } from '../../rest/orm/loading-budget.js'
import type { LoadLimitedLists } from '../../rest/orm/loading-types.js'
import type { Row } from '../../rest/orm/row.js'

/** Maximum number of lists that are loaded concurrently. */
const MAX_CONCURRENT_LISTS = 10

/** Loads limited lists, each with its own query unless they can be loaded together. */
export const loadLimitedLists: LoadLimitedLists = async (loading, keys, batch, load) => {
  const joined = await loading.joinLists?.(loading, keys, batch)
  if (joined) return joined
  consumeListQueries(loading, keys.length)
  const members: Row[] = []
  for (let at = 0; at < keys.length; at += MAX_CONCURRENT_LISTS) {
    const lists = await Promise.all(keys.slice(at, at + MAX_CONCURRENT_LISTS).map((key) => load(loading, [key], batch)))
    members.push(...lists.flatMap((list) => list.slice(0, batch.list?.limit)))
  }
  return members
}
