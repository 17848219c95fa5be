/** What a mutation of a REST client needs: the same as that of an RPC client, to which its reads and writes are told in the same words. */
import type { ParseQueryKey } from './cache.js'
import * as engine from './invalidation.js'
import type { CompletedWrite, Optimistic, Scope, Write } from './invalidation.js'
import { toReads } from './rest-reads.js'
import type { QueryClientLike } from './tanstack.js'
import { type Graph, isMembers, toArray, type Members } from './impact/graph.js'

/** What the changes of a relationship are to Prisma. */
const ACTIONS: Readonly<Record<string, string>> = { add: 'connect', remove: 'disconnect', replace: 'set' }

/** Reads again what writes touch, and some queries in any case. */
export function invalidateWrites(
  client: QueryClientLike,
  scope: Scope,
  writes: readonly CompletedWrite[],
  others?: readonly string[],
): Promise<void> {
  const within = { ...scope, graph: withoutIds(scope.graph) }
  const done = writes.map((write) => ({ ...translated(within.graph, write), result: write.result }))
  return engine.invalidateWrites(client, within, done, others, readsBy(within))
}

/** Shows what a write will do. */
export function applyOptimistic(client: QueryClientLike, scope: Scope, write: Write, optimistic: Optimistic) {
  const within = { ...scope, graph: withoutIds(scope.graph) }
  return engine.applyOptimistic(client, within, translated(within.graph, write), optimistic, readsBy(within))
}

/** Every resource has its id in one member. */
function withoutIds(graph: Graph): Graph {
  return Object.fromEntries(Object.entries(graph).map(([model, entry]) => [model, { ...entry, id: ['id'] }]))
}

function readsBy({ graph, models }: Scope): ParseQueryKey {
  return ([, name, method, ...args]) => {
    const model = models.get(String(name))
    return model === undefined ? [] : toReads(graph, model, String(method), args)
  }
}

/** A write in the words of Prisma. */
function translated(graph: Graph, { model, operation, args }: Write): Write {
  const { variables, relation, change } = args
  const { id, data, members }: { id?: unknown; data?: unknown; members?: unknown } =
    operation === 'delete' ? { id: variables } : Object(variables)
  const where = { id: String(id) }
  if (operation === 'relationship') {
    const action = ACTIONS[String(change)] ?? 'set'
    const link = members === null ? { disconnect: true } : { [action]: toArray(members).map(identified) }
    return { model, operation: 'update', args: { where, data: { [String(relation)]: link } } }
  }
  const given = linked(graph[model]?.relations ?? {}, operation === 'create' ? variables : data)
  return { model, operation, args: operation === 'upsert' ? { create: given, update: given } : { where, data: given } }
}

/** Attributes, and relationships as Prisma links them. */
function linked(relations: Readonly<Record<string, string>>, data: unknown): Members {
  return Object.fromEntries(
    Object.entries(Object(data)).map(([name, value]) => {
      if (!Object.hasOwn(relations, name) || value === undefined) return [name, value]
      if (value === null) return [name, { disconnect: true }]
      return [name, Array.isArray(value) ? { set: value.map(identified) } : { connect: identified(value) }]
    }),
  )
}

function identified(given: unknown): Members {
  return { id: String(isMembers(given) ? given['id'] : given) }
}
