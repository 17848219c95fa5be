/**
 * Cache updates for mutations: invalidates affected queries and applies optimistic updates. Loaded with the first mutation, so that
 * read-only pages do not load it.
 */
import { isAffected, type ParseQueryKey } from './cache.js'
import { applyUpdateData, applyOptimisticUpdate, type OptimisticContext } from './optimistic.js'
import { keyPrefixes, type QueriesOptions } from './settings.js'
import type { QueryClientLike } from './tanstack.js'
import { type Change, findChanges } from './impact/changes.js'
import type { PlainObject } from './impact/graph.js'
import { findNamedModels } from './impact/named-models.js'

/** A write as a Prisma operation. */
export interface Write {
  readonly model: string
  /** The name of the operation, or `any` if the effect on the model is unknown. */
  readonly operation: string
  readonly args: PlainObject
  /** Undefined before the write is completed. */
  readonly result?: unknown
}

/** The queries that writes can affect, and how to find them. */
export interface Scope extends Pick<QueriesOptions, 'graph' | 'relatedModels' | 'otherKeys'> {
  /** The first element of all query keys of the client's operations. */
  readonly keyPrefix: string
  /** Delegate name → model name. */
  readonly models: ReadonlyMap<string, string>
}

/** How to update a row optimistically. `true` applies the data of the write. A function returns the new row, or undefined to remove it. */
export type Optimistic = true | ((row: PlainObject) => PlainObject | undefined)

/**
 * Invalidates the queries that the writes may affect, and the queries with the given `hashes`. TanStack Query refetches the active ones
 * immediately and the others on their next use.
 */
export async function invalidateWrites(
  client: QueryClientLike,
  scope: Scope,
  writes: readonly Write[],
  hashes: readonly string[] = [],
  parseKey = createKeyParser(scope.models),
): Promise<void> {
  const { graph, relatedModels = {}, keyPrefix, models } = scope
  const changes = writes.flatMap(({ model, operation, args, result }) => {
    const related = (relatedModels[model] ?? []).map((other): Change => ({ model: other, kind: 'any', row: {} }))
    return [...findChanges(graph, model, operation, args, result), ...related]
  })
  const changed = new Set(changes.map((change) => change.model))
  const usesChangedModel = ([, delegate, ...rest]: readonly unknown[]) => {
    const model = models.get(String(delegate))
    return model === undefined || [...findNamedModels(graph, model, rest)].some((name) => changed.has(name))
  }
  const keys = keyPrefixes(scope)
  // The hashes are collected first, because TanStack Query calls the predicate twice, and an invalidated query has a different state in the
  // second call. All queries are invalidated in one call, because a second call would cancel and repeat the refetches of the first.
  const affectedHashes = new Set(hashes)
  for (const query of client.getQueryCache().findAll()) {
    const [key] = query.queryKey
    if (
      key === keyPrefix
        ? isAffected(graph, parseKey, query, changes)
        : keys.has(key) && usesChangedModel(query.queryKey)
    )
      affectedHashes.add(query.queryHash)
  }
  await client.invalidateQueries({ predicate: ({ queryHash }) => affectedHashes.has(queryHash) })
}

/** Applies a write to the cached rows before the server responds. */
export function applyOptimistic(
  client: QueryClientLike,
  { graph, keyPrefix, models }: Scope,
  { model, operation, args }: Write,
  optimistic: Optimistic,
  parseKey = createKeyParser(models),
): Promise<OptimisticContext> {
  const data: PlainObject = Object(args['data'] ?? args['update'])
  const change = (row: PlainObject): PlainObject | undefined => {
    if (optimistic !== true) return optimistic(row)
    return operation.startsWith('delete') ? undefined : applyUpdateData(graph, model, row, data)
  }
  return applyOptimisticUpdate(client, [keyPrefix], graph, parseKey, { model, where: Object(args['where']), change })
}

/** Returns the parser of an RPC client's query keys. */
function createKeyParser(models: Scope['models']): ParseQueryKey {
  return ([, delegate, operation, args]) => {
    const model = models.get(String(delegate))
    return model === undefined ? [] : [{ model, operation: String(operation), args: Object(args) }]
  }
}
