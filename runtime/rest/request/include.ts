import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import type { Relationship, RestModel } from '../model.js'
import { requireRead } from '../permissions.js'
import { beyondLimit } from './beyond-limit.js'
import { entriesOf, malformed, ofFamily, type Query } from './query.js'

/** The relations to include, as a tree: relation name → what to include of its resources. */
export type IncludeTree = ReadonlyMap<string, IncludeTree>

type MutableTree = Map<string, MutableTree>

/** What `include` asks for; undefined where it is absent, which is not the same as empty. */
export type Include = IncludeTree | undefined

/**
 * Reads `include` (contract 4.2; JSON:API "Inclusion of Related Resources"). Paths are merged, in any order.
 * @param model what the paths start from
 * @throws RequestError 400; 403 for what may not be read
 */
export function readInclude(query: Query, model: RestModel, limits: Limits): Include {
  const paths = includePaths(query, limits)
  if (!paths) return undefined
  const tree: MutableTree = new Map()
  for (const path of paths) addPath(tree, model, path)
  requireFew(tree, limits)
  return tree
}

/**
 * Reads `include` of a relationship's linkage. A path may start from the resource that has the relationship, as in the
 * specification's example `/articles/1/relationships/comments?include=comments.author`, or from the related resources.
 */
export function readLinkageInclude(query: Query, { name, target }: Relationship, limits: Limits): Include {
  const paths = includePaths(query, limits)
  if (!paths) return undefined
  const tree: MutableTree = new Map()
  for (const path of paths) addPath(tree, target, path[0] === name ? path.slice(1) : path)
  requireFew(tree, limits)
  return tree
}

function includePaths(query: Query, limits: Limits): string[][] | undefined {
  const parameters = ofFamily(query, 'include')
  const [parameter] = parameters
  if (!parameter) return undefined
  if (parameters.every(({ value }) => value === '')) return []
  const texts = new Set(entriesOf(parameters))
  if (texts.size > limits.listLength) {
    throw beyondLimit('listLength', `At most ${limits.listLength} paths can be included.`, 'include')
  }
  return [...texts].map((text) => {
    const path = text.split('.')
    if (path.includes('')) throw malformed(parameter, 'It is a comma-separated list of paths of relationships.')
    if (path.length > limits.includeDepth) {
      throw beyondLimit(
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
    requireRead(relationship, 'include')
    const below: MutableTree = at.get(name) ?? new Map()
    at.set(name, below)
    at = below
    model = relationship.target
  }
}

/** Refuses to include more relations than a request may cause queries for. */
function requireFew(tree: IncludeTree, { relations }: Limits): void {
  const count = (below: IncludeTree): number => [...below.values()].reduce((sum, next) => sum + 1 + count(next), 0)
  if (count(tree) > relations)
    throw beyondLimit('relations', `At most ${relations} relationships can be included.`, 'include')
}

/** The error of an answer that would include more than it may. */
export function tooManyIncluded(most: number): RequestError {
  return beyondLimit('includedRows', `More than ${most} resources would be included.`, 'include')
}
