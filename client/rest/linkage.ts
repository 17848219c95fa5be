import { idString } from './id.js'
import type { ResourceOrId } from './types/values.js'

/** The relations of each model, from the generated `graph.ts`. */
export type Graph = Readonly<Record<string, { readonly relations: Readonly<Record<string, string>> } | undefined>>

/** A resource identifier in a relationship. */
interface Identifier {
  readonly type: string
  readonly id: string
}

/** The JSON:API linkage of a relationship. */
export type Linkage = Identifier | null | readonly Identifier[]

/** Converts the value of a relationship to its linkage. Returns undefined if the name is not a relation. */
export type ToLinkage = (name: string, value: unknown) => Linkage | undefined

/**
 * Creates the {@link ToLinkage} of a model.
 * @param relations relation → target model
 * @param getType returns the resource type of a model
 */
export function createLinker(
  relations: Readonly<Record<string, string>>,
  getType: (model: string) => string,
): ToLinkage {
  return (name, value) => {
    if (!Object.hasOwn(relations, name)) return undefined
    const toIdentifier = (resource: unknown): Identifier => {
      if (isResourceOrId(resource))
        return {
          type: getType(relations[name] ?? ''),
          id: idString(typeof resource === 'object' ? resource.id : resource),
        }
      throw new TypeError(`The relationship "${name}" must be an id, a resource, an array of these, or null.`)
    }
    return value === null ? null : Array.isArray(value) ? value.map(toIdentifier) : toIdentifier(value)
  }
}

function isResourceOrId(value: unknown): value is ResourceOrId {
  if (typeof value === 'object') return isResourceOrId(Object(value).id)
  return ['string', 'number', 'bigint'].includes(typeof value)
}
