import { existsSync } from 'node:fs'

import { createPathsMatcher, getTsconfig } from 'get-tsconfig'

import { findUp } from './find-up.js'
import { findInstalled, packageName } from './installed.js'
import { installCommand } from './package-manager.js'
import { satisfies, versionNumbers } from './version.js'

/** The package versions that emitted files support: the peer dependencies of `@routewright/runtime`. */
export const SUPPORTED_PEERS: Readonly<Record<string, string>> = {
  '@casl/ability': '^7.0.0',
  '@casl/prisma': '^2.0.0',
  '@nestjs/common': '>=12',
  '@sveltejs/kit': '>=2.70',
  elysia: '>=1.4',
  express: '>=4',
  fastify: '>=5',
  hono: '^4.8.0',
  next: '>=16',
  zod: '^4.0.0',
}

/**
 * Checks that supported versions of the packages that emitted files import are installed.
 * @param specifiers the package imports of the files
 * @param output absolute path of the output folder. It does not need to exist.
 * @returns a sentence with the install command, or undefined if nothing is missing. Packages that tsconfig `paths` map to other files, and
 * all packages with Yarn Plug'n'Play or Deno, count as installed, because they need no `node_modules`.
 */
export function peerDependencyNote(specifiers: readonly string[], output: string): string | undefined {
  const names = new Map<string, string[]>()
  for (const specifier of specifiers) {
    const name = packageName(specifier)
    if (name !== undefined) names.set(name, [...(names.get(name) ?? []), specifier])
  }
  const missing: string[] = []
  const unsupported: { readonly name: string; readonly version: string; readonly range: string }[] = []
  for (const name of names.keys()) {
    const installed = findInstalled(name, output)
    const range = SUPPORTED_PEERS[name]
    if (installed === undefined) missing.push(name)
    else if (range !== undefined && !satisfies(installed.version, range)) {
      unsupported.push({ name, version: installed.version, range })
    }
  }
  const absent =
    missing.length > 0 && isOutsideProject(output) ? [] : missing.filter((name) => !isMapped(names.get(name), output))
  if (absent.length + unsupported.length === 0) return undefined

  const found = unsupported.map(({ name, version, range }) => `${name} ${version} (required: ${range})`)
  const packages = [...absent, ...unsupported.map(({ name, range }) => `${name}@${getTag(range)}`)]
  // The text follows a prefix, so its first sentence begins in lower case.
  return [
    ...(absent.length > 0 ? ['the routes require packages that are not installed.'] : []),
    ...(found.length > 0
      ? [`${absent.length > 0 ? 'The routes' : 'the routes'} do not support ${found.join(', ')}.`]
      : []),
    `Run: ${installCommand(output, packages)}`,
  ].join(' ')
}

/** Whether the project resolves packages without `node_modules`. */
function isOutsideProject(output: string): boolean {
  if (process.versions['pnp'] !== undefined) return true
  return findUp(output, ['.pnp.cjs', '.pnp.js', 'deno.json', 'deno.jsonc', 'deno.lock']) !== undefined
}

/** Whether tsconfig's `paths` map all these specifiers to existing files. */
function isMapped(specifiers: readonly string[] = [], output: string): boolean {
  const tsconfig = getTsconfig(output)
  const match = tsconfig && createPathsMatcher(tsconfig)
  const exists = (file: string) => ['', '.ts', '.d.ts', '.js'].some((extension) => existsSync(file + extension))
  return match ? specifiers.every((specifier) => match(specifier).some(exists)) : false
}

/**
 * Returns the npm version or tag to install: the major version for a caret range, otherwise `latest`. Contains no characters that a shell
 * would interpret.
 */
function getTag(range: string): string {
  return range.startsWith('^') ? String(versionNumbers(range)[0]) : 'latest'
}
