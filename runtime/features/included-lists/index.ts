import { RequestError } from '../../errors/request-error.js'
import type { Feature } from '../../http/feature.js'
import { consumeListQueries } from '../../rest/orm/load-included.js'
import type { LoadLimitedLists } from '../../rest/orm/loading-types.js'
import type { Row } from '../../rest/orm/row.js'
import { splitAtSelf } from '../../rest/orm/selection.js'
import type {
  Include,
  IncludedList,
  IncludedRelations,
  IncludeNode,
  LinksJson,
  RelationshipLink,
} from '../../rest/request/query/include-tree.js'
import { assertCost } from '../../rest/request/query/parse-filter-and-sort.js'
import { parseFilter } from '../../rest/request/filter/parse-filter.js'
import {
  type Families,
  formatQuery,
  malformedParameter,
  type Parameter,
  parametersInFamily,
  type Query,
  splitEntries,
} from '../../rest/request/query/parse-query.js'
import { parseSort } from '../../rest/request/query/parse-sort.js'
import { restFeature } from '../../rest/rest-features.js'
import type { Relationship } from '../../rest/rest-model.js'
import type { IncludedLists, QueryContext } from '../../rest/settings.js'

/** The name and the value of a query parameter. */
type NamedValue = Pick<Parameter, 'name' | 'value'>

const PATH = 'Paths use dots: [posts.comments].'

const FAMILIES: Families = new Map([
  [
    'includeFilter',
    {
      explain: (path) =>
        path.length === 0 ? `Must name the included path first: includeFilter[comments]. ${PATH}` : undefined,
    },
  ],
  [
    'includeSort',
    {
      explain: (path) =>
        path.length === 1 ? undefined : `Must name the included path: includeSort[comments]. ${PATH}`,
    },
  ],
  [
    'includePage',
    {
      explain: (path) =>
        path.length === 2 ? undefined : `Must name the included path first: includePage[comments][limit]. ${PATH}`,
    },
  ],
])

/**
 * Enables filters, sort orders and limits for included lists: `include=comments&includePage[comments][limit]=3`.
 * Called by the emitted `index.ts`.
 */
export function includedLists(): Feature<'includedLists'> {
  return restFeature('includedLists', {
    families: FAMILIES,
    add: addIncludedLists,
    cost: includeCost,
    load: loadLimitedLists,
  })
}

/** Maximum number of lists that are loaded concurrently. */
const MAX_CONCURRENT_LISTS = 10

/** Loads limited lists, each with its own query unless they can be loaded together. */
const loadLimitedLists: LoadLimitedLists = async (loading, keys, batch, load) => {
  const joined = await loading.joinLists?.(loading, keys, batch)
  if (joined) return joined
  consumeListQueries(loading, keys.length)
  const members: Row[] = []
  for (let at = 0; at < keys.length; at += MAX_CONCURRENT_LISTS) {
    const lists = await Promise.all(keys.slice(at, at + MAX_CONCURRENT_LISTS).map((key) => load(loading, [key], batch)))
    members.push(...lists.flatMap((list) => list.slice(0, batch.list?.limit)))
  }
  return members
}

/**
 * Parses the parameters of included lists and adds them to the included relations.
 * @throws RequestError 400 if a list is not included, or if the related collection would reject the parameters
 */
const addIncludedLists: IncludedLists['add'] = (query, relations, context) => {
  for (const [path, parameters] of listParameters(query)) {
    const [first] = parameters
    const relation = findRelation(relations, path)
    const listQuery = { parameters, nested: nestedParameters(query, path), usedCost: includeCost(relations.tree) }
    if (relation) relation.node.list = parseIncludedList(listQuery, relation.relationship, context)
    else if (first) throw malformedParameter(first, `"${path}" is not included.`)
  }
}

/** Returns the total cost of the filters and sort orders of included lists, in points. */
function includeCost(include: Include): number {
  let cost = 0
  for (const { list, nested } of include?.values() ?? []) cost += (list?.cost ?? 0) + includeCost(nested)
  return cost
}

/** A relation that a request includes. */
interface IncludedRelation {
  readonly relationship: Relationship
  readonly node: IncludeNode
}

/** Returns the relation at a path such as `posts.comments`. Undefined if it is not included. */
function findRelation({ tree, model, toTreePath }: IncludedRelations, path: string): IncludedRelation | undefined {
  let subtree = tree
  let found: IncludedRelation | undefined
  for (const name of toTreePath(path.split('.'))) {
    const relationship: Relationship | undefined = (found?.relationship.target ?? model).relationships.get(name)
    const node = subtree.get(name)
    if (!relationship || !node) return undefined
    found = { relationship, node }
    subtree = node.nested
  }
  return found
}

/** Returns the parameters of included lists, by path of the list. */
function listParameters(query: Query): ReadonlyMap<string, readonly Parameter[]> {
  const byPath = new Map<string, Parameter[]>()
  for (const parameter of query.parameters) {
    if (!isOfList(parameter)) continue
    const [path = ''] = parameter.path
    const others = byPath.get(path)
    if (others) others.push(parameter)
    else byPath.set(path, [parameter])
  }
  return byPath
}

/** The unparsed parameters of an included list. */
interface IncludedListQuery {
  /** The parameters with the path of the list. */
  readonly parameters: readonly Parameter[]
  /** The nested includes and fieldsets for the members, as parameters of the related collection. */
  readonly nested: readonly NamedValue[]
  /** The cost of the lists that were parsed before, in points. */
  readonly usedCost: number
}

/**
 * Returns the nested includes and fieldsets for the members of an included list, as parameters of the related collection.
 * @param path the path of the list
 */
function nestedParameters(query: Query, path: string): readonly NamedValue[] {
  const prefix = `${path}.`
  const include = splitEntries(parametersInFamily(query, 'include'))
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => entry.slice(prefix.length))
  const others = query.parameters.flatMap(({ family, path: [first = '', ...rest], name, value }): NamedValue[] => {
    if (family === 'fields') return [{ name, value }]
    if (!isOfList({ family }) || !first.startsWith(prefix)) return []
    const brackets = [first.slice(prefix.length), ...rest].map((part) => `[${part}]`)
    return [{ name: family + brackets.join(''), value }]
  })
  return include.length > 0 ? [{ name: 'include', value: include.join(',') }, ...others] : others
}

/**
 * Parses the parameters of an included list like those of the related collection.
 * @throws RequestError 400 if the related collection would reject them, or if the relationship is to-one
 */
function parseIncludedList(
  { parameters, nested, usedCost }: IncludedListQuery,
  { relation, name, target }: Relationship,
  { settings, dialect }: QueryContext,
): IncludedList {
  const [first] = parameters
  if (first && !relation.many) throw malformedParameter(first, `"${name}" is a to-one relationship, not a list.`)
  const { limits } = settings
  const toQuery = (family: 'filter' | 'sort', from: Parameter['family']): Query => ({
    parameters: parameters.flatMap((one) => {
      return one.family === from ? [{ ...one, family, path: one.path.slice(1) }] : []
    }),
  })
  const filters = toQuery('filter', 'includeFilter')
  const sorts = toQuery('sort', 'includeSort')
  const filter = filters.parameters.find(({ path }) => path.length === 0) ?? filters.parameters[0]
  const where = filter && withParameterSource(filter, () => parseFilter(filters, target, settings)?.(dialect), 'filter')
  const [sort] = sorts.parameters
  const orderBy = sort && withParameterSource(sort, () => parseSort(sorts, target, limits))
  const input = { filter: where, sorted: orderBy, others: usedCost }
  const cost = first ? withParameterSource(first, () => assertCost(filters, target, input, limits)) : 0
  const limit = parseLimit(parameters, settings.maxPageSize)
  // The equivalent parameters of the related collection, without the limit.
  const shared = [
    ...parameters.flatMap(({ family, path, value }): NamedValue[] => {
      if (family === 'includePage') return []
      const brackets = path.slice(1).map((part) => `[${part}]`)
      return [{ name: `${family === 'includeSort' ? 'sort' : 'filter'}${brackets.join('')}`, value }]
    }),
    ...nested,
  ]
  return {
    ...(where && { where }),
    ...(orderBy && { orderBy }),
    ...(limit !== undefined && { limit }),
    cost,
    formatLinks: (links) => formatLinks(links, shared, limit),
    collect(rows, toIdentifier, before) {
      const identifiers = rows.slice(0, limit).map(toIdentifier)
      return {
        identifiers: before ? [...new Set([...before.identifiers, ...identifiers])] : identifiers,
        isTruncated: before?.isTruncated === true || rows.length > (limit ?? Infinity),
      }
    },
    formatMore: (isTruncated) => (limit === undefined ? '' : `"hasMore":${isTruncated}`),
  }
}

/** Adds the parameters of a list to the links of its relationship, and the link to the next page. */
function formatLinks(
  links: readonly RelationshipLink[],
  parameters: readonly NamedValue[],
  limit: number | undefined,
): LinksJson {
  const page = limit === undefined ? [] : [{ name: 'page[limit]', value: String(limit) }]
  const [[name, path] = ['', ''], ...others] = links
  if (name !== 'related') {
    const parts = splitAtSelf(links)
    return { links: parts, nextLinks: parts }
  }
  const all: readonly RelationshipLink[] = [[name, path + formatQuery([...parameters, ...page])], ...others]
  if (limit === undefined) {
    const parts = splitAtSelf(all)
    return { links: parts, nextLinks: parts }
  }
  const offset = { name: 'page[offset]', value: String(limit) }
  const next = path + formatQuery([...parameters, offset, ...page])
  return { links: splitAtSelf(all, ',"next":null}'), nextLinks: splitAtSelf([...all, ['next', next]]) }
}

function isOfList({ family }: Pick<Parameter, 'family'>): boolean {
  return family === 'includeFilter' || family === 'includeSort' || family === 'includePage'
}

function parseLimit(parameters: readonly Parameter[], maxPageSize: number): number | undefined {
  const [page, second] = parameters.filter(({ family }) => family === 'includePage')
  if (!page) return undefined
  if (second) throw malformedParameter(second, 'An included list can have only one limit.')
  if (page.path[1] !== 'limit') {
    throw malformedParameter(page, 'An included list supports only a limit. Follow its links to read more pages.')
  }
  const limit = /^\d{1,10}$/.test(page.value) ? Number(page.value) : 0
  if (limit >= 1 && limit <= maxPageSize) return limit
  throw malformedParameter(page, `Must be an integer from 1 to ${maxPageSize}.`)
}

/**
 * Replaces the parameter name in errors with the name that the request used, because the parameters of included lists are parsed under
 * other names.
 * @param only the only name to replace, because errors may also refer to other parameters
 */
function withParameterSource<T>({ name }: Parameter, read: () => T, only?: string): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const [first, ...others] = error.errors
    if (only !== undefined && first.source?.parameter !== only) throw error
    throw new RequestError([{ ...first, source: { parameter: name } }, ...others], error.headers)
  }
}
