import { GeneratorError } from '../errors.js'

/**
 * Creates the error for a project that cannot be set up.
 * @param what the problem, as one sentence
 * @param hint how to fix it, as one sentence
 */
export function initError(what: string, hint: string): GeneratorError {
  return new GeneratorError([{ location: {}, what, hint }])
}
