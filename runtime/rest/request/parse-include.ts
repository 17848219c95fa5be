import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { assertReadable } from '../relationship-capabilities.js'
import { limitError } from './limit-error.js'
import {
  type IncludeContext,
  type IncludedListQuery,
  type IncludedList,
  listParameters,
  nestedParameters,
  parseIncludedList,
  listNotIncludedError,
} from './parse-included-lists.js'
import { splitEntries, malformedParameter, parametersInFamily, type Query } from './parse-query.js'

/** The relations to include, as a tree, by name. */
export type IncludeTree = ReadonlyMap<string, IncludeNode>

/** A relation to include. */
export interface IncludeNode {
  /** The relations to include for its resources. */
  readonly nested: IncludeTree
  /** The parameters of the included list. Undefined if all members are included. */
  readonly list: IncludedList | undefined
}

interface MutableNode extends IncludeNode {
  readonly nested: MutableTree
  list: IncludedList | undefined
}

type MutableTree = Map<string, MutableNode>

/** The parsed `include`. Undefined if the parameter is missing, which differs from an empty value. */
export type Include = IncludeTree | undefined

/**
 * Parses `include` (contract 4.2; JSON:API "Inclusion of Related Resources"). Overlapping paths are merged.
 * @param model the model at which the paths start
 * @throws RequestError 400; 403 if a relationship is unreadable
 */
export function parseInclude(query: Query, model: RestModel, context: IncludeContext): Include {
  return parseTree(query, model, (path) => path, context)
}

/**
 * Parses `include` for a relationship's linkage. A path may start at the related resources, or at the resource that has the relationship,
 * as in the specification's example `/articles/1/relationships/comments?include=comments.author`.
 */
export function parseLinkageInclude(query: Query, { name, target }: Relationship, context: IncludeContext): Include {
  return parseTree(query, target, (path) => (path[0] === name ? path.slice(1) : path), context)
}

function parseTree(
  query: Query,
  model: RestModel,
  from: (path: readonly string[]) => readonly string[],
  context: IncludeContext,
): Include {
  if (query.parameters.length === 0) return undefined
  const { limits } = context.settings
  const lists = listParameters(query)
  const paths = includePaths(query, limits)
  const tree: MutableTree = new Map()
  for (const path of paths ?? []) addPath(tree, model, from(path))
  assertIncludeCount(tree, limits)
  for (const [path, parameters] of lists) {
    const list = { parameters, nested: nestedParameters(query, path), usedCost: includeCost(tree) }
    addList(tree, model, from(path.split('.')), list, context)
  }
  return paths && tree
}

/** Returns the total cost of the filters and sort orders of included lists, in points. */
export function includeCost(include: Include): number {
  let cost = 0
  for (const { list, nested } of include?.values() ?? []) cost += (list?.cost ?? 0) + includeCost(nested)
  return cost
}

/** Adds the parameters of an included list to its relation in the tree. */
function addList(
  tree: MutableTree,
  from: RestModel,
  path: readonly string[],
  listQuery: IncludedListQuery,
  context: IncludeContext,
): void {
  let subtree: MutableTree | undefined = tree
  let node: MutableNode | undefined
  let relationship: Relationship | undefined
  for (const name of path) {
    relationship = (relationship?.target ?? from).relationships.get(name)
    node = subtree?.get(name)
    subtree = node?.nested
  }
  const [first] = listQuery.parameters
  if (node && relationship) node.list = parseIncludedList(listQuery, relationship, context)
  else if (first) throw listNotIncludedError(first)
}

function includePaths(query: Query, limits: Limits): string[][] | undefined {
  const parameters = parametersInFamily(query, 'include')
  const [parameter] = parameters
  if (!parameter) return undefined
  if (parameters.every(({ value }) => value === '')) return []
  const texts = new Set(splitEntries(parameters))
  if (texts.size > limits.listLength) {
    throw limitError('listLength', `At most ${limits.listLength} paths can be included.`, 'include')
  }
  return [...texts].map((text) => {
    const path = text.split('.')
    if (path.includes('')) throw malformedParameter(parameter, 'Must be a comma-separated list of relationship paths.')
    if (path.length > limits.includeDepth) {
      throw limitError(
        'includeDepth',
        `An included path can have at most ${limits.includeDepth} relationships.`,
        'include',
      )
    }
    return path
  })
}

function addPath(tree: MutableTree, from: RestModel, path: readonly string[]): void {
  let subtree = tree
  let model = from
  for (const name of path) {
    const relationship = model.relationships.get(name)
    if (!relationship) {
      const detail = `"${model.type}" has no relationship "${name}".`
      throw new RequestError({ code: 'unknown-field', detail, source: { parameter: 'include' } })
    }
    assertReadable(relationship, 'include')
    const node: MutableNode = subtree.get(name) ?? { nested: new Map(), list: undefined }
    subtree.set(name, node)
    subtree = node.nested
    model = relationship.target
  }
}

/**
 * Checks that the number of included relations is within the limit, because each may require a query.
 * @throws RequestError 400 if the number exceeds the limit
 */
function assertIncludeCount(tree: IncludeTree, { filterRelations }: Limits): void {
  const count = (below: IncludeTree): number =>
    [...below.values()].reduce((sum, next) => sum + 1 + count(next.nested), 0)
  if (count(tree) > filterRelations)
    throw limitError('filterRelations', `At most ${filterRelations} relationships can be included.`, 'include')
}
