import type fc from 'fast-check'

import type { Model } from '../../runtime/schema/schema.js'

type Args = fc.Arbitrary<Record<string, unknown>>

/**
 * Arbitraries, each built when it is first asked for and kept: those of arguments have thousands of parts, and a property
 * that built them for every case would spend most of its time on that. What is drawn from them depends on the seed alone.
 */
export class Once {
  readonly #built = new Map<Model, Map<string, Args>>()

  /** @param what tells it from the others of the model, its depth among it */
  of(model: Model, what: string, build: () => Args): Args {
    const ofModel = this.#built.get(model) ?? new Map<string, Args>()
    this.#built.set(model, ofModel)
    const cached = ofModel.get(what) ?? build()
    ofModel.set(what, cached)
    return cached
  }
}
