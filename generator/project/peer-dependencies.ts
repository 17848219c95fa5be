import { existsSync } from 'node:fs'

import { createPathsMatcher, getTsconfig } from 'get-tsconfig'

import { findUp } from './find-up.js'
import { findInstalled, packageName } from './installed.js'
import { installCommand } from './package-manager.js'
import { satisfies, versionNumbers } from './version.js'

/** What emitted files work with: the peers of `@routewright/runtime`. */
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
 * What the person who generates has to install for emitted files to compile and run.
 * @param specifiers what the files import from packages
 * @param output the folder of the files, absolute; it need not exist
 * @returns a sentence with the command to run. Undefined where everything is there, or where nobody can tell: packages that a
 * tsconfig maps to other files, Yarn's Plug'n'Play and Deno need no `node_modules`
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
    missing.length > 0 && isElsewhere(output) ? [] : missing.filter((name) => !isMapped(names.get(name), output))
  if (absent.length + unsupported.length === 0) return undefined

  const found = unsupported.map(({ name, version, range }) => `${name} ${version} (they need ${range})`)
  const wanted = [...absent, ...unsupported.map(({ name, range }) => `${name}@${tagOf(range)}`)]
  return [
    ...(absent.length > 0 ? ['the routes need packages that are not installed here.'] : []),
    ...(found.length > 0 ? [`${absent.length > 0 ? 'They' : 'the routes'} do not work with ${found.join(', ')}.`] : []),
    `Run: ${installCommand(output, wanted)}`,
  ].join(' ')
}

/** Whether packages are found in another way than by `node_modules`. */
function isElsewhere(output: string): boolean {
  if (process.versions['pnp'] !== undefined) return true
  return findUp(output, ['.pnp.cjs', '.pnp.js', 'deno.json', 'deno.jsonc', 'deno.lock']) !== undefined
}

/** Whether tsconfig's `paths` lead all these specifiers to files that exist. */
function isMapped(specifiers: readonly string[] = [], output: string): boolean {
  const tsconfig = getTsconfig(output)
  const match = tsconfig && createPathsMatcher(tsconfig)
  const exists = (file: string) => ['', '.ts', '.d.ts', '.js'].some((extension) => existsSync(file + extension))
  return match ? specifiers.every((specifier) => match(specifier).some(exists)) : false
}

/** What to ask a registry for: `^4.8.0` is in its major; what has no upper bound, in the newest. No shell reads signs into it. */
function tagOf(range: string): string {
  return range.startsWith('^') ? String(versionNumbers(range)[0]) : 'latest'
}
