import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { loadSchema } from '../../generator/load-schema.js'
import { generate } from '../../generator/generate.js'
import { peerDependencyNote, SUPPORTED_PEERS } from '../../generator/project/peer-dependencies.js'
import { hasFrameworks } from '../support/frameworks.js'
import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'
import { folderWith } from '../output/folders.js'

const ROOT = resolve(import.meta.dirname, '../..')

/** Returns the files of installed packages by name and version. */
function installed(packages: Readonly<Record<string, string>>): Record<string, string> {
  const manifests = Object.entries(packages).map(([name, version]) => [
    `node_modules/${name}/package.json`,
    // Packages can hide everything except their entry point.
    JSON.stringify({ name, version, exports: { '.': './index.js' } }),
  ])
  return Object.fromEntries(manifests)
}

const noteIn = (files: Readonly<Record<string, string>>, specifiers: readonly string[]) =>
  peerDependencyNote(specifiers, join(folderWith({ 'package.json': '{}', ...files }), 'src/routes'))

describe('peerDependencyNote', () => {
  it('names missing packages and the install command', () => {
    expect(noteIn({}, ['hono', 'zod'])).toBe(
      'the routes require packages that are not installed. Run: npm install hono zod',
    )
    expect(noteIn(installed({ hono: '4.13.0' }), ['hono', 'zod'])).toMatch(/Run: npm install zod$/)
  })

  it('returns undefined if all packages are installed, also in a parent folder', () => {
    const specifiers = ['hono', 'zod', '@casl/prisma/runtime', '@routewright/runtime/hono']
    const packages = { hono: '4.8.0', zod: '4.0.0', '@casl/prisma': '2.0.2', '@routewright/runtime': '0.1.0' }
    expect(noteIn(installed(packages), specifiers)).toBeUndefined()
    const workspace = folderWith({ ...installed(packages), 'apps/api/package.json': '{}' })
    expect(peerDependencyNote(specifiers, join(workspace, 'apps/api/src/routes'))).toBeUndefined()
  })

  it('ignores imports of the package that contains the routes', () => {
    const manifest = { 'package.json': JSON.stringify({ name: '@acme/routes', version: '1.0.0' }) }
    expect(noteIn(manifest, ['@acme/routes/hono'])).toBeUndefined()
  })

  it('names each package once', () => {
    const specifiers = [
      '@routewright/runtime',
      '@routewright/runtime/computed',
      '@routewright/runtime/hono',
      '@casl/prisma/runtime',
      'zod/mini',
      'zod/locales',
    ]
    expect(noteIn({}, specifiers)).toMatch(/Run: npm install @routewright\/runtime @casl\/prisma zod$/)
  })

  it.each([
    ['package-lock.json', 'npm install hono'],
    ['pnpm-lock.yaml', 'pnpm add hono'],
    ['yarn.lock', 'yarn add hono'],
    ['bun.lock', 'bun add hono'],
    ['bun.lockb', 'bun add hono'],
  ])('%s: suggests the command of the package manager', (lockfile, command) => {
    expect(noteIn({ [lockfile]: '' }, ['hono'])).toMatch(new RegExp(`Run: ${command}$`))
  })

  it('names packages with an unsupported version', () => {
    expect(noteIn(installed({ hono: '4.7.9', zod: '3.25.76' }), ['hono', 'zod'])).toBe(
      'the routes do not support hono 4.7.9 (required: ^4.8.0), zod 3.25.76 (required: ^4.0.0). Run: npm install hono@4 zod@4',
    )
    expect(noteIn(installed({ next: '15.5.0' }), ['next'])).toMatch(/Run: npm install next@latest$/)
    expect(noteIn(installed({ next: '17.0.0-rc.1' }), ['next'])).toBeUndefined()
    expect(noteIn(installed({ zod: '5.0.0' }), ['zod'])).toMatch(/zod 5\.0\.0 \(required: \^4\.0\.0\)/)
  })

  it('reports missing and outdated packages in one line', () => {
    expect(noteIn(installed({ hono: '3.12.0' }), ['hono', 'zod'])).toBe(
      'the routes require packages that are not installed. The routes do not support hono 3.12.0 (required: ^4.8.0). Run: npm install zod hono@4',
    )
  })

  it("ignores packages with Yarn Plug'n'Play, Deno or tsconfig paths", () => {
    expect(noteIn({ '.pnp.cjs': '' }, ['hono'])).toBeUndefined()
    expect(noteIn({ 'deno.json': '{}' }, ['hono'])).toBeUndefined()
    const tsconfig = (target: string) => JSON.stringify({ compilerOptions: { paths: { '@acme/*': [target] } } })
    const mapped = { 'tsconfig.json': tsconfig('./lib/*'), 'lib/routes.ts': '' }
    expect(noteIn(mapped, ['@acme/routes'])).toBeUndefined()
    expect(noteIn({ ...mapped, 'tsconfig.json': tsconfig('./nowhere/*') }, ['@acme/routes'])).toMatch(/@acme\/routes$/)
  })

  it('uses the peer ranges of the runtime package', () => {
    const { peerDependencies }: { peerDependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'runtime/package.json'), 'utf8'),
    )
    for (const [name, range] of Object.entries(SUPPORTED_PEERS)) expect(peerDependencies[name], name).toBe(range)
  })
})

describe('packages of generated files', () => {
  it('include runtime, hono and packages of options, without the Prisma client', async () => {
    const packages = async (options: string, field = '') => {
      const head = SCHEMA_HEAD.replace('"routewright"', `"routewright"\n  ${options}`)
      const { packages } = await generateFrom(`${head}model User {\n  id Int @id\n${field}\n}`)
      return packages
    }
    expect(await packages('')).toEqual([
      '@routewright/runtime',
      '@routewright/runtime/computed',
      '@routewright/runtime/hono',
      '@routewright/runtime/rest',
      '@routewright/runtime/rpc',
      'hono',
    ])
    expect(await packages('adapters = []', '  /// @zod.email()\n  email String')).toEqual([
      '@routewright/runtime',
      '@routewright/runtime/computed',
      '@routewright/runtime/rest',
      '@routewright/runtime/rpc',
      'hono',
      'zod/locales',
      'zod/mini',
    ])
    expect(await packages('files = ["hooks"]')).toContain('@routewright/runtime/hooks')
    expect(await packages('rest = ["cursors"]')).toContain('@routewright/runtime/features/cursors')
    expect(await packages('policy = "casl"')).toEqual(
      expect.arrayContaining(['@casl/ability', '@casl/prisma/runtime', '@routewright/runtime/policy']),
    )
    expect(await packages('adapters = ["elysia", "node", "nest"]\n  clientImport = "@acme/db"')).toEqual([
      '@nestjs/common',
      '@routewright/runtime',
      '@routewright/runtime/computed',
      '@routewright/runtime/elysia',
      '@routewright/runtime/nest',
      '@routewright/runtime/node',
      '@routewright/runtime/rest',
      '@routewright/runtime/rpc',
      'elysia',
      'hono',
    ])
    expect(await packages('adapters = []\n  runtimeImport = "../lib/runtime"')).toEqual(['hono'])
    expect(await packages('adapters = []\n  runtimeImport = "~/runtime"')).toEqual(['hono'])
  })

  it('are all installed in this repository for every fixture', async () => {
    // The fixture of all adapters requires the packages of tests/frameworks.
    for (const fixture of [...(hasFrameworks ? ['adapters'] : []), 'annotations', 'blog', 'client-js']) {
      const [input] = await loadSchema(join(ROOT, 'fixtures', fixture, 'schema.prisma'))
      const generated = input && (await generate(input))
      expect(generated && peerDependencyNote(generated.packages, generated.output), fixture).toBeUndefined()
    }
  })

  it('are resolved from the output folder, even if it does not exist', () => {
    const folder = folderWith({ 'package.json': '{}', ...installed({ hono: '4.9.0' }) })
    mkdirSync(join(folder, 'src/node_modules/hono'), { recursive: true })
    expect(peerDependencyNote(['hono'], join(folder, 'src/nowhere/yet'))).toBeUndefined()
  })
})
