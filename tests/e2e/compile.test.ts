import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { largeSchema } from '../../fixtures/large/schema.js'
import { isLong } from '../support/form.js'
import { makeProject, type Project } from './project.js'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures')

const STRICT = {
  target: 'es2022',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  // As `tsc --init` sets it. With this option, an exported type that cannot be named is an error.
  declaration: true,
}
const NODENEXT = { ...STRICT, module: 'nodenext' }
const BUNDLER = { ...STRICT, module: 'esnext', moduleResolution: 'bundler' }

const CLIENT = 'generator client {\n  provider = "prisma-client"\n  output   = "./src/client"\n}\n'
const CLIENT_JS = CLIENT.replace('prisma-client', 'prisma-client-js')

/** Returns the blog's schema with another client generator, and with routes in `src`. */
function blog(client: string): string {
  const schema = readFileSync(path.join(FIXTURES, 'blog/schema.prisma'), 'utf8')
  return schema
    .replace(/generator client \{[^}]*\}\n/, client)
    .replace('"./expected"', '"./src/routes"\n  policy   = "casl"\n  adapters = ["hono", "fetch"]')
}

/** The code of an app that uses the routes. */
const APP = `
import { createHonoHandler } from './routes/hono.EXT'
import type { Api } from './routes/client.EXT'
import { createFetchHandler } from './routes/fetch.EXT'
import { defineHooks } from './routes/hooks.EXT'
import { exposeComputed } from './routes/computed.EXT'
import { descriptions } from './routes/descriptions.EXT'
import { defineRestRoutes, defineRpcRoutes, implementRoutes, type RpcApi } from './routes/custom-routes.EXT'
import { declareRoutes } from './routes/declare-routes.EXT'
import { RestApiHandler, RPCApiHandler, type Orm } from './routes/index.EXT'
import { httpError, type ApiEnv, type ApiHandler } from '@routewright/runtime'
import { openApi } from '@routewright/runtime/openapi'
import type { Hono } from 'hono'
import * as z from 'zod'
import { abilityBuilder, withPolicies } from './routes/policy.EXT'
import { PrismaClient } from './client/CLIENT'

declare const prisma: PrismaClient
declare const withOmit: PrismaClient<never, { user: { password: true } }>
const extended = prisma.$extends({
  query: { $allModels: { async $allOperations({ args, query }) { return query(args) } } },
  result: { user: { label: { needs: { email: true }, compute: (user) => user.email } } },
  model: { user: { async invite(email: string) { return email } } },
})

createHonoHandler({ getOrm: () => prisma })
createHonoHandler({ getOrm: async () => withOmit, prefix: '/api' })
createHonoHandler({ getOrm: (c) => (c.req.header('x') ? prisma : extended), handler: RPCApiHandler() })
createHonoHandler({
  getOrm: () => extended,
  handler: RestApiHandler({
    endpoint: 'https://example.com/api',
    pageSize: 20,
    modelNameMapping: { Post: 'posts' },
    externalIdMapping: { Post: 'slug', Comment: 'postId_seq' },
  }),
})
export const described = RPCApiHandler({ openapi: openApi({ descriptions }) })
// Descriptions of other shapes must not compile.
// @ts-expect-error A model has no key "title".
openApi({ descriptions: { Post: { title: 'A title.' } } })
const { can, cannot, build } = abilityBuilder()
can('read', 'Post', { author: { is: { email: 'ann@example.com' } } })
can('read', 'User', ['id', 'name'])
can(['create', 'update'], 'Post', ['title'], { authorId: 1 })
cannot('delete', 'all')
const policed = prisma.$extends(withPolicies(build()))
createHonoHandler({ getOrm: () => policed })
createHonoHandler({ getOrm: () => extended.$extends(withPolicies(build())) })
export const allowed: Promise<boolean> = policed.$check('Post', 'update', { id: 1 })
// @ts-expect-error unknown field
can('read', 'Post', { autorId: 1 })
// @ts-expect-error unknown model
can('read', 'Psot')
await prisma.$transaction(async (tx) => { const orm: Orm = tx; return orm })

const everywhere = extended.$extends({ result: { $allModels: { kind: { compute: () => 'row' } } } })
export const computed = exposeComputed(everywhere, { User: ['label', 'kind'], Post: ['kind'] })
createHonoHandler({ getOrm: () => everywhere, handler: RPCApiHandler({ computed }) })
createHonoHandler({ getOrm: () => everywhere, handler: RestApiHandler({ endpoint: '', computed }) })
const policedToo = exposeComputed(extended.$extends(withPolicies(build())), { User: ['label'] })
type RowOf<A extends { types: { model: object } }, M extends keyof A['types']['model']> =
  A['types']['model'][M] extends { payload: { scalars: infer S } } ? S : never
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
export const told: [
  Same<RowOf<Api<typeof computed>, 'User'>['label' | 'kind'], string>,
  Same<Exclude<keyof RowOf<Api<typeof computed>, 'Post'>, keyof RowOf<Api, 'Post'>>, 'kind'>,
  Same<RowOf<Api<typeof policedToo>, 'User'>['label'], string>,
  Same<keyof RowOf<Api<typeof policedToo>, 'Post'>, keyof RowOf<Api, 'Post'>>,
] = [true, true, true, true]
// @ts-expect-error names that do not come from a client have no types
export type Untold = Api<{ User: ['label'] }>
RPCApiHandler({ computed: { User: ['whatever the first client has'] } })
// @ts-expect-error unknown computed field
exposeComputed(extended, { User: ['lable'] })
// @ts-expect-error a computed field of another model
exposeComputed(extended, { Post: ['label'] })
// @ts-expect-error a field that is not computed
exposeComputed(extended, { User: ['email'] })
// @ts-expect-error a client without computed fields
exposeComputed(withOmit, { User: ['label'] })
// @ts-expect-error unknown model
exposeComputed(extended, { Usr: ['label'] })
// @ts-expect-error unknown model next to an existing one
exposeComputed(extended, { User: ['label'], Usr: ['label'] })
// @ts-expect-error unknown model
RPCApiHandler({ computed: { Usr: ['label'] } })
// @ts-expect-error unknown model
RestApiHandler({ endpoint: '', computed: { Usr: ['label'] } })
// @ts-expect-error unknown model
RestApiHandler({ endpoint: '', modelNameMapping: { Psot: 'posts' } })
// @ts-expect-error a field that is not unique
RestApiHandler({ endpoint: '', externalIdMapping: { Post: 'title' } })
// @ts-expect-error not a client
createHonoHandler({ getOrm: () => ({ user: {} }) })
`

/** A context of the app, and handlers that require it. */
const CONTEXT = `
interface Session { user: { id: number; role: 'admin' | 'reader' } | null }
declare const rest: ApiHandler<Orm, Session>
declare function sessionOf(request: Request): Promise<Session>
declare const id: number
declare const text: string

const handler = RestApiHandler({ endpoint: '' })
createHonoHandler({ handler, context: (c) => ({ path: c.req.path }), getOrm: (c, context) => (context.path + c.req.path ? prisma : extended) })
createHonoHandler({ context: async (c) => sessionOf(c.req.raw), getOrm: async (_c, { user }) => (user?.role === 'admin' ? prisma : policed) })
createHonoHandler({ handler: rest, context: (c) => sessionOf(c.req.raw), getOrm: () => prisma })
createHonoHandler({ handler: rest, context: () => ({ user: null, tenant: 1 }), getOrm: (_c, { tenant }) => (tenant.toFixed() ? prisma : extended) })
const worker: (request: Request, env: { url: string }) => Promise<Response> = createFetchHandler({
  handler: rest,
  context: async (request: Request, env: { url: string }) => ({ ...(await sessionOf(request)), url: env.url }),
  getOrm: (_request, env, context) => (env.url === context.url ? prisma : extended),
})
const without: (request: Request, env: { url: string }) => Promise<Response> = createFetchHandler({
  getOrm: (_request: Request, env: { url: string }) => (env.url ? prisma : extended),
})
export const mounted = [worker, without]
// A handler without a context type accepts any context.
export const knowing: ApiHandler<Orm, Session> = handler
// @ts-expect-error the handler requires a context
createHonoHandler({ handler: rest, getOrm: () => prisma })
// @ts-expect-error the handler requires a context
createFetchHandler({ handler: rest, getOrm: () => prisma })
// @ts-expect-error a context of the wrong type
createHonoHandler({ handler: rest, context: () => ({ user: id }), getOrm: () => prisma })
// @ts-expect-error a context of the wrong type
createFetchHandler({ handler: rest, context: () => ({ user: text }), getOrm: () => prisma })
// @ts-expect-error unknown member of the context
createHonoHandler({ context: () => ({ id }), getOrm: (_c, context) => (context.name ? prisma : extended) })
// @ts-expect-error without the option "context"
createHonoHandler({ getOrm: (_c, context) => (context.name ? prisma : extended) })
`

/** Custom routes. */
const CUSTOM_ROUTES = `
interface Who { user: { id: number } }
export const own = RestApiHandler({
  endpoint: '',
  routes: defineRestRoutes<Who, typeof extended>((app, api) => {
    app.post('/post/:id/close', async (c) => {
      const orm = await api.orm(c)
      const { user } = await api.context(c)
      const { label } = await orm.user.findUniqueOrThrow({ where: { id: user.id } })
      const post = await orm.post.update({ where: api.id(c, 'Post'), data: { title: label }, ...api.select(c, 'Post') })
      // @ts-expect-error the caller selects the fields
      post.title
      return api.reply(c, 'Post', post)
    })
    app.get('/post/mine', async (c) => {
      const { where, ...window } = api.query(c, 'Post')
      const { post } = await api.orm(c)
      const rows = await post.findMany({ ...window, where: { AND: [where, { authorId: 1 }] } })
      return api.reply(c, 'Post', rows, { total: await post.count({ where }) })
    })
    // @ts-expect-error unknown model
    app.get('/psot/:id', (c) => api.reply(c, 'Psot', null))
    // @ts-expect-error the id of another model
    app.get('/tag/:id', async (c) => api.reply(c, 'Tag', await (await api.orm(c)).comment.delete({ where: api.id(c, 'Tag') })))
  }),
})
createHonoHandler({ handler: own, context: (): Who => ({ user: { id } }), getOrm: () => extended })
// @ts-expect-error its routes require a context
createHonoHandler({ handler: own, getOrm: () => extended })
// The context of hooks is the context of routes.
RestApiHandler({
  endpoint: '',
  hooks: defineHooks<Who>({ User: { create: { before: ({ data, context }) => ({ ...data, name: String(context.user.id) }) } } }),
  routes: defineRestRoutes<Who>((app, api) => {
    app.get('/me', async (c) => api.reply(c, 'User', { id: (await api.context(c)).user.id }))
  }),
})
function routes(app: Hono<ApiEnv>, api: RpcApi<Who>): void {
  app.post('/post/close', async (c) => {
    const { data } = await api.args(c, z.object({ data: z.string() }))
    const { user } = await api.context(c)
    const post = await (await api.orm(c)).post.update({ where: { id: user.id }, data: { title: data } })
    return post.title ? api.reply(c, 'Post', post) : api.value(c, { count: 1 }, 201)
  })
}
createHonoHandler({ handler: RPCApiHandler({ routes: defineRpcRoutes(routes) }), context: (): Who => ({ user: { id } }), getOrm: () => policed })
// @ts-expect-error its routes require a context
createHonoHandler({ handler: RPCApiHandler({ routes: defineRpcRoutes(routes) }), getOrm: () => policed })
// @ts-expect-error routes of the other style
RestApiHandler({ endpoint: '', routes: defineRpcRoutes(routes) })
declare module './routes/custom-routes.EXT' {
  interface AppTypes {
    context: Who
    orm: typeof extended
  }
}
const declarations = declareRoutes({
  post: {
    retitle: { method: 'POST', path: '/:id/retitle', body: z.object({ title: z.string() }), result: 'Post', errors: { unchanged: 409 } },
  },
})
export const declared = implementRoutes(declarations, {
  post: {
    async retitle({ orm, where, body, context, fail }) {
      const { label } = await orm.user.findUniqueOrThrow({ where: { id: context.user.id } })
      // @ts-expect-error a code that is not declared
      fail('unknown', 'Unknown.')
      // The compiler must reject a property that the body does not have, because no form would show the error next to a field.
      // @ts-expect-error A property that the body does not have.
      fail('unchanged', 'The title is unchanged.', 'text')
      if (label === body.title) throw fail('unchanged', 'The title is unchanged.', 'title')
      return orm.post.update({ where, data: { title: body.title } })
    },
  },
})
createHonoHandler({ handler: RestApiHandler({ endpoint: '', routes: declared }), context: (): Who => ({ user: { id } }), getOrm: () => extended })
createHonoHandler({ handler: RPCApiHandler({ routes: declared }), context: (): Who => ({ user: { id } }), getOrm: () => extended })
// @ts-expect-error its routes require a context
createHonoHandler({ handler: RPCApiHandler({ routes: declared }), getOrm: () => extended })
// @ts-expect-error an id in a group without a model
declareRoutes({ psot: { close: { method: 'POST', path: '/:id/close' } } })
const reports = declareRoutes({ reports: { newest: { method: 'GET', path: '/newest', result: 'Comment', nullable: true } } })
implementRoutes(reports, { reports: { newest: ({ orm }) => orm.comment.findFirst() } })
// @ts-expect-error a row with only a part of its id
implementRoutes(reports, { reports: { newest: ({ orm }) => orm.comment.findFirst({ select: { seq: true } }) } })
export const thrown = [httpError(409, 'Closed.', { field: 'title' }), httpError(429, 'Later.', { code: 'later' })]
// @ts-expect-error not an error status
httpError(200, 'Fine.')
`
const app = (extension: string, client: string) =>
  (APP + CONTEXT + CUSTOM_ROUTES).replaceAll('.EXT', extension).replaceAll('/CLIENT', client)

/** Each client once, and each module resolution once. */
const QUICK: readonly Configuration[] = [
  ['prisma-client under nodenext', CLIENT, NODENEXT, '.js', '/client.js'],
  ['prisma-client-js under bundler', CLIENT_JS, BUNDLER, '', ''],
]

const SLOW: readonly Configuration[] = [
  ['prisma-client under bundler', CLIENT, BUNDLER, '', '/client'],
  [
    'prisma-client with .ts imports',
    CLIENT,
    { ...BUNDLER, allowImportingTsExtensions: true, noEmit: true },
    '.ts',
    '/client.ts',
  ],
  ['prisma-client-js under nodenext', CLIENT_JS, NODENEXT, '.js', '/index.js'],
]

type Configuration = readonly [
  name: string,
  client: string,
  compilerOptions: object,
  extension: string,
  clientPath: string,
]

/** A model whose relation has a foreign key, next to a field that every object inherits. */
const INHERITED = `
model Node {
  id          Int    @id
  constructor String
  parent      Node?  @relation("tree", fields: [valueOf], references: [id], onDelete: NoAction, onUpdate: NoAction)
  valueOf     Int?
  children    Node[] @relation("tree")
}
`

describe('emitted code in an app', () => {
  it.each(isLong ? [...QUICK, ...SLOW] : QUICK)(
    '%s: compiles',
    async (_, client, compilerOptions, extension, clientPath) => {
      const project = makeProject({
        'schema.prisma': blog(client),
        'tsconfig.json': JSON.stringify({ compilerOptions }),
        'src/app.ts': app(extension, clientPath),
      })
      const generated = await project.prismaGenerate('--schema', 'schema.prisma')
      expect(generated.code, generated.stderr).toBe(0)
      expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
    },
    60_000,
  )

  it('compiles with computed fields, 30 related models and the names of inherited members', async () => {
    const large = largeSchema(30, { provider: 'routewright' })
    const project = makeProject({
      'schema.prisma': large.replace('"./routes"', '"./routes"\n  files = ["computed"]') + INHERITED,
      'tsconfig.json': JSON.stringify({ compilerOptions: NODENEXT }),
      'src/app.ts': `import type { PrismaClient } from '../client/client.js'
import { exposeComputed } from '../routes/computed.js'
import type { Orm } from '../routes/index.js'
declare const prisma: PrismaClient
const loud = { needs: { name: true }, compute: ({ name }: { name: string }) => name.toUpperCase() }
const client = prisma.$extends({ result: { accountEntry: { loud } } })
export const orm: Orm = client
export const computed = exposeComputed(client, { AccountEntry: ['loud'] })
`,
    })
    const generated = await project.prismaGenerate('--schema', 'schema.prisma')
    expect(generated.code, generated.stderr).toBe(0)
    expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('does not compile with a client of another schema', async () => {
    const project = makeProject({
      'schema.prisma': blog(CLIENT),
      'tsconfig.json': JSON.stringify({ compilerOptions: NODENEXT }),
    })
    await project.prismaGenerate('--schema', 'schema.prisma')
    const changed = blog(CLIENT)
      .replace('title       String', 'headline    String')
      .replace('viewCount   Int ', 'viewCount   BigInt ')
      .replace('  content     String?', '  content     String')
      .replace('name  String @id\n  posts Post[]', 'name  String @id\n  posts Post[]\n  color String?')
    project.write({ 'schema.prisma': changed })
    await project.prismaGenerate('--schema', 'schema.prisma', '--generator', 'client')
    const { code, stdout } = await project.typecheck()
    expect(code).not.toBe(0)
    // The errors are in the files that connect routes and resource, and name the missing field.
    expect(stdout).toMatch(/src\/routes\/post\/rest\.ts[^]*'headline' is missing[^]*src\/routes\/post\/rpc\.ts/)
    expect(stdout).toMatch(/src\/routes\/tag\/rest\.ts[^]*'color' is missing[^]*src\/routes\/tag\/rpc\.ts/)
  })

  it('does not compile with a field that the client lacks', async () => {
    const project = makeProject({
      'schema.prisma': blog(CLIENT),
      'tsconfig.json': JSON.stringify({ compilerOptions: NODENEXT }),
    })
    await project.prismaGenerate('--schema', 'schema.prisma')
    project.write({ 'schema.prisma': blog(CLIENT).replace(/^ +viewCount +Int.*\n/m, '') })
    await project.prismaGenerate('--schema', 'schema.prisma', '--generator', 'client')
    const { code, stdout } = await project.typecheck()
    expect(code).not.toBe(0)
    expect(stdout).toMatch(/src\/routes\/post\/rest\.ts[^]*'fields\.viewCount'/)
  })
})

const ALL = ['annotations', 'blog', 'client-js', 'kitchen-sink', 'large', 'names', 'tenants']

/**
 * A project that imports the expected files of several fixtures. One program is faster, because most of its time is for
 * Hono's and Prisma's types.
 */
function projectOf(names: readonly string[], compilerOptions: object): Project {
  return makeProject({
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'src/fixtures.ts': names
      .map((name, index) => `export * as fixture${index} from '${path.join(FIXTURES, name, 'expected/index.js')}'\n`)
      .join(''),
  })
}

it('expected files of every fixture: compile with their clients', async () => {
  const project = projectOf(ALL, NODENEXT)
  expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
})

// TypeScript 5.9, the last version that is a JavaScript program, which editors and many builds still use. It is slow.
it.each([
  { way: 'nodenext', compilerOptions: NODENEXT },
  ...(isLong ? [{ way: 'bundler', compilerOptions: BUNDLER }] : []),
])('$way: compiles the expected files with TypeScript 5.9', async ({ compilerOptions }) => {
  const project = projectOf(isLong ? ALL : ['blog'], compilerOptions)
  expect(await project.typecheck({}, 'typescript-5.9')).toEqual({ code: 0, stdout: '', stderr: '' })
})
