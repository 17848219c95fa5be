/** Parses the leading numbers of a version, such as `[7, 10, 0]`. Missing numbers are 0. */
export function versionNumbers(version: string): readonly [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number)
  return [major, minor, patch]
}

/**
 * Whether a version satisfies a range.
 * @param range `^4.8.0` or `>=12`. Other forms are not supported.
 */
export function satisfies(version: string, range: string): boolean {
  const [actual, minimum] = [versionNumbers(version), versionNumbers(range)]
  if (range.startsWith('^') && actual[0] !== minimum[0]) return false
  const differs = actual.findIndex((number, index) => number !== minimum[index])
  return differs < 0 || (actual[differs] ?? 0) > (minimum[differs] ?? 0)
}
