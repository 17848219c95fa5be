import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import type { RestContext } from '../context.js'
import type { Relationship, RestModel } from '../model.js'
import { assertReadable } from '../permissions.js'
import { limitError } from './limit-error.js'
import {
  type IncludedListQuery,
  type IncludedList,
  listParameters,
  nestedParameters,
  parseIncludedList,
  listNotIncludedError,
} from './included-lists.js'
import { splitEntries, malformed, parametersInFamily, type Query } from './query.js'

/** The relations to include, as a tree, by their names. */
export type IncludeTree = ReadonlyMap<string, IncludeNode>

/** A relation to include. */
export interface IncludeNode {
  /** What to include of its resources. */
  readonly below: IncludeTree
  /** What is asked of it as a list. Undefined for all its members. */
  readonly list: IncludedList | undefined
}

interface MutableNode extends IncludeNode {
  readonly below: MutableTree
  list: IncludedList | undefined
}

type MutableTree = Map<string, MutableNode>

/** What reading `include` needs to know. */
type Reading = Pick<RestContext, 'settings' | 'dialect'>

/** What `include` asks for; undefined where it is absent, which is not the same as empty. */
export type Include = IncludeTree | undefined

/**
 * Reads `include` (contract 4.2; JSON:API "Inclusion of Related Resources"). Paths are merged, in any order.
 * @param model what the paths start from
 * @throws RequestError 400; 403 for what may not be read
 */
export function parseInclude(query: Query, model: RestModel, reading: Reading): Include {
  return readTree(query, model, (path) => path, reading)
}

/**
 * Reads `include` of a relationship's linkage. A path may start from the resource that has the relationship, as in the
 * specification's example `/articles/1/relationships/comments?include=comments.author`, or from the related resources.
 */
export function parseLinkageInclude(query: Query, { name, target }: Relationship, reading: Reading): Include {
  return readTree(query, target, (path) => (path[0] === name ? path.slice(1) : path), reading)
}

function readTree(
  query: Query,
  model: RestModel,
  from: (path: readonly string[]) => readonly string[],
  reading: Reading,
): Include {
  if (query.parameters.length === 0) return undefined
  const { limits } = reading.settings
  const lists = listParameters(query)
  const paths = includePaths(query, limits)
  const tree: MutableTree = new Map()
  for (const path of paths ?? []) addPath(tree, model, from(path))
  requireFew(tree, limits)
  for (const [path, parameters] of lists) {
    const list = { parameters, below: nestedParameters(query, path), spent: includeCost(tree) }
    addList(tree, model, from(path.split('.')), list, reading)
  }
  return paths && tree
}

/** Returns the points that the filters and orders of included lists cost together. */
export function includeCost(include: Include): number {
  let cost = 0
  for (const { list, below } of include?.values() ?? []) cost += (list?.cost ?? 0) + includeCost(below)
  return cost
}

/** Notes what is asked of a list at the relation that it is. */
function addList(
  tree: MutableTree,
  from: RestModel,
  path: readonly string[],
  asked: IncludedListQuery,
  reading: Reading,
): void {
  let at: MutableTree | undefined = tree
  let node: MutableNode | undefined
  let relationship: Relationship | undefined
  for (const name of path) {
    relationship = (relationship?.target ?? from).relationships.get(name)
    node = at?.get(name)
    at = node?.below
  }
  const [first] = asked.parameters
  if (node && relationship) node.list = parseIncludedList(asked, relationship, reading)
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
    if (path.includes('')) throw malformed(parameter, 'It is a comma-separated list of paths of relationships.')
    if (path.length > limits.includeDepth) {
      throw limitError(
        'includeDepth',
        `Included paths can have at most ${limits.includeDepth} relationships.`,
        'include',
      )
    }
    return path
  })
}

function addPath(tree: MutableTree, from: RestModel, path: readonly string[]): void {
  let at = tree
  let model = from
  for (const name of path) {
    const relationship = model.relationships.get(name)
    if (!relationship) {
      const detail = `"${model.type}" has no relationship "${name}".`
      throw new RequestError({ code: 'unknown-field', detail, source: { parameter: 'include' } })
    }
    assertReadable(relationship, 'include')
    const node: MutableNode = at.get(name) ?? { below: new Map(), list: undefined }
    at.set(name, node)
    at = node.below
    model = relationship.target
  }
}

/** Refuses to include more relations than a request may cause queries for. */
function requireFew(tree: IncludeTree, { filterRelations }: Limits): void {
  const count = (below: IncludeTree): number =>
    [...below.values()].reduce((sum, next) => sum + 1 + count(next.below), 0)
  if (count(tree) > filterRelations)
    throw limitError('filterRelations', `At most ${filterRelations} relationships can be included.`, 'include')
}

/** The error of an answer that would include more lists that are cut than it may. */
export function tooManyListsError(most: number): RequestError {
  return limitError('includedLists', `At most ${most} queries can cut included lists.`, 'includePage')
}

/** The error of an answer that would include more than it may. */
export function tooManyIncludedError(most: number): RequestError {
  return limitError('includedRows', `More than ${most} resources would be included.`, 'include')
}
