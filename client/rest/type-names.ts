import type { RestClientOptions } from './options.js'

/**
 * Creates a function that returns the resource type of a model, by its model or delegate name.
 * @throws TypeError if the mapping does not contain the model, because the server does not expose it
 */
export function typeNames(mapping: RestClientOptions['modelNameMapping']): (name: string) => string {
  const types = mapping && new Map(Object.entries(mapping).map(([model, type]) => [uncapitalized(model), type]))
  return (name) => {
    const type = types ? types.get(uncapitalized(name)) : name.toLowerCase()
    if (type !== undefined) return type
    throw new TypeError(`modelNameMapping does not contain "${name}".`)
  }
}

/** Converts the name of a model to that of its delegate. */
export function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
