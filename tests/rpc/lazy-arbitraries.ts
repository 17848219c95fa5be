import type fc from 'fast-check'

import type { Model } from '../../runtime/schema/model.js'

type Args = fc.Arbitrary<Record<string, unknown>>

/**
 * Arbitraries that are created on first use and then cached. Those of arguments have thousands of parts, and creating them
 * for every case would take most of a property's time. The drawn values depend only on the seed.
 */
export class Once {
  readonly #built = new Map<Model, Map<string, Args>>()

  /** @param what identifies the arbitrary within its model, including its depth */
  of(model: Model, what: string, build: () => Args): Args {
    const ofModel = this.#built.get(model) ?? new Map<string, Args>()
    this.#built.set(model, ofModel)
    const cached = ofModel.get(what) ?? build()
    ofModel.set(what, cached)
    return cached
  }
}
