import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { readOptions } from '../../generator/options.js'

const read = (config: Record<string, string | string[]>) =>
  readOptions({
    name: 'routes',
    config,
    output: '/app/src/routes',
    file: '/app/prisma/schema.prisma',
  })

describe('readOptions', () => {
  it('defaults to Hono, both styles and prettier', () => {
    expect(read({})).toEqual({
      output: '/app/src/routes',
      adapters: ['hono'],
      styles: ['rest', 'rpc'],
      client: undefined,
      clientImport: undefined,
      runtimeImport: '@routewright/runtime',
      importFileExtension: undefined,
      templates: undefined,
      features: { rest: [], rpc: [] },
      files: [],
      unknownZod: 'error',
      format: 'prettier',
      openapi: [],
    })
  })

  it('accepts a string for a list option and sorts the styles', () => {
    expect(read({ styles: 'rpc' }).styles).toEqual(['rpc'])
    expect(read({ styles: ['rpc', 'rest'] }).styles).toEqual(['rest', 'rpc'])
    expect(read({ adapters: [] }).adapters).toEqual([])
  })

  it('resolves templates relative to the schema file', () => {
    expect(read({ templates: './api-templates' }).templates).toBe(path.resolve('/app/prisma/api-templates'))
  })

  it('resolves openapi modules relative to the schema file, without duplicates', () => {
    expect(read({ openapi: '../src/api.ts' }).openapi).toEqual([path.resolve('/app/src/api.ts')])
    expect(read({ openapi: ['../src/b.ts', '../src/a.ts', '../src/./b.ts'] }).openapi).toEqual(
      ['b', 'a'].map((name) => path.resolve(`/app/src/${name}.ts`)),
    )
  })

  it.each([
    [{ openapi: '' }, '"openapi" must not contain an empty path. Write openapi = "../src/api.ts".'],
    [{ adapter: 'hono' }, 'generator routes: unknown option "adapter". Did you mean "adapters"?'],
    [{ policies: 'casl' }, 'generator routes: unknown option "policies". Did you mean "policy"?'],
    [{ styles: ['rest', 'graphql'] }, 'unknown value "graphql" for "styles". Available: rest, rpc.'],
    [{ styles: [] }, '"styles" must not be empty. Write styles = ["rest", "rpc"], or only one of them.'],
    [{ adapters: 'koa' }, 'unknown value "koa" for "adapters". Available: elysia, express, fastify, fetch, hono'],
    [{ format: 'biome' }, 'unknown value "biome" for "format". Available: prettier, none.'],
    [
      { nestedRoutes: 'true' },
      'unknown option "nestedRoutes". It is a feature now. Write rest = ["nestedRoutes"], or remove it.',
    ],
    [{ rest: ['cursor'] }, 'unknown value "cursor" for "rest". Did you mean "cursors"?'],
    [
      { styles: 'rest', rpc: 'transactions' },
      '"rpc" enables features of routes that are not generated. Add "rpc" to "styles".',
    ],
    [{ unknownZod: 'ignore' }, 'unknown value "ignore" for "unknownZod". Available: error, warn.'],
    [{ importFileExtension: 'tsx' }, 'unknown value "tsx" for "importFileExtension". Did you mean "ts"?'],
    [{ runtimeImport: 'x"; globalThis.y = 1; import "z' }, '"runtimeImport" must be an import specifier, but is "x'],
    [{ client: '' }, '"client" must be a non-empty string.'],
    [{ clientImport: ['a', 'b'] }, '"clientImport" must be a non-empty string.'],
  ])('%j: throws an error that names the option', (config, message) => {
    expect(() => read(config)).toThrow(message)
  })

  it('reports all errors in one message', () => {
    expect(() => read({ one: '1', two: '2' })).toThrow(/"one"[^]*\n[^]*"two"/)
  })
})
