import type { ParseQueryKey } from './cache.js'
import type { QueryClientLike } from './tanstack.js'
import { type Graph, isMembers, isScalar, type Members, getRelation } from './impact/graph.js'
import { certainlyFails, isSameValue } from './impact/compare-values.js'

/** What a mutation shows before it is answered. */
export interface OptimisticUpdate {
  readonly model: string
  /** The rows that it changes. */
  readonly where: Members
  /** What becomes of such a row; undefined where it is deleted. */
  readonly change: (row: Members) => Members | undefined
}

/** What was shown in place of what is known. */
export interface OptimisticContext {
  /** The hashes of the queries that show it. */
  readonly hashes: readonly string[]
  /** Shows what was there before, but for what has come in the meantime. */
  undo(): void
}

/**
 * Shows what a mutation will do, wherever its rows are shown.
 * @throws TypeError where its condition cannot be looked up in what is known
 */
export async function applyOptimisticUpdate(
  client: QueryClientLike,
  prefix: readonly unknown[],
  graph: Graph,
  reads: ParseQueryKey,
  { model, where, change }: OptimisticUpdate,
): Promise<OptimisticContext> {
  checkWhere(where)
  /** The same value where nothing changes in it. */
  const altered = (at: string, value: unknown, seen: readonly unknown[] = []): unknown => {
    if (Array.isArray(value)) {
      const all = value.map((each) => altered(at, each, seen))
      return all.every((each, index) => each === value[index])
        ? value
        : like(
            value,
            all.filter((each) => each !== undefined),
          )
    }
    if (!isMembers(value) || seen.includes(value)) return value
    let row = value
    for (const [name, member] of Object.entries(value)) {
      const relation = getRelation(graph, at, name)
      const now = relation ? altered(relation.target, member, [...seen, value]) : member
      if (now !== member) row = like(row, { ...row, [name]: now ?? null })
    }
    if (at !== model || !meets(where, row)) return row
    const now = change(row)
    return now && like(row, now)
  }

  const found = client
    .getQueryCache()
    .findAll({ queryKey: prefix })
    .flatMap((query) => {
      const { data } = query.state
      const known = reads(query.queryKey).find(({ operation }) => operation.startsWith('find'))
      if (!known) return []
      const shown = known.shows ?? { model: known.model, where: known.args['where'] }
      const of = (rows: unknown): unknown => {
        const now = altered(shown.model, rows)
        // What does not meet the condition of the query any more is not shown by it.
        return Array.isArray(now) && now !== rows
          ? like(
              now,
              now.filter((row) => !isMembers(row) || !certainlyFails(shown.where, row)),
            )
          : now
      }
      // One page, or all that are known. What is not changed is the same object.
      const pages = isMembers(data) && Array.isArray(data['pages']) ? data['pages'] : undefined
      const before = pages ?? [data]
      const now = before.map(of)
      if (data === undefined || now.every((each, index) => each === before[index])) return []
      return [{ query, before: data, now: pages ? { ...Object(data), pages: now } : (now[0] ?? null) }]
    })
  const hashes = found.map(({ query }) => query.queryHash)
  // What is on its way may be older than the change, and would be shown over it.
  await client.cancelQueries({ queryKey: prefix, predicate: ({ queryHash }) => hashes.includes(queryHash) })
  const put = found.map(({ query, now, before }) => {
    const { dataUpdatedAt: updatedAt } = query.state
    client.setQueryData(query.queryKey, now, { updatedAt })
    const put = query.state.data
    return () => {
      if (query.state.data === put) client.setQueryData(query.queryKey, before, { updatedAt })
    }
  })
  return {
    hashes,
    undo: () => {
      for (const each of put) each()
    },
  }
}

/**
 * What a row becomes by the data of an update.
 * @throws TypeError where that cannot be told without the server
 */
export function applyUpdateData(graph: Graph, model: string, row: Members, data: Members): Members {
  const now: Record<string, unknown> = { ...row }
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue
    if (getRelation(graph, model, name)) refuse(`the nested write "${name}"`)
    // Only what the query shows of the row.
    if (!(name in row)) continue
    now[name] = isMembers(value) ? calculated(row[name], value, name) : value
  }
  return now
}

function calculated(value: unknown, operations: Members, name: string): unknown {
  const [[operation, operand] = []] = Object.entries(operations)
  if (operation === 'set') return operand
  const sign = operation === 'increment' ? 1 : operation === 'decrement' ? -1 : 0
  if (sign !== 0 && typeof value === 'number' && typeof operand === 'number') return value + sign * operand
  if (sign !== 0 && typeof value === 'bigint' && typeof operand === 'bigint') return value + BigInt(sign) * operand
  return refuse(`"${name}"`)
}

/** A copy with what the original has beside its members: what it is made from, and what lists know of their pages. */
function like<T extends object>(original: object, copy: T): T {
  if (Object.getPrototypeOf(original) !== Object.getPrototypeOf(copy))
    Object.setPrototypeOf(copy, Object.getPrototypeOf(original))
  for (const key of Reflect.ownKeys(original)) {
    const property = Reflect.getOwnPropertyDescriptor(original, key)
    const isMember = typeof key === 'string' && property?.enumerable && (!Array.isArray(original) || /^\d+$/.test(key))
    if (property && !isMember && key !== 'length') Reflect.defineProperty(copy, key, property)
  }
  return copy
}

function checkWhere(where: Members): void {
  for (const [name, value] of Object.entries(where)) {
    if (isMembers(value) && !(name.includes('_') && Object.values(value).every(isScalar)))
      refuse(`the condition "${name}"`)
  }
}

function meets(where: Members, row: Members): boolean {
  return Object.entries(where).every(([name, value]) =>
    isMembers(value) ? meets(value, row) : value === undefined || (name in row && isSameValue(row[name], value)),
  )
}

function refuse(what: string): never {
  throw new TypeError(
    `optimistic: true cannot predict ${what}. Pass a function that returns the row: optimistic: (args, row) => ({ ...row, … }).`,
  )
}
