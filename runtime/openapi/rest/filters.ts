import type { JsonSchema, Parameter, PathItem, Reference } from '../document.js'
import type { ComponentCollector } from '../components.js'
import { NameAllocator } from '../names.js'

type Parameters = readonly (Parameter | Reference)[]

/**
 * Filters by name and type: `filter[createdAt$gt]` is the same wherever a date is called so. Which of them stand in several places is
 * known in the end; until then, all stand where they are used.
 */
export class SharedFilters {
  readonly #known = new Map<string, Parameter>()

  /** @param type tells filters apart that are called the same */
  of(selector: string, type: string, schema: () => JsonSchema): Parameter {
    const key = `${selector} ${type}`
    const known = this.#known.get(key) ?? { name: `filter[${selector}]`, in: 'query', schema: schema() }
    this.#known.set(key, known)
    return known
  }

  /** Refers to those that stand in several places. */
  settle(paths: readonly (readonly [path: string, item: PathItem])[], components: ComponentCollector) {
    const places = new Map<Parameter | Reference, number>()
    for (const one of paths.flatMap(([, { get }]) => get?.parameters ?? [])) places.set(one, (places.get(one) ?? 0) + 1)
    const names = new NameAllocator()
    const references = new Map<Parameter | Reference, Reference>()
    for (const parameter of this.#known.values()) {
      if ((places.get(parameter) ?? 0) < 2) continue
      const name = names.unique(parameter.name.slice('filter['.length, -1).replace('$', '.'))
      references.set(
        parameter,
        components.parameter(`filter.${name}`, () => parameter),
      )
    }
    const settled = (all: Parameters) => all.map((one) => references.get(one) ?? one)
    return paths.map(([path, item]): readonly [string, PathItem] => {
      const { get } = item
      return get?.parameters ? [path, { ...item, get: { ...get, parameters: settled(get.parameters) } }] : [path, item]
    })
  }
}
