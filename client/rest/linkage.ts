import { idString } from './id.js'
import type { ResourceOrId } from './types/values.js'

/** What is known at run time of how models lead to each other: the emitted `graph.ts`. */
export type Graph = Readonly<Record<string, { readonly relations: Readonly<Record<string, string>> } | undefined>>

/** A resource as relationships name it. */
interface Identifier {
  readonly type: string
  readonly id: string
}

/** What a relationship is to hold, as JSON:API has it. */
export type Linkage = Identifier | null | readonly Identifier[]

/** The linkage for what is given of a member of a model; undefined where that is no relation. */
export type ToLinkage = (name: string, given: unknown) => Linkage | undefined

/**
 * Makes the linkage of a model's relationships.
 * @param relations each relation and its model
 * @param typeOf the `type` of a model's resources
 */
export function createLinker(
  relations: Readonly<Record<string, string>>,
  typeOf: (model: string) => string,
): ToLinkage {
  return (name, given) => {
    if (!Object.hasOwn(relations, name)) return undefined
    const identifier = (one: unknown): Identifier => {
      if (isGiven(one))
        return { type: typeOf(relations[name] ?? ''), id: idString(typeof one === 'object' ? one.id : one) }
      throw new TypeError(`${name} is a relationship: it holds ids, resources, or null.`)
    }
    return given === null ? null : Array.isArray(given) ? given.map(identifier) : identifier(given)
  }
}

function isGiven(value: unknown): value is ResourceOrId {
  if (typeof value === 'object') return isGiven(Object(value).id)
  return ['string', 'number', 'bigint'].includes(typeof value)
}
