import type { Read } from './cache.js'
import { type Graph, isMembers, type Members, relationOf } from './touch/graph.js'
import { rowsIn } from './touch/places.js'

/** What a method of a collection reads, in the words of Prisma. */
export function readsOf(graph: Graph, model: string, method: string, args: readonly unknown[]): readonly Read[] {
  if (method === 'list') {
    const list = listed(graph, model, args[0])
    return [
      { model, operation: 'findMany', args: list },
      // How many there are, which every page tells.
      { model, operation: 'count', args: { where: list['where'] }, rows: () => [] },
    ]
  }
  const where = { id: String(args[0]) }
  if (method === 'get')
    return [{ model, operation: 'findUnique', args: { where, include: included(graph, model, args[1]) } }]
  const relation = String(args[1])
  const target = relationOf(graph, model, relation)?.target
  if (method !== 'related' || target === undefined) return []
  const list = listed(graph, target, args[2])
  const count = { select: { [relation]: { where: list['where'] } } }
  return [
    {
      model,
      operation: 'findUnique',
      args: { where, include: { [relation]: list } },
      shows: { model: target, where: list['where'] },
      rows: (data) => [{ ...where, [relation]: Array.isArray(data) ? rowsIn(data) : data }],
    },
    { model, operation: 'findUnique', args: { where, include: { _count: count } }, rows: () => [where] },
  ]
}

function listed(graph: Graph, model: string, query: unknown): Members {
  const { filter, sort }: { filter?: unknown; sort?: readonly string[] } = Object(query)
  return {
    where: filter,
    orderBy: sort?.map(ordered),
    include: included(graph, model, query),
    // How long pages are, the server says.
    skip: 1,
  }
}

/** `-author.name` as Prisma orders. */
function ordered(path: string): unknown {
  const direction = path.startsWith('-') ? 'desc' : 'asc'
  return path
    .replace(/^-/, '')
    .split('.')
    .reduceRight<unknown>((within, name) => ({ [name]: within }), direction)
}

/** What is included, as Prisma includes it. Relations to one are told by their ids in any case. */
function included(graph: Graph, model: string, query: unknown): Members {
  const { include = [] }: { include?: readonly string[] } = isMembers(query) ? query : {}
  const within = (model: string, paths: readonly string[]): Members => {
    const heads = new Map<string, string[]>()
    for (const name of Object.keys(graph[model]?.relations ?? {})) {
      const { kept } = relationOf(graph, model, name) ?? {}
      if (kept && 'own' in kept) heads.set(name, [])
    }
    for (const path of paths) {
      const [head = '', ...rest] = path.split('.')
      heads.set(head, [...(heads.get(head) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
    }
    return Object.fromEntries(
      [...heads].map(([name, rest]) => {
        const named = paths.some((path) => path.split('.')[0] === name)
        const target = relationOf(graph, model, name)?.target
        return [name, named && target !== undefined ? { include: within(target, rest) } : true]
      }),
    )
  }
  return within(model, include)
}
