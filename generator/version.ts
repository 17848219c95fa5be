import { readFileSync } from 'node:fs'

/** Returns the version of this package. */
export function packageVersion(): string {
  // The built file is one folder deeper than its source.
  for (const manifestPath of ['./package.json', '../package.json']) {
    try {
      const { name, version }: { name?: string; version?: string } = JSON.parse(
        readFileSync(new URL(manifestPath, import.meta.url), 'utf8'),
      )
      if (name === 'routewright' && version !== undefined) return version
    } catch {
      continue
    }
  }
  return '0.0.0'
}
