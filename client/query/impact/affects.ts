import type { Change } from './changes.js'
import type { Members } from './graph.js'
import type { Dependency } from './dependencies.js'
import { certainlyFails, compareOrder, isSameValue } from './compare-values.js'

/** Whether what a query shows may be different after a change, so that it has to be read again. */
export function affects(place: Dependency, change: Change): boolean {
  const { shown, where } = place
  const { kind, row, names } = change
  if (place.model !== change.model) return false
  if (kind === 'any' || place.any) return true
  const may = (name: string): boolean => (names ? names.has(name) : true)
  const out = (row: Members): boolean => where.some((each) => certainlyFails(each, row))

  // What an upsert found is not made.
  if (kind === 'create' && change.where && shown?.some((each) => isSame(change, each))) return false
  if (kind === 'create') return place.grows && !out(row) && !isBeyond(place, row)
  if (kind === 'delete') {
    if (!shown) return place.shrinks && !out(row)
    return (
      shown.some((each) => !certainlyFails(change.where, each)) ||
      (Boolean(place.offset) && !out(row) && !isBeyond(place, row))
    )
  }

  const known = shown?.filter((each) => !certainlyFails(change.where, each)) ?? []
  const isOther = (name: string, value: unknown): boolean => (name in row ? !isSameValue(row[name], value) : may(name))
  for (const each of known) {
    if (Object.entries(each).some(([name, value]) => isOther(name, value))) return true
    if ([...place.reads].some((name) => (name in each ? isOther(name, each[name]) : may(name)))) return true
  }
  // What is left of it: rows that are found no longer, or elsewhere, and others that are found now.
  const decisive = [...place.names].filter(may)
  if (!decisive[0]) return false
  // What does not change was so before.
  if (out(Object.fromEntries(Object.entries(row).filter(([name]) => !may(name))))) return false
  if (known.some((each) => decisive.some((name) => !(name in each)))) return true
  // It is the one row that is shown, and has the values by which it was found.
  if (known.some((each) => isSame(change, each))) return false
  if (!shown || place.offset) return true
  return !out(row) && !isBeyond(place, row)
}

/** Whether a row comes after the last one that is shown, where no more are. */
function isBeyond({ take, shown, orderBy }: Dependency, row: Members): boolean {
  const last = shown?.at(-1)
  if (!take || take < 0 || !last || !shown || shown.length < take) return false
  const first: unknown = Array.isArray(orderBy) ? orderBy[0] : orderBy
  const [[name, direction] = []] = Object.entries(first ?? {})
  if (name === undefined) return false
  const between = compareOrder(row[name], last[name])
  return direction === 'asc' ? between > 0 : direction === 'desc' ? between < 0 : false
}

/** Whether a row is the one that changes: it has its id, or all values of the condition, which then is of one row. */
function isSame({ id, where }: Change, row: Members): boolean {
  const key = Object.entries(Object(id ?? where))
  return key.length > 0 && key.every(([name, value]) => name in row && isSameValue(row[name], value))
}
