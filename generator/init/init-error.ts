import { GeneratorError } from '../errors.js'

/**
 * Creates the error for a project that cannot be set up.
 * @param message the problem, as one sentence
 * @param hint how to fix it, as one sentence
 */
export function initError(message: string, hint: string): GeneratorError {
  return new GeneratorError([{ location: {}, message, hint }])
}
