/** Where a page stands that is served beside the models, below the prefix. */
const PATH = /^\/[\w.~-]+$/

/**
 * Reads an option that is on, off, or a path of one segment.
 * @param option its name
 * @param byDefault the path where it is `true`
 * @param taken the path names of models, and what else is served
 * @returns undefined where it is off
 * @throws Error where it is no such path, or the path is taken
 */
export function readPagePath(
  option: string,
  value: boolean | string | undefined,
  byDefault: string,
  taken: (name: string) => boolean,
): string | undefined {
  if (value === undefined || value === false) return undefined
  const path = value === true ? byDefault : value
  if (typeof path !== 'string' || !PATH.test(path)) {
    throw new Error(`${option} must be true, false, or a path of one segment, as "${byDefault}".`)
  }
  if (taken(path.slice(1))) throw new Error(`${option}: "${path}" is taken. Give another path, as "/api-docs".`)
  return path
}
