/**
 * The long form of the tests, which `.ci/run` and `npm run test:long` run: properties with all their runs. `npm test` takes a part
 * of these, so that whoever changes a line knows within minutes.
 */
export const isLong = process.env['TEST_FORM'] === 'long'

/** The short form takes one run of so many. */
const SHARE = 5

/**
 * How often a property is tried.
 * @param all how often in the long form
 */
export function runs(all: number): number {
  return isLong ? all : Math.ceil(all / SHARE)
}
