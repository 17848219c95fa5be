import type { Graph } from './graph.js'

/**
 * The models that a query of any style may show: its own, and those of all relations that its key names, wherever that is. More than it shows,
 * where a field is called as a relation is.
 */
export function namedModels(graph: Graph, model: string, key: readonly unknown[]): ReadonlySet<string> {
  // BigInts are texts in keys already.
  const words = new Set(JSON.stringify(key).match(/\w+/g))
  const reached = new Set([model])
  for (const one of reached) {
    for (const [name, target] of Object.entries(graph[one]?.relations ?? {})) if (words.has(name)) reached.add(target)
  }
  return reached
}
