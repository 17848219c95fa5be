import type { CachedRead } from './cache.js'
import { type Graph, isPlainObject, type PlainObject, getRelation } from './impact/graph.js'
import { toRows } from './impact/dependencies.js'
import type { FullText } from '../rest/types/query.js'

/** Converts a call to a collection's method to the corresponding Prisma operations. */
export function toReads(graph: Graph, model: string, method: string, args: readonly unknown[]): readonly CachedRead[] {
  if (method === 'list') {
    const list = toListArgs(graph, model, args[0])
    return [
      { model, operation: 'findMany', args: list },
      // Every page contains the total.
      { model, operation: 'count', args: { where: list['where'] }, rows: () => [] },
      ...toCountReads(model, args[0], { where: list['where'], skip: 1 }),
    ]
  }
  const where = { id: String(args[0]) }
  if (method === 'get') {
    const read = { model, operation: 'findUnique', args: { where, include: toInclude(graph, model, args[1]) } }
    return [read, ...toCountReads(model, args[1], { where })]
  }
  const relation = String(args[1])
  const target = getRelation(graph, model, relation)?.target
  if (method !== 'related' || target === undefined) return []
  const list = toListArgs(graph, target, args[2])
  const count = { select: { [relation]: { where: list['where'] } } }
  return [
    {
      model,
      operation: 'findUnique',
      args: { where, include: { [relation]: list } },
      target: { model: target, where: list['where'] },
      rows: (data) => [{ ...where, [relation]: Array.isArray(data) ? toRows(data) : data }],
    },
    { model, operation: 'findUnique', args: { where, include: { _count: count } }, rows: () => [where] },
    ...toCountReads(target, args[2], { where: list['where'], skip: 1 }),
  ]
}

/** Returns the read for `relatedCount`, which contains only the number of related resources. */
function toCountReads(model: string, query: unknown, args: PlainObject): readonly CachedRead[] {
  const { relatedCount = [] }: { relatedCount?: readonly string[] } = Object(query)
  if (relatedCount.length === 0) return []
  const select = Object.fromEntries(relatedCount.map((name) => [name, true]))
  return [{ model, operation: 'findMany', args: { ...args, include: { _count: { select } } } }]
}

function toListArgs(graph: Graph, model: string, query: unknown): PlainObject {
  const { filter, sort, fullText }: { filter?: unknown; sort?: readonly string[]; fullText?: FullText } = Object(query)
  const { fields = [], search } = fullText ?? {}
  const fullTextFilter = fullText && Object.fromEntries(fields.map((name) => [name, { search }]))
  return {
    where: fullTextFilter ? { AND: [filter ?? {}, fullTextFilter] } : filter,
    orderBy: sort?.map(toOrderBy) ?? (fullTextFilter && [fullTextFilter]),
    include: toInclude(graph, model, query),
    // The server determines the page size, so the last row of the page is unknown.
    skip: 1,
  }
}

/** Converts a sort path such as `-author.name` to Prisma's `orderBy`. */
function toOrderBy(path: string): unknown {
  const direction = path.startsWith('-') ? 'desc' : 'asc'
  return path
    .replace(/^-/, '')
    .split('.')
    .reduceRight<unknown>((nested, name) => ({ [name]: nested }), direction)
}

/** Converts the options of an included list to Prisma arguments. */
function toLimitArgs(lists: unknown, path: string): PlainObject {
  const list = isPlainObject(lists) ? lists[path] : undefined
  if (!isPlainObject(list)) return {}
  const { filter, sort, limit } = list
  return { where: filter, orderBy: Array.isArray(sort) ? sort.map(toOrderBy) : undefined, take: limit }
}

/** Converts `include` to Prisma's `include`. To-one relations are always included, because resources contain their ids. */
function toInclude(graph: Graph, model: string, query: unknown): PlainObject {
  const { include = [], lists }: { include?: readonly string[]; lists?: unknown } = isPlainObject(query) ? query : {}
  const toNestedInclude = (model: string, paths: readonly string[], prefix = ''): PlainObject => {
    const pathsByRelation = new Map<string, string[]>()
    for (const name of Object.keys(graph[model]?.relations ?? {})) {
      const { via } = getRelation(graph, model, name) ?? {}
      if (via && 'local' in via) pathsByRelation.set(name, [])
    }
    for (const path of paths) {
      const [name = '', ...rest] = path.split('.')
      pathsByRelation.set(name, [...(pathsByRelation.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
    }
    const counts: Record<string, PlainObject> = {}
    const entries = [...pathsByRelation].map(([name, rest]): [string, unknown] => {
      const isIncluded = paths.some((path) => path.split('.')[0] === name)
      const target = getRelation(graph, model, name)?.target
      if (!isIncluded || target === undefined) return [name, true]
      const limits = toLimitArgs(lists, prefix + name)
      // The response reports whether there are more rows than the limit.
      if (limits['take'] !== undefined) counts[name] = { where: limits['where'] }
      return [name, { ...limits, include: toNestedInclude(target, rest, `${prefix}${name}.`) }]
    })
    return { ...Object.fromEntries(entries), ...(Object.keys(counts).length > 0 && { _count: { select: counts } }) }
  }
  return toNestedInclude(model, include)
}
