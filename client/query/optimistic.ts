import type { ParseQueryKey } from './cache.js'
import type { QueryClientLike } from './tanstack.js'
import { type Graph, isPlainObject, isScalar, type PlainObject, getRelation } from './impact/graph.js'
import { cannotMatch, isSameValue } from './impact/compare-values.js'

/** An update to show before the server responds. */
export interface OptimisticUpdate {
  readonly model: string
  /** The condition that identifies the rows. */
  readonly where: PlainObject
  /** Returns the new row, or undefined if the row is deleted. */
  readonly change: (row: PlainObject) => PlainObject | undefined
}

/** The optimistic updates of a mutation, which can be undone. */
export interface OptimisticContext {
  /** The hashes of the updated queries. */
  readonly hashes: readonly string[]
  /** Restores the previous data, except in queries that have received new data since. */
  undo(): void
}

/**
 * Updates the affected rows in all cached queries before the server responds.
 * @throws TypeError if `where` cannot be evaluated on cached rows
 */
export async function applyOptimisticUpdate(
  client: QueryClientLike,
  prefix: readonly unknown[],
  graph: Graph,
  parseKey: ParseQueryKey,
  { model, where, change }: OptimisticUpdate,
): Promise<OptimisticContext> {
  assertComparable(where)
  /** Returns the same object if nothing in it changes. */
  const applyChange = (modelName: string, value: unknown, seen: readonly unknown[] = []): unknown => {
    if (Array.isArray(value)) {
      const elements = value.map((element) => applyChange(modelName, element, seen))
      return elements.every((element, index) => element === value[index])
        ? value
        : copyShape(
            value,
            elements.filter((element) => element !== undefined),
          )
    }
    if (!isPlainObject(value) || seen.includes(value)) return value
    let row = value
    for (const [name, related] of Object.entries(value)) {
      const relation = getRelation(graph, modelName, name)
      const changed = relation ? applyChange(relation.target, related, [...seen, value]) : related
      if (changed !== related) row = copyShape(row, { ...row, [name]: changed ?? null })
    }
    if (modelName !== model || !matches(where, row)) return row
    const changedRow = change(row)
    return changedRow && copyShape(row, changedRow)
  }

  const found = client
    .getQueryCache()
    .findAll({ queryKey: prefix })
    .flatMap((query) => {
      const { data } = query.state
      const read = parseKey(query.queryKey).find(({ operation }) => operation.startsWith('find'))
      if (!read) return []
      const target = read.target ?? { model: read.model, where: read.args['where'] }
      const changeRows = (rows: unknown): unknown => {
        const now = applyChange(target.model, rows)
        // Rows that no longer match the query's filter are removed from its data.
        return Array.isArray(now) && now !== rows
          ? copyShape(
              now,
              now.filter((row) => !isPlainObject(row) || !cannotMatch(target.where, row)),
            )
          : now
      }
      // An infinite query has several pages. Unchanged pages stay the same objects.
      const pages = isPlainObject(data) && Array.isArray(data['pages']) ? data['pages'] : undefined
      const before = pages ?? [data]
      const now = before.map(changeRows)
      if (data === undefined || now.every((page, index) => page === before[index])) return []
      return [{ query, before: data, now: pages ? { ...Object(data), pages: now } : (now[0] ?? null) }]
    })
  const hashes = found.map(({ query }) => query.queryHash)
  // A pending response may be older than the change and would overwrite it.
  await client.cancelQueries({ predicate: ({ queryHash }) => hashes.includes(queryHash) })
  const restorers = found.map(({ query, now, before }) => {
    const { dataUpdatedAt: updatedAt } = query.state
    client.setQueryData(query.queryKey, now, { updatedAt })
    const written = query.state.data
    return () => {
      if (query.state.data === written) client.setQueryData(query.queryKey, before, { updatedAt })
    }
  })
  return {
    hashes,
    undo: () => {
      for (const restore of restorers) restore()
    },
  }
}

/**
 * Applies the data of an update to a row.
 * @throws TypeError if only the server can compute the result
 */
export function applyUpdateData(graph: Graph, model: string, row: PlainObject, data: PlainObject): PlainObject {
  const updated: Record<string, unknown> = { ...row }
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue
    if (getRelation(graph, model, name)) rejectUnpredictable(`the nested write "${name}"`)
    // The query does not include this field.
    if (!(name in row)) continue
    updated[name] = isPlainObject(value) ? applyOperation(row[name], value, name) : value
  }
  return updated
}

function applyOperation(value: unknown, operations: PlainObject, name: string): unknown {
  const [[operation, operand] = []] = Object.entries(operations)
  if (operation === 'set') return operand
  const sign = operation === 'increment' ? 1 : operation === 'decrement' ? -1 : 0
  if (sign !== 0 && typeof value === 'number' && typeof operand === 'number') return value + sign * operand
  if (sign !== 0 && typeof value === 'bigint' && typeof operand === 'bigint') return value + BigInt(sign) * operand
  return rejectUnpredictable(`"${name}"`)
}

/** Adds the prototype of the original to a copy, and its properties that are not fields or elements, such as the `total` of a list. */
function copyShape<T extends object>(original: object, copy: T): T {
  if (Object.getPrototypeOf(original) !== Object.getPrototypeOf(copy))
    Object.setPrototypeOf(copy, Object.getPrototypeOf(original))
  for (const key of Reflect.ownKeys(original)) {
    const property = Reflect.getOwnPropertyDescriptor(original, key)
    const isData = typeof key === 'string' && property?.enumerable && (!Array.isArray(original) || /^\d+$/.test(key))
    if (property && !isData && key !== 'length') Reflect.defineProperty(copy, key, property)
  }
  return copy
}

function assertComparable(where: PlainObject): void {
  for (const [name, value] of Object.entries(where)) {
    if (isPlainObject(value) && !(name.includes('_') && Object.values(value).every(isScalar)))
      rejectUnpredictable(`the condition "${name}"`)
  }
}

function matches(where: PlainObject, row: PlainObject): boolean {
  return Object.entries(where).every(([name, value]) =>
    isPlainObject(value) ? matches(value, row) : value === undefined || (name in row && isSameValue(row[name], value)),
  )
}

function rejectUnpredictable(subject: string): never {
  throw new TypeError(
    `optimistic: true cannot predict ${subject}. Pass a function that returns the row: optimistic: (args, row) => ({ ...row, … }).`,
  )
}
