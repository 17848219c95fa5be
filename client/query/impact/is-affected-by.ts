import type { Change } from './changes.js'
import type { PlainObject } from './graph.js'
import type { Dependency } from './dependencies.js'
import { cannotMatch, compareOrder, isSameValue } from './compare-values.js'

/** Whether a change may affect the data of a query, so that the query must be refetched. */
export function isAffectedBy(dependency: Dependency, change: Change): boolean {
  const { visible, where } = dependency
  const { kind, row, names } = change
  if (dependency.model !== change.model) return false
  if (kind === 'any' || dependency.any) return true
  const mayChange = (name: string): boolean => (names ? names.has(name) : true)
  const isExcluded = (row: PlainObject): boolean => where.some((condition) => cannotMatch(condition, row))

  // An upsert that finds an existing row does not create one.
  if (kind === 'create' && change.where && visible?.some((visibleRow) => isSame(change, visibleRow))) return false
  if (kind === 'create') return dependency.grows && !isExcluded(row) && !isAfterLastRow(dependency, row)
  if (kind === 'delete') {
    if (!visible) return dependency.shrinks && !isExcluded(row)
    return (
      visible.some((visibleRow) => !cannotMatch(change.where, visibleRow)) ||
      (Boolean(dependency.offset) && !isExcluded(row) && !isAfterLastRow(dependency, row))
    )
  }

  const candidates = visible?.filter((visibleRow) => !cannotMatch(change.where, visibleRow)) ?? []
  const mayDiffer = (name: string, value: unknown): boolean =>
    name in row ? !isSameValue(row[name], value) : mayChange(name)
  for (const candidate of candidates) {
    if (Object.entries(candidate).some(([name, value]) => mayDiffer(name, value))) return true
    if ([...dependency.reads].some((name) => (name in candidate ? mayDiffer(name, candidate[name]) : mayChange(name))))
      return true
  }
  // The visible values stay the same, but the change may still affect which rows match, and their order.
  const changedNames = [...dependency.names].filter(mayChange)
  if (!changedNames[0]) return false
  // If the unchanged values exclude the row, it was not part of the data before the change either.
  if (isExcluded(Object.fromEntries(Object.entries(row).filter(([name]) => !mayChange(name))))) return false
  if (candidates.some((candidate) => changedNames.some((name) => !(name in candidate)))) return true
  // The changed row is visible, and no value that determines its position or whether it matches the filter has changed.
  if (candidates.some((candidate) => isSame(change, candidate))) return false
  if (!visible || dependency.offset) return true
  return !isExcluded(row) && !isAfterLastRow(dependency, row)
}

/** Whether a row is sorted after the last row of a full page. */
function isAfterLastRow({ take, visible, orderBy }: Dependency, row: PlainObject): boolean {
  const last = visible?.at(-1)
  if (!take || take < 0 || !last || !visible || visible.length < take) return false
  const first: unknown = Array.isArray(orderBy) ? orderBy[0] : orderBy
  const [[name, direction] = []] = Object.entries(first ?? {})
  if (name === undefined) return false
  const comparison = compareOrder(row[name], last[name])
  return direction === 'asc' ? comparison > 0 : direction === 'desc' ? comparison < 0 : false
}

/** Whether a row is the changed one: it has the change's id, or all values of a condition that identifies one row. */
function isSame({ id, where }: Change, row: PlainObject): boolean {
  const key = Object.entries(Object(id ?? where))
  return key.length > 0 && key.every(([name, value]) => name in row && isSameValue(row[name], value))
}
