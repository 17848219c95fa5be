import type { Graph } from './graph.js'

/**
 * Returns the models whose rows a REST or RPC query may show: its own model, and the targets of all relations whose names occur in the
 * key. May include too many models if a field has the same name as a relation.
 */
export function findNamedModels(graph: Graph, model: string, key: readonly unknown[]): ReadonlySet<string> {
  // Query keys contain BigInts as strings.
  const words = new Set(JSON.stringify(key).match(/\w+/g))
  const found = new Set([model])
  for (const current of found) {
    for (const [name, target] of Object.entries(graph[current]?.relations ?? {})) if (words.has(name)) found.add(target)
  }
  return found
}
