import { readdirSync } from 'node:fs'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'

import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const ADAPTERS = readdirSync(path.join(ROOT, 'runtime/adapters')).map((file) => path.basename(file, '.ts'))

/** Modules of the framework that an adapter imports, except types. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  elysia: ['elysia'],
  hono: ['hono', 'hono/route'],
  nest: ['@nestjs/common', '@nestjs/core'],
}

/** Bundles for a worker. An import of a Node module or of a missing module is an error. */
async function bundle(contents: string, external: readonly string[] = []) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    alias: {
      '@routewright/runtime': './runtime/index.ts',
      '@routewright/runtime/features': './runtime/features',
      '@routewright/runtime/fetch': './runtime/adapters/fetch.ts',
      '@routewright/runtime/rest': './runtime/rest/index.ts',
      '@routewright/runtime/rpc': './runtime/rpc/index.ts',
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    format: 'iife',
    globalName: 'bundled',
    external: [...external],
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  return { text: outputFiles[0]?.text ?? '', imports: output?.imports.map((each) => each.path) ?? [] }
}

describe('runtime without Node', () => {
  it.each(ADAPTERS)('adapter %s: imports no Node module and only required framework modules', async (adapter) => {
    const needed = NEEDED[adapter] ?? []
    // Hono modules that the runtime uses are bundled, as in an app of any other framework.
    const packages = needed.filter((name) => name !== 'hono' && name !== 'hono/route')
    const { text } = await bundle(`export * from './runtime/adapters/${adapter}.ts'`, packages)
    expect(text).not.toMatch(/require\("node:|from "node:/)
    const { metafile } = await build({
      entryPoints: [path.join(ROOT, 'runtime/adapters', `${adapter}.ts`)],
      bundle: true,
      packages: 'external',
      write: false,
      metafile: true,
      format: 'esm',
      logLevel: 'silent',
    })
    const imported = Object.values(metafile.outputs).flatMap((output) => output.imports.map((each) => each.path))
    expect([...new Set(imported)].sort()).toEqual([...needed].sort())
  })

  it('serves emitted routes in a worker that has only web globals', async () => {
    const { text } = await bundle(`
      import { RestApiHandler, RPCApiHandler } from './fixtures/blog/expected/index.ts'
      import { fetchHandler } from '@routewright/runtime/fetch'
      const rows = [{ id: 1n, name: 'News', adPrice: null, readers: 9007199254740993n, parentId: null }]
      const orm = { category: { findMany: async () => rows, count: async () => rows.length } }
      const options = { getOrm: (request, env) => env.orm }
      const rest = fetchHandler({ ...options, handler: RestApiHandler({ endpoint: 'https://x.test/rest' }), prefix: '/rest' })
      const rpc = fetchHandler({ ...options, handler: RPCApiHandler(), prefix: '/rpc' })
      export const send = async (url) => {
        const response = await (url.includes('/rpc/') ? rpc : rest)(new Request(url), { orm })
        return { status: response.status, body: await response.json() }
      }
    `)
    const { AbortController, crypto, Headers, ReadableStream, Request, Response, URL, URLSearchParams } = globalThis
    const web = { AbortController, crypto, Headers, ReadableStream, Request, Response, URL, URLSearchParams }
    const more = { TextDecoder, TextEncoder, btoa, atob, console }
    const context = createContext({ ...web, ...more })
    runInContext(`${text}; globalThis.send = bundled.send`, context)
    const send: (url: string) => Promise<unknown> = context['send']
    expect(await send('https://x.test/rpc/category/findMany')).toMatchObject({
      status: 200,
      body: { data: [{ name: 'News', readers: '9007199254740993' }] },
    })
    expect(await send('https://x.test/rest/category?fields[category]=name')).toMatchObject({
      status: 200,
      body: { data: [{ type: 'category', attributes: { name: 'News' } }] },
    })
    expect(await send('https://x.test/rest/nothing')).toMatchObject({ status: 404 })
  })
})
