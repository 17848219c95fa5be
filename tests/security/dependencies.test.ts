import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const { dependencies, peerDependencies } = JSON.parse(readFileSync('runtime/package.json', 'utf8')) as Package

/** The packages that the files of some folders import when they run. Types leave nothing behind. */
function importsOf(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      path: join(folder, entry.name),
      file: entry.isFile(),
    })),
  )
  const names = files.flatMap(({ path, file }) =>
    file
      ? [...readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^.'][^']*)'/gm)].map(
          ([, name = '']) => name,
        )
      : APART.includes(path) || path === BUILT
        ? []
        : importsOf(path),
  )
  return [...new Set(names)].sort()
}

/** What is for one framework, for Node alone, or for OpenTelemetry. */
const APART: readonly string[] = ['runtime/adapters', 'runtime/node-http', 'runtime/otel']

/** What is built of the sources. */
const BUILT = 'runtime/dist'

// S-43: each package that answers requests is one whose advisories are an app's concern. Of Hono it is not the middlewares that
// had them: cors, csrf, bodyLimit.
it('runtime core: imports only Hono', () => {
  expect(importsOf('runtime')).toEqual(['hono', 'hono/http-exception'])
  expect(dependencies).toBeUndefined()
})

it('adapters: import only peer dependencies and Node', () => {
  const names = importsOf(...APART)
  for (const name of names.filter((name) => !name.startsWith('node:'))) {
    const [, owner = ''] = /^(@[^/]+\/[^/]+|[^/]+)/.exec(name) ?? []
    expect(Object.keys(peerDependencies), name).toContain(owner)
  }
})
