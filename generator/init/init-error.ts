import { GeneratorError } from '../errors.js'

/**
 * Why a project cannot be set up.
 * @param what is wrong, as one sentence
 * @param mend how to mend it, as one sentence
 */
export function initError(what: string, mend: string): GeneratorError {
  return new GeneratorError([{ place: {}, what, mend }])
}
