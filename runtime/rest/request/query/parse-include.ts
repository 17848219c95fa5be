import { RequestError } from '../../../errors/request-error.js'
import type { Limits } from '../../../limits.js'
import type { Relationship, RestModel } from '../../rest-model.js'
import { assertReadable } from '../../relationship-capabilities.js'
import { limitError } from '../request-errors.js'
import type { QueryContext } from '../../settings.js'
import type { Include, IncludeNode, IncludeTree } from './include-tree.js'
import { splitEntries, malformedParameter, parametersInFamily, type Query } from './parse-query.js'

interface MutableNode extends IncludeNode {
  readonly nested: MutableTree
}

type MutableTree = Map<string, MutableNode>

/**
 * Parses `include` (contract 4.2; JSON:API "Inclusion of Related Resources"). Overlapping paths are merged.
 * @param model the model at which the paths start
 * @throws RequestError 400; 403 if a relationship is unreadable
 */
export function parseInclude(query: Query, model: RestModel, context: QueryContext): Include {
  return parseTree(query, model, (path) => path, context)
}

/**
 * Parses `include` for a relationship's linkage. A path may start at the related resources, or at the resource that has the relationship,
 * as in the specification's example `/articles/1/relationships/comments?include=comments.author`.
 */
export function parseLinkageInclude(query: Query, { name, target }: Relationship, context: QueryContext): Include {
  return parseTree(query, target, (path) => (path[0] === name ? path.slice(1) : path), context)
}

function parseTree(
  query: Query,
  model: RestModel,
  toTreePath: (path: readonly string[]) => readonly string[],
  context: QueryContext,
): Include {
  if (query.parameters.length === 0) return undefined
  const { limits, features } = context.settings
  const paths = includePaths(query, limits)
  const tree: MutableTree = new Map()
  for (const path of paths ?? []) addPath(tree, model, toTreePath(path))
  assertIncludeCount(tree, limits)
  features.includedLists?.add(query, { tree, model, toTreePath }, context)
  return paths && tree
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
