import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

interface Package {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const { dependencies, peerDependencies } = JSON.parse(readFileSync('runtime/package.json', 'utf8')) as Package

/** Returns the packages that the files of some folders import at runtime, without type imports. */
function importsOf(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      path: join(folder, entry.name),
      file: entry.isFile(),
    })),
  )
  const names = files.flatMap(({ path, file }) =>
    file
      ? [
          ...withoutComments(readFileSync(path, 'utf8')).matchAll(
            /^(?:import|export) (?!type )[^;]*? from '([^.'][^']*)'/gm,
          ),
        ].map(([, name = '']) => name)
      : APART.includes(path) || path === BUILT
        ? []
        : importsOf(path),
  )
  return [...new Set(names)].sort()
}

const withoutComments = (text: string) => text.replaceAll(/^\s*\/\*\*.*?\*\//gms, '')

/** Folders with code for a framework, for Node or for OpenTelemetry. */
const APART: readonly string[] = ['runtime/adapters', 'runtime/node-http', 'runtime/otel']

/** The output of the build. */
const BUILT = 'runtime/dist'

// S-43: apps must follow the advisories of each package that handles requests. The Hono middleware with past advisories is
// not used: cors, csrf, bodyLimit. superjson had an advisory about decoding, and is used only to encode.
it('runtime core: imports only Hono, superjson and, for OpenAPI documents, zod', () => {
  expect(importsOf('runtime')).toEqual(['hono', 'hono/http-exception', 'superjson', 'zod/v4/core'])
  expect(Object.keys(dependencies)).toEqual(['superjson'])
})

it('adapters: import only peer dependencies and Node', () => {
  const names = importsOf(...APART)
  for (const name of names.filter((name) => !name.startsWith('node:'))) {
    const [, owner = ''] = /^(@[^/]+\/[^/]+|[^/]+)/.exec(name) ?? []
    expect(Object.keys(peerDependencies), name).toContain(owner)
  }
})
