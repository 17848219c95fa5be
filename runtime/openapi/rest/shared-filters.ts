import type { JsonSchema, Parameter, PathItem, Reference } from '../document-types.js'
import type { ComponentCollector } from '../component-collector.js'
import { NameAllocator } from '../name-allocator.js'

type Parameters = readonly (Parameter | Reference)[]

/**
 * Shares filter parameters by name and type: `filter[createdAt$gt]` is the same for all models with a date field of that name. All filters
 * stay inline until the end, when it is known which ones are used several times.
 */
export class SharedFilters {
  readonly #known = new Map<string, Parameter>()

  /** @param type distinguishes filters with the same name */
  get(selector: string, type: string, schema: () => JsonSchema): Parameter {
    const key = `${selector} ${type}`
    const parameter = this.#known.get(key) ?? { name: `filter[${selector}]`, in: 'query', schema: schema() }
    this.#known.set(key, parameter)
    return parameter
  }

  /** Replaces each filter that is used several times with a reference. */
  settle(paths: readonly (readonly [path: string, item: PathItem])[], components: ComponentCollector) {
    const usageCounts = new Map<Parameter | Reference, number>()
    for (const parameter of paths.flatMap(([, { get }]) => get?.parameters ?? []))
      usageCounts.set(parameter, (usageCounts.get(parameter) ?? 0) + 1)
    const names = new NameAllocator()
    const references = new Map<Parameter | Reference, Reference>()
    for (const parameter of this.#known.values()) {
      if ((usageCounts.get(parameter) ?? 0) < 2) continue
      const name = names.unique(parameter.name.slice('filter['.length, -1).replace('$', '.'))
      references.set(
        parameter,
        components.parameter(`filter.${name}`, () => parameter),
      )
    }
    const toReferences = (all: Parameters) => all.map((parameter) => references.get(parameter) ?? parameter)
    return paths.map(([path, item]): readonly [string, PathItem] => {
      const { get } = item
      return get?.parameters
        ? [path, { ...item, get: { ...get, parameters: toReferences(get.parameters) } }]
        : [path, item]
    })
  }
}
