import type { QueryClientLike, QueryLike } from './tanstack.js'
import type { Change } from './impact/changes.js'
import { type Graph, isPlainObject, type PlainObject } from './impact/graph.js'
import { type Dependency, findDependencies, toRows } from './impact/dependencies.js'
import { isAffectedBy } from './impact/is-affected-by.js'

/** A read in the query cache, as a Prisma operation. */
export interface CachedRead {
  readonly model: string
  readonly operation: string
  readonly args: PlainObject
  /** Finds the rows in the query's data. Default: all objects in the data. */
  readonly rows?: (data: unknown) => readonly PlainObject[]
  /** The model and filter of the rows in the data, if they differ from `model` and `args`. */
  readonly target?: { readonly model: string; readonly where: unknown }
}

/** Parses a query key into the reads that the query consists of. */
export type ParseQueryKey = (key: readonly unknown[]) => readonly CachedRead[]

/** Whether any of the changes may affect a query's data. */
export function isAffected(
  graph: Graph,
  parseKey: ParseQueryKey,
  query: QueryLike,
  changes: readonly Change[],
): boolean {
  const dependencies = findQueryDependencies(graph, parseKey, query)
  return changes.some((change) => dependencies.some((dependency) => isAffectedBy(dependency, change)))
}

/**
 * Invalidates the queries that the changes may affect. TanStack Query refetches the active ones immediately and the others on their next
 * use.
 * @param hashes the hashes of queries to invalidate regardless of the changes
 */
export function invalidateAffected(
  client: QueryClientLike,
  prefix: readonly unknown[],
  graph: Graph,
  parseKey: ParseQueryKey,
  changes: readonly Change[],
  hashes: readonly string[] = [],
): Promise<void> {
  // The hashes are collected first, because TanStack Query calls the predicate twice, and an invalidated query has a different state in the
  // second call.
  const affectedHashes = new Set(hashes)
  for (const query of client.getQueryCache().findAll({ queryKey: prefix })) {
    if (isAffected(graph, parseKey, query, changes)) affectedHashes.add(query.queryHash)
  }
  return client.invalidateQueries({ queryKey: prefix, predicate: ({ queryHash }) => affectedHashes.has(queryHash) })
}

function findQueryDependencies(
  graph: Graph,
  parseKey: ParseQueryKey,
  { queryKey, state }: QueryLike,
): readonly Dependency[] {
  // A pending request may return data that is older than the change and differs from the data in the cache.
  const data = state.fetchStatus === 'fetching' ? undefined : state.data
  const pages =
    isPlainObject(data) && Array.isArray(data['pages']) && Array.isArray(data['pageParams']) ? data['pages'] : undefined
  return parseKey(queryKey).flatMap(({ model, operation, args, rows = toRows }) => {
    if (data === undefined) return findDependencies(graph, model, operation, args, undefined)
    if (!pages) return findDependencies(graph, model, operation, args, rows(data))
    const { take } = args
    const all = typeof take === 'number' ? { ...args, take: take * pages.length } : args
    return findDependencies(graph, model, operation, all, pages.flatMap(rows))
  })
}
