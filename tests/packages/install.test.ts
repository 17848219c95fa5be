import { readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hasFrameworks } from '../support/frameworks.js'
import { readTree } from '../support/generate.js'
import { type App, closureOf, emittedJs, type Install, installedIn, link, makeApp, npmInstall } from './app.js'
import { packAll, readManifest, type Tarballs } from './tarballs.js'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const BLOG = path.join(ROOT, 'fixtures/blog')

let tarballs: Tarballs
const apps: App[] = []

interface Way {
  readonly way: string
  readonly install: Install
  /** Returns the packages that the runtime adds to an app with the other packages. */
  brought(app: App, otherPackages: readonly string[]): readonly string[]
}
const linked: Way = { way: 'linked', install: link, brought: () => closureOf(tarballs.runtime) }
const byNpm: Way = {
  way: 'installed by npm',
  install: npmInstall,
  brought: ({ folder }, otherPackages) => {
    const expected = [tarballs.runtime.manifest.name, ...otherPackages]
    return installedIn(folder).filter((name) => !expected.includes(name))
  },
}

// Uses the registry only on request, because `npm test` must not need a network.
const ways = process.env['TEST_NPM_INSTALL'] === '1' ? [linked, byNpm] : [linked]

beforeAll(async () => {
  tarballs = await packAll()
})
afterAll(() => {
  tarballs.remove()
  for (const app of apps) app.remove()
})

async function appWith(
  install: Install,
  name: 'generator' | 'runtime' | 'client',
  more: readonly string[] = [],
): Promise<App> {
  const app = makeApp()
  apps.push(app)
  await install(app, tarballs[name], more)
  return app
}

/** The runtime's dependency and peers, and their dependencies. */
const PRODUCTION = ['@prisma/client', '@prisma/client-runtime-utils', 'copy-anything', 'hono', 'superjson']

/** Imports each entry point. Prints the ones that fail, with the missing package. */
const IMPORT_ALL = `
const missing = {}
for (const entry of process.argv.slice(2)) {
  await import(entry).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    missing[entry] = /package '([^']+)'/.exec(error.message)?.[1] ?? error.message
  })
}
console.log(JSON.stringify(missing))
`

/** An app with the blog's routes. An object replaces the Prisma client. */
const SERVE = `
import { Hono } from 'hono'
import { createHonoHandler } from './routes/hono.js'
import { RestApiHandler, RPCApiHandler } from './routes/index.js'

const rows = [{ id: 1, slug: 'hello', title: 'Hello', publishedAt: new Date(0), authorId: 7, categoryId: null }]
const orm = { post: { findMany: async () => rows, count: async () => rows.length } }
const app = new Hono()
app.route('/rest', createHonoHandler({ getOrm: () => orm, handler: RestApiHandler({ endpoint: 'https://x.test/rest' }) }))
app.route('/rpc', createHonoHandler({ getOrm: () => orm, handler: RPCApiHandler() }))
for (const path of ['/rest/post?fields[post]=title', '/rpc/post/findMany']) {
  const response = await app.request('https://x.test' + path)
  console.log(response.status, await response.text())
}
`

describe.each(ways)('@routewright/runtime, $way', ({ way, install, brought }) => {
  let app: App
  let entries: readonly string[]
  beforeAll(async () => {
    app = await appWith(install, 'runtime', ['zod'])
    app.write({ 'import-all.js': IMPORT_ALL, 'serve.js': SERVE, ...(await emittedJs('blog')) })
    const { name, exports = {} } = tarballs.runtime.manifest
    entries = Object.keys(exports)
      .filter((entry) => entry !== './package.json')
      .map((entry) => name + entry.slice(1))
  })

  it('installs only superjson and its peers', () => {
    expect(Object.keys(tarballs.runtime.manifest.dependencies ?? {})).toEqual(['superjson'])
    expect(brought(app, ['zod'])).toEqual(PRODUCTION)
  })

  it('imports every entry except those of Elysia, NestJS and OpenTelemetry', async () => {
    const { code, stdout, stderr } = await app.node('import-all.js', ...entries)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      '@routewright/runtime/elysia': 'elysia',
      '@routewright/runtime/nest': '@nestjs/common',
      '@routewright/runtime/otel': '@opentelemetry/api',
    })
  })

  it.runIf(hasFrameworks || way === byNpm.way)('imports every entry if the frameworks are installed', async () => {
    const more = await appWith(install, 'runtime', ['elysia', '@nestjs/common', '@nestjs/core', '@opentelemetry/api'])
    more.write({ 'import-all.js': IMPORT_ALL })
    const { code, stdout, stderr } = await more.node('import-all.js', ...entries)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({})
  })

  it('has types that need only declared peers', async () => {
    app.write({ 'types.ts': entries.map((entry, index) => `export * as entry${index} from '${entry}'\n`).join('') })
    const { stdout } = await app.node(TSC, ...'--noEmit --strict --target es2022 --module nodenext types.ts'.split(' '))
    const errors = stdout.split('\n').filter((line) => /^\S/.test(line))
    const missing = errors.map(
      (error) => /Cannot find (?:module|name) '(@[^/]+\/[^/']+|[^/']+)/.exec(error)?.[1] ?? error,
    )
    const peers = Object.keys(tarballs.runtime.manifest.peerDependencies ?? {})
    expect(missing).toContain('express')
    expect(missing.filter((name) => !peers.includes(name) && !/^node:[a-z]+$/.test(name))).toEqual([])
  })

  it('responds with 200 on emitted routes', async () => {
    const { code, stdout, stderr } = await app.node('serve.js')
    expect(code, stderr).toBe(0)
    const [rest = '', rpc = ''] = stdout.split('\n')
    expect(rest).toMatch(/^200 .*"type":"post".*"title":"Hello"/)
    expect(rpc).toMatch(/^200 .*"slug":"hello".*"values":\{"0\.publishedAt":\["Date"\]\}/)
  })
})

/** A caller of an API with a fake response. */
const CALL = `
import { createRpcClient, RpcError } from '@routewright/client'

const answer = { data: { at: '2024-01-01T00:00:00.000Z' }, meta: { serialization: { values: { at: ['Date'] }, v: 1 } } }
const api = createRpcClient({ url: '/rpc', fetch: async ({ url }) => Response.json(answer, { headers: { url } }) })
const { at } = await api.post.findFirst({ where: { id: 1 } })
console.log(at.getUTCFullYear(), new RpcError('No.', { status: 403 }).status)
`

/** A client app without a Prisma client and a schema. The emitted \`client.ts\` is in another project. */
const CALL_TYPES = `
import { createRpcClient, type AnyApi, type RpcClient } from '@routewright/client'

export function make<A extends AnyApi>(): RpcClient<A> | undefined {
  return undefined
}
export const made = createRpcClient
`

describe.each(ways)('@routewright/client, $way', ({ install }) => {
  let app: App
  beforeAll(async () => {
    app = await appWith(install, 'client')
    app.write({ 'call.js': CALL, 'types.ts': CALL_TYPES })
  })

  it('has no required dependencies', () => {
    const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = tarballs.client.manifest
    expect(dependencies).toBeUndefined()
    // The packages of TanStack Query, whose types the query entry imports.
    expect(Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)).toEqual([])
    expect(installedIn(app.folder)).toEqual(['@routewright/client'])
  })

  it('calls an API', async () => {
    const { code, stdout, stderr } = await app.node('call.js')
    expect(code, stderr).toBe(0)
    expect(stdout).toBe('2024 403\n')
  })

  it('has types that need only the DOM library', async () => {
    const args = '--noEmit --strict --target es2022 --lib es2022,dom --module nodenext --types  types.ts'.split(' ')
    expect(await app.node(TSC, ...args)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe.each(ways)('routewright, $way', ({ install }) => {
  let app: App
  const routewright = (...args: readonly string[]) => app.node(app.bin(tarballs.generator), ...args)
  beforeAll(async () => {
    app = await appWith(install, 'generator')
  })

  it('prints its version', async () => {
    const { version } = readManifest(path.join(ROOT, 'generator'))
    expect(await routewright('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('check: exits with 1 if committed routes differ from the schema', async () => {
    const routes = readTree(path.join(BLOG, 'expected'))
    for (const [name, text] of routes) app.write({ [`expected/${name}`]: text })
    app.write({ 'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }' })
    app.write({ 'schema.prisma': readFileSync(path.join(BLOG, 'schema.prisma'), 'utf8') })
    expect(await routewright('check', '--schema', 'schema.prisma')).toMatchObject({ code: 0, stderr: '' })

    app.write({ 'expected/post/rest.ts': `${routes.get('post/rest.ts')}// one line more\n` })
    const { code, stdout } = await routewright('check', '--schema', 'schema.prisma')
    expect(code).toBe(1)
    expect(stdout).toContain('-// one line more')
  })
})
