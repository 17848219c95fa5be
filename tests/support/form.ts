/**
 * Whether the tests run in the long form (`.ci/run` and `npm run test:all`): property tests do all runs. `npm test` does a
 * fraction of them, so that it takes only minutes.
 */
export const isLong = process.env['TEST_FORM'] === 'long'

/** The short form does one of so many runs. */
const SHARE = 10

/**
 * Returns the number of runs of a property test.
 * @param all the number in the long form
 */
export function runs(all: number): number {
  return isLong ? all : Math.ceil(all / SHARE)
}
