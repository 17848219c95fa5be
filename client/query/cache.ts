import type { QueryClientLike, QueryLike } from './tanstack.js'
import type { Change } from './impact/changes.js'
import { type Graph, isMembers, type Members } from './impact/graph.js'
import { type Dependency, findDependencies, rowsIn } from './impact/dependencies.js'
import { affects } from './impact/affects.js'

/** A read as a query of the cache has it, in the words of Prisma. */
export interface CachedRead {
  readonly model: string
  readonly operation: string
  readonly args: Members
  /** The rows in its data, where these are not all that it is. */
  readonly rows?: (data: unknown) => readonly Members[]
  /** Of which model its data are, and what they meet, where that is another one. */
  readonly shows?: { readonly model: string; readonly where: unknown }
}

/** Tells what a query of the cache reads, by its key. */
export type ParseQueryKey = (key: readonly unknown[]) => readonly CachedRead[]

/** Whether a query has to be read again after some changes. */
export function isAffected(graph: Graph, reads: ParseQueryKey, query: QueryLike, changes: readonly Change[]): boolean {
  const places = placesIn(graph, reads, query)
  return changes.some((change) => places.some((place) => affects(place, change)))
}

/**
 * Reads again what changes touch: at once where it is on a page, and when it is needed elsewhere.
 * @param others the hashes of queries that are read again in any case
 */
export function invalidateAffected(
  client: QueryClientLike,
  prefix: readonly unknown[],
  graph: Graph,
  reads: ParseQueryKey,
  changes: readonly Change[],
  others: readonly string[] = [],
): Promise<void> {
  // One look at all of them: what is invalid already looks different to a second one.
  const touched = new Set(others)
  for (const query of client.getQueryCache().findAll({ queryKey: prefix })) {
    if (isAffected(graph, reads, query, changes)) touched.add(query.queryHash)
  }
  return client.invalidateQueries({ queryKey: prefix, predicate: ({ queryHash }) => touched.has(queryHash) })
}

function placesIn(graph: Graph, reads: ParseQueryKey, { queryKey, state }: QueryLike): readonly Dependency[] {
  // What is being read may be older than the change, and say something else than what is shown.
  const data = state.fetchStatus === 'fetching' ? undefined : state.data
  const pages =
    isMembers(data) && Array.isArray(data['pages']) && Array.isArray(data['pageParams']) ? data['pages'] : undefined
  return reads(queryKey).flatMap(({ model, operation, args, rows = rowsIn }) => {
    if (data === undefined) return findDependencies(graph, model, operation, args, undefined)
    if (!pages) return findDependencies(graph, model, operation, args, rows(data))
    const { take } = args
    const all = typeof take === 'number' ? { ...args, take: take * pages.length } : args
    return findDependencies(graph, model, operation, all, pages.flatMap(rows))
  })
}
