/**
 * What a mutation needs: which queries it touches, and what it shows before it is answered. It is loaded with the first mutation, not
 * with pages that only read.
 */
import { invalidateAffected, type ParseQueryKey } from './cache.js'
import { applyUpdateData, applyOptimisticUpdate, type OptimisticContext } from './optimistic.js'
import { type QueriesOptions, STYLES } from './settings.js'
import type { QueryClientLike } from './tanstack.js'
import { type Change, findChanges } from './impact/changes.js'
import type { Members } from './impact/graph.js'
import { namedModels } from './impact/named-models.js'

/** A write, in the words of Prisma. */
export interface Write {
  readonly model: string
  readonly operation: string
  readonly args: Members
}

/** A write that was answered. */
export interface CompletedWrite extends Write {
  readonly result: unknown
}

/** Where a write shows. */
export interface Scope extends Pick<QueriesOptions, 'graph' | 'relatedModels' | 'otherKeys'> {
  /** What all keys begin with. */
  readonly prefix: readonly unknown[]
  /** The models by the names that they have on the client. */
  readonly models: ReadonlyMap<string, string>
}

/** What becomes of a row, where the caller tells. */
export type Optimistic = true | ((row: Members) => Members | undefined)

/** Reads again what writes touch, and some queries in any case. */
export async function invalidateWrites(
  client: QueryClientLike,
  { graph, relatedModels = {}, otherKeys = STYLES, prefix, models }: Scope,
  writes: readonly CompletedWrite[],
  others: readonly string[] = [],
  reads = readsBy(models),
): Promise<void> {
  const changes = writes.flatMap(({ model, operation, args, result }) => {
    const along = (relatedModels[model] ?? []).map((other): Change => ({ model: other, kind: 'any', row: {} }))
    return [...findChanges(graph, model, operation, args, result), ...along]
  })
  const changed = new Set(changes.map((change) => change.model))
  const shows = ([, name, ...rest]: readonly unknown[]) => {
    const shown = models.get(String(name))
    return shown === undefined || [...namedModels(graph, shown, rest)].some((one) => changed.has(one))
  }
  await Promise.all([
    invalidateAffected(client, prefix, graph, reads, changes, others),
    ...otherKeys
      .filter((key) => key !== prefix[0])
      .map((key) => client.invalidateQueries({ queryKey: [key], predicate: ({ queryKey }) => shows(queryKey) })),
  ])
}

/** Shows what a write will do. */
export function applyOptimistic(
  client: QueryClientLike,
  { graph, prefix, models }: Scope,
  { model, operation, args }: Write,
  optimistic: Optimistic,
  reads = readsBy(models),
): Promise<OptimisticContext> {
  const data: Members = Object(args['data'] ?? args['update'])
  const change = (row: Members): Members | undefined => {
    if (optimistic !== true) return optimistic(row)
    return operation.startsWith('delete') ? undefined : applyUpdateData(graph, model, row, data)
  }
  return applyOptimisticUpdate(client, prefix, graph, reads, { model, where: Object(args['where']), change })
}

/** What the keys of an RPC client say. */
function readsBy(models: Scope['models']): ParseQueryKey {
  return ([, delegate, operation, args]) => {
    const model = models.get(String(delegate))
    return model === undefined ? [] : [{ model, operation: String(operation), args: Object(args) }]
  }
}
