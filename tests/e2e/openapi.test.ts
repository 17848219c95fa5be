import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { isLong } from '../support/form.js'
import { readTree } from '../support/generate.js'
import { makeProject, type Project } from './project.js'

const SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

generator routes {
  provider = "routewright"
  output   = "../src/routes"
  openapi  = "../src/api.ts"
  files    = ["customRoutes"]
}

datasource db {
  provider = "sqlite"
}

model User {
  id    Int    @id @default(autoincrement())
  email String @unique
  posts Post[]
}

model Post {
  id       Int    @id @default(autoincrement())
  title    String
  author   User   @relation(fields: [authorId], references: [id])
  authorId Int
}
`

const API = `import { openApi } from '@routewright/runtime/openapi'
import { endpoint } from '~/settings.js'
import { RestApiHandler, RPCApiHandler } from './routes/index.js'

console.log('loaded')
// Nothing ends this.
setInterval(() => undefined, 1000)

enum Version { Current = '1.0.0' }

export const rest = RestApiHandler({ endpoint, openapi: openApi({ info: { title: 'Blog', version: Version.Current } }) })
export const rpc = RPCApiHandler({ openapi: openApi() })
`

/** A project with routes and a module that exports both handlers. */
async function described(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const app = makeProject({
    'prisma/schema.prisma': SCHEMA,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, paths: { '~/*': ['./src/*'] } },
    }),
    'src/settings.ts': "export const endpoint = 'https://example.com/api'\n",
    'src/api.ts': API,
    ...files,
  })
  const { code, stderr } = await app.routewright('generate')
  expect(code, stderr).toBe(0)
  return app
}

const file = ({ folder }: Project, name: string) => path.join(folder, name)
const textOf = (app: Project, name: string) => readFileSync(file(app, name), 'utf8')
const jsonOf = (app: Project, name: string) => JSON.parse(textOf(app, name))
const REST = 'src/openapi/rest.openapi.json'
const RPC = 'src/openapi/rpc.openapi.json'

describe('routewright openapi with the built executable', () => {
  it('writes the documents of exported handlers, and `check` detects outdated ones', async () => {
    const app = await described()
    expect(await app.installedRoutewright('openapi')).toEqual({
      code: 0,
      stdout: `routewright: wrote ${REST}\nroutewright: wrote ${RPC}\nroutewright: 2 files written, 0 unchanged\n`,
      stderr: '',
    })
    const before = { rest: textOf(app, REST), rpc: textOf(app, RPC) }
    expect(JSON.parse(before.rest)).toMatchObject({
      info: { title: 'Blog', version: '1.0.0' },
      servers: [{ url: 'https://example.com/api' }],
    })
    expect(JSON.parse(before.rpc)).toMatchObject({ info: { title: 'RPC API' }, servers: [{ url: '/' }] })
    expect(await app.installedRoutewright('check')).toEqual({
      code: 0,
      stdout: 'routewright: 14 files match the schema.\nroutewright: 2 OpenAPI documents match the handlers.\n',
      stderr: '',
    })

    app.write({ 'prisma/schema.prisma': SCHEMA.replace('  title ', '  subtitle String?\n  title ') })
    const stale = await app.installedRoutewright('check')
    expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining('the OpenAPI documents depend on these')])
    expect(stale.stdout).not.toContain('openapi.json')
    expect(await app.installedRoutewright('openapi')).toEqual({
      code: 0,
      stdout: 'routewright: 2 files, all up to date\n',
      stderr: expect.stringContaining('the committed routes, which do not match the schema. Run `prisma generate`'),
    })
    app.write({ 'prisma/schema.prisma': `${SCHEMA}\n/// @api.unknown\nmodel Broken {\n  id Int @id\n}\n` })
    expect(await app.installedRoutewright('openapi')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('do not match the schema'),
    })
    app.write({ 'prisma/schema.prisma': SCHEMA.replace('  title ', '  subtitle String?\n  title ') })
    await app.routewright('generate')
    const changed = await app.installedRoutewright('check')
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('Run `npx routewright openapi` and')])
    expect(changed.stdout).toContain(`--- a/${REST}\n+++ b/${REST}\n`)
    expect(changed.stdout).toMatch(/^\+ +"subtitle": \{ .+ \},?$/m)
    expect({ rest: textOf(app, REST), rpc: textOf(app, RPC) }).toEqual(before)

    await app.installedRoutewright('openapi')
    app.write({ 'src/api.ts': API.replace('{ endpoint,', '{ endpoint, maxPageSize: 777,') })
    const options = await app.installedRoutewright('check')
    expect([options.code, options.stdout]).toEqual([1, expect.stringMatching(/^\+.*"maximum": 777\b/m)])
    expect(options.stdout).not.toContain(RPC)
  })

  it.runIf(isLong)('reports and keeps documents without a handler', async () => {
    const app = await described()
    await app.installedRoutewright('openapi')
    app.write({
      'src/api.ts': API.replace('const rpc ', 'const remote '),
      'src/openapi/notes.openapi.json': '{}',
      'src/openapi/partner.json': textOf(app, RPC),
    })
    const orphan = 'src/openapi/rpc.openapi.json: no handler serves this document.\n'
    const { code, stdout } = await app.installedRoutewright('check')
    expect([code, stdout]).toEqual([1, expect.stringContaining(orphan)])
    const written = await app.installedRoutewright('openapi')
    expect([written.code, written.stdout]).toEqual([
      0,
      expect.stringContaining(`routewright: no handler serves ${RPC}. Remove the file if it is no longer needed.\n`),
    ])
    expect([...readTree(file(app, 'src/openapi')).keys()]).toEqual([
      'notes.openapi.json',
      'partner.json',
      'remote.openapi.json',
      'rest.openapi.json',
      'rpc.openapi.json',
    ])
    rmSync(file(app, RPC))
    expect((await app.installedRoutewright('check')).code).toBe(0)
  })

  it.runIf(isLong)('describes the given modules into the --out folder', async () => {
    const both = `import { openApi } from '@routewright/runtime/openapi'
import { RPCApiHandler } from '../routes/index.js'
const rpc = RPCApiHandler({ openapi: openApi() })
export { rpc }
`
    const app = await described({
      'src/one/a.ts': both,
      'src/one/b.ts': `${both}export default RPCApiHandler({ openapi: openApi() })\n`,
      'src/two/b.mts': both,
      'src/two/c.ts': `${both}export const plain = RPCApiHandler()\n`,
      // For Node and jiti, this folder contains CommonJS.
      'src/two/package.json': '{"type": "commonjs"}',
    })
    const { code, stdout, stderr } = await app.installedRoutewright(
      'openapi',
      'src/one/a.ts',
      'src/one/b.ts',
      'src/two/c.ts',
    )
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(
      'routewright: "plain" of src/two/c.ts is skipped, because it does not have the option "openapi".\n',
    )
    expect([...readTree(file(app, 'src/one/openapi')).keys()]).toEqual([
      'a.rpc.openapi.json',
      'b.openapi.json',
      'b.rpc.openapi.json',
    ])
    expect([...readTree(file(app, 'src/two/openapi')).keys()]).toEqual(['rpc.openapi.json'])

    expect((await app.installedRoutewright('openapi', 'src/one/a.ts', 'src/two/c.ts', '--out', 'api')).code).toBe(0)
    expect([...readTree(file(app, 'api')).keys()]).toEqual(['a.rpc.openapi.json', 'c.rpc.openapi.json'])
    const clash = await app.installedRoutewright('openapi', 'src/one/b.ts', 'src/two/b.mts', '--out', 'api')
    expect(clash).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '"rpc" of src/one/b.ts and "rpc" of src/two/b.mts would both be written to api/b.rpc.openapi.json.',
      ),
    })
    expect(readTree(file(app, 'api')).size).toBe(2)
  })

  it.runIf(isLong)('exits with 2 and an error per module that cannot be described', async () => {
    const handlers = `import { openApi } from '@routewright/runtime/openapi'
import { defineRpcRoutes } from './routes/custom-routes.js'
import { RestApiHandler, RPCApiHandler } from './routes/index.js'
`
    const app = await described({
      'src/throws.ts': "console.log('what it looked for')\n\nthrow new Error('DATABASE_URL is not set')\n",
      'src/misconfigured.ts': `${handlers}\nexport const rest = RestApiHandler({ endpoint: 7 })\n`,
      'src/broken.ts': 'export const = 1\n',
      'src/lost.ts': "import './nowhere.js'\n",
      'src/server.ts': "import { createServer } from 'node:http'\n\ncreateServer().listen(0)\n",
      'src/serves.ts': `${handlers}import './server.js'\nexport const rpc = RPCApiHandler({ openapi: openApi() })\n`,
      'src/exits.ts': "console.error('no environment')\nprocess.exit(3)\n",
      'src/waits.ts': 'await new Promise(() => undefined)\n',
      'src/empty.ts': 'export const app = { fetch() {} }\nexport const other = null\n',
      'src/silent.ts': `${handlers}export const rest = RestApiHandler({ endpoint: 'https://example.com' })\n`,
      'src/guarded.ts': `${handlers}
const routes = defineRpcRoutes((app) => app.use(async (c) => c.text('Who are you?', 401)))
export const rpc = RPCApiHandler({ routes, openapi: openApi() })
`,
      'src/extended.ts': `${handlers}
const extend = () => { throw new Error('no such path') }
export const rpc = RPCApiHandler({ openapi: openApi({ extend }) })
`,
    })
    const names = 'throws misconfigured broken lost serves exits waits empty silent guarded extended'.split(' ')
    const modules = [...names.map((name) => `src/${name}.ts`), 'src/absent.ts', 'src/server.js']
    const { code, stdout, stderr } = await app.installedRoutewright('openapi', 'src/api.ts', ...modules)
    expect([code, stdout]).toEqual([2, ''])
    const messages = Object.fromEntries(
      stderr.split(/^routewright: /m).map((text) => [/src\/(\w+)\.\w+/.exec(text)?.[1] ?? '', text]),
    )
    expect(messages).toEqual({
      '': '',
      throws: expect.stringMatching(
        /cannot be loaded: Error: DATABASE_URL is not set \(src\/throws\.ts:3\) It printed:\n {2}what it looked for\n Fix the error, or set/,
      ),
      misconfigured: expect.stringMatching(
        /cannot be loaded: Error: .*endpoint.*\(src\/misconfigured\.ts:5\)\. Fix the error/,
      ),
      broken: expect.stringMatching(/cannot be loaded: .*src\/broken\.ts:1:\d+/s),
      lost: expect.stringMatching(/cannot be loaded: .*nowhere\.js.* Install or generate the missing module/),
      serves: expect.stringMatching(/starts a server \(src\/server\.ts:3\)\. Move the handlers to a separate module/),
      exits: expect.stringContaining('(exit code 3) instead of being loaded. It printed:\n  no environment\n'),
      waits: expect.stringContaining('awaits a promise that never settles.'),
      empty: expect.stringContaining(
        'does not export a handler. Its exports: app, other. Export the handler: export const rest =',
      ),
      silent: expect.stringContaining('no exported handler has the option "openapi". Exported handlers: rest.'),
      guarded: expect.stringContaining('"rpc" responds to a request for its openapi.json with 401: Who are you?'),
      extended: expect.stringContaining(
        '"rpc" responds to a request for its openapi.json with 500: Error: no such path',
      ),
      absent: expect.stringContaining('the file src/absent.ts was not found.'),
      server: expect.stringContaining('the file src/server.js was not found. Did you mean src/server.ts?'),
    })
    expect(existsSync(file(app, 'src/openapi'))).toBe(false)
  })

  it.runIf(isLong)('overwrites only its own documents, even with merge conflicts', async () => {
    const app = await described({ [REST]: '{ "openapi": "3.0.3" }\n' })
    mkdirSync(file(app, RPC), { recursive: true })
    const { code, stderr } = await app.installedRoutewright('openapi')
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${REST} cannot be written: it is not an OpenAPI 3.1`)])
    expect(stderr).toContain(`${RPC} cannot be written: it is a folder.`)
    expect(textOf(app, REST)).toBe('{ "openapi": "3.0.3" }\n')

    rmSync(file(app, RPC), { recursive: true })
    app.write({ [REST]: '{\n  "openapi": "3.1.1",\n<<<<<<< ours\n' })
    expect((await app.installedRoutewright('openapi')).code).toBe(0)
    expect(jsonOf(app, REST).info.title).toBe('Blog')
  })

  it.runIf(isLong)('exits with 2 if a module exceeds --timeout', async () => {
    const app = await described({ 'src/hangs.ts': 'setInterval(() => undefined, 1000)\nawait new Promise(() => {})\n' })
    expect(await app.installedRoutewright('openapi', 'src/hangs.ts', '--timeout', '2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('src/hangs.ts did not finish loading within 2 seconds.'),
    })
  })
})
