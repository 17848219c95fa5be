/** Cache updates for the mutations of a REST client. Converts its reads and writes to Prisma operations and delegates to `invalidation.ts`. */
import type { ParseQueryKey } from './cache.js'
import * as engine from './invalidation.js'
import type { Optimistic, Scope, Write } from './invalidation.js'
import { toReads } from './rest-reads.js'
import type { QueryClientLike } from './tanstack.js'
import { type Graph, isPlainObject, toArray, type PlainObject } from './impact/graph.js'

/** Change to a relationship → Prisma's nested write. */
const ACTIONS: Readonly<Record<string, string>> = { add: 'connect', remove: 'disconnect', replace: 'set' }

/** Invalidates the queries that the writes may affect, and the queries with the given `hashes`. */
export function invalidateWrites(
  client: QueryClientLike,
  scope: Scope,
  writes: readonly Write[],
  hashes?: readonly string[],
): Promise<void> {
  const restScope = { ...scope, graph: withSingleIds(scope.graph) }
  const prismaWrites = writes.map((write) => toPrismaWrite(restScope.graph, write))
  return engine.invalidateWrites(client, restScope, prismaWrites, hashes, createKeyParser(restScope))
}

/** Applies a write to the cached resources before the server responds. */
export function applyOptimistic(client: QueryClientLike, scope: Scope, write: Write, optimistic: Optimistic) {
  const restScope = { ...scope, graph: withSingleIds(scope.graph) }
  return engine.applyOptimistic(
    client,
    restScope,
    toPrismaWrite(restScope.graph, write),
    optimistic,
    createKeyParser(restScope),
  )
}

/** Returns the graph with `id` as the only id field, because every resource has a single id. */
function withSingleIds(graph: Graph): Graph {
  return Object.fromEntries(Object.entries(graph).map(([model, entry]) => [model, { ...entry, id: ['id'] }]))
}

function createKeyParser({ graph, models }: Scope): ParseQueryKey {
  return ([, name, method, ...args]) => {
    const model = models.get(String(name))
    return model === undefined ? [] : toReads(graph, model, String(method), args)
  }
}

/** Converts a write to a Prisma operation. */
function toPrismaWrite(graph: Graph, write: Write): Write {
  const { model, operation, args, result } = write
  if (operation === 'any') return write
  const { variables, relation, change } = args
  const { id, data, members }: { id?: unknown; data?: unknown; members?: unknown } =
    operation === 'delete' ? { id: variables } : Object(variables)
  const where = toUniqueWhere(id)
  if (operation === 'relationship') {
    const action = ACTIONS[String(change)] ?? 'set'
    const link = members === null ? { disconnect: true } : { [action]: toArray(members).map(toUniqueWhere) }
    return { model, operation: 'update', args: { where, data: { [String(relation)]: link } }, result }
  }
  const prismaData = toPrismaData(graph[model]?.relations ?? {}, operation === 'create' ? variables : data)
  return {
    model,
    operation,
    args: operation === 'upsert' ? { create: prismaData, update: prismaData } : { where, data: prismaData },
    result,
  }
}

/** Converts relationships to Prisma's nested writes. Attributes stay as they are. */
function toPrismaData(relations: Readonly<Record<string, string>>, data: unknown): PlainObject {
  return Object.fromEntries(
    Object.entries(Object(data)).map(([name, value]) => {
      if (!Object.hasOwn(relations, name) || value === undefined) return [name, value]
      if (value === null) return [name, { disconnect: true }]
      return [name, Array.isArray(value) ? { set: value.map(toUniqueWhere) } : { connect: toUniqueWhere(value) }]
    }),
  )
}

function toUniqueWhere(value: unknown): PlainObject {
  return { id: String(isPlainObject(value) ? value['id'] : value) }
}
