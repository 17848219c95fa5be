import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { resolveImportPaths, relativePath } from '../../generator/emit/import-paths.js'
import { readOptions } from '../../generator/options.js'
import type { GeneratorBlock } from '../../generator/schema/generator-block.js'

/** A project with the given tsconfig, or none. */
function project(compilerOptions?: object): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'routewright-test-'))
  mkdirSync(path.join(folder, 'src'))
  if (compilerOptions) writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return folder
}

function client(
  folder: string,
  more: { name?: string; provider?: string; config?: Record<string, string>; output?: string } = {},
) {
  const output = more.output ?? path.join(folder, 'src/generated/prisma')
  return {
    name: more.name ?? 'client',
    provider: more.provider ?? 'prisma-client',
    previewFeatures: [],
    config: more.config ?? {},
    output,
    isCustomOutput: more.output === undefined,
    file: path.join(folder, 'schema.prisma'),
  } satisfies GeneratorBlock
}

function specifiers(folder: string, clients: GeneratorBlock[], config: Record<string, string> = {}) {
  const output = path.join(folder, 'src/routes')
  const options = readOptions({ name: 'routes', config, output, file: path.join(folder, 'schema.prisma') })
  const paths = resolveImportPaths(options, clients)
  return [paths.client, paths.local('./resource')]
}

const NODENEXT = { module: 'nodenext' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }

describe('import paths of emitted files', () => {
  it.each([
    ['no tsconfig', undefined, 'ts'],
    ['nodenext', NODENEXT, 'js'],
    ['bundler', BUNDLER, ''],
    ['commonjs', { module: 'commonjs' }, ''],
    ['allowImportingTsExtensions', { ...BUNDLER, allowImportingTsExtensions: true }, 'ts'],
    ['rewriteRelativeImportExtensions', { ...NODENEXT, rewriteRelativeImportExtensions: true }, 'ts'],
  ])('%s: uses the file extension that tsconfig requires', (_, compilerOptions, extension) => {
    const folder = project(compilerOptions)
    const end = extension === '' ? '' : `.${extension}`
    expect(specifiers(folder, [client(folder)])).toEqual([`../generated/prisma/client${end}`, `./resource${end}`])
  })

  it('prefers importFileExtension of the generators over tsconfig', () => {
    const folder = project(NODENEXT)
    const configured = client(folder, { config: { importFileExtension: 'ts' } })
    expect(specifiers(folder, [configured])[1]).toBe('./resource.ts')
    expect(specifiers(folder, [configured], { importFileExtension: '' })[1]).toBe('./resource')
  })

  it('resolves a client with .mts files and a client for Deno', () => {
    const folder = project(NODENEXT)
    expect(specifiers(folder, [client(folder, { config: { generatedFileExtension: 'mts' } })])).toEqual([
      '../generated/prisma/client.mjs',
      './resource.js',
    ])
    expect(specifiers(folder, [client(folder, { config: { runtime: 'deno' } })])[0]).toBe(
      '../generated/prisma/client.ts',
    )
  })

  it('resolves the output of prisma-client-js', () => {
    const folder = project(NODENEXT)
    const js = { provider: 'prisma-client-js' }
    expect(specifiers(folder, [client(folder, js)])[0]).toBe('../generated/prisma/index.js')
    const bundled = project(BUNDLER)
    expect(specifiers(bundled, [client(bundled, js)])[0]).toBe('../generated/prisma')
    const usual = client(folder, { ...js, output: path.join(folder, 'node_modules/@prisma/client') })
    expect(specifiers(folder, [usual])[0]).toBe('@prisma/client')
  })

  it('uses clientImport unchanged', () => {
    const folder = project(NODENEXT)
    expect(specifiers(folder, [], { clientImport: '#db/client' })[0]).toBe('#db/client')
    expect(specifiers(folder, [], { clientImport: './db.js' })[0]).toBe('./db.js')
    expect(specifiers(folder, [], { clientImport: '../db.js' })[0]).toBe('../db.js')
  })

  it('throws if tsconfig extends a missing file, unless importFileExtension is set', () => {
    const folder = project()
    writeFileSync(path.join(folder, 'tsconfig.json'), '{ "extends": "./.svelte-kit/tsconfig.json" }')
    const clients = [client(folder)]
    expect(() => specifiers(folder, clients)).toThrow(
      /tsconfig\.json cannot be read: .*svelte-kit.* Create the file that it extends/s,
    )
    expect(specifiers(folder, clients, { importFileExtension: 'ts' })[1]).toBe('./resource.ts')
  })

  it('requires the client option if the schema has several clients', () => {
    const folder = project(NODENEXT)
    const clients = [client(folder, { name: 'one' }), client(folder, { name: 'two', output: path.join(folder, 'two') })]
    expect(() => specifiers(folder, clients)).toThrow(
      'several client generators: "one", "two". Specify the one that the routes use: client = "one".',
    )
    expect(() => specifiers(folder, clients, { client: 'three' })).toThrow(
      'no client generator named "three". Set client to one of "one", "two".',
    )
    expect(specifiers(folder, clients, { client: 'one' })[0]).toBe('../generated/prisma/client.js')
  })

  it('throws if the schema has no client generator', () => {
    expect(() => specifiers(project(NODENEXT), [])).toThrow(
      'no client generator. Add one with provider = "prisma-client"',
    )
  })

  it('uses forward slashes on Windows and throws across drives', () => {
    const { win32 } = path
    expect(relativePath('C:\\app\\src\\routes\\post', 'C:\\app\\src\\client', win32)).toBe('../../client')
    expect(relativePath('C:\\app\\src', 'C:\\app\\src\\client', win32)).toBe('./client')
    expect(() => relativePath('C:\\app\\src', 'D:\\client', win32)).toThrow('Set clientImport')
  })
})
