import type { QueryLike } from './tanstack.js'
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
