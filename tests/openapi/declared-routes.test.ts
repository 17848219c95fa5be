import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import { implementRoutes as implementVersionedRoutes } from '../../fixtures/versions/expected/custom-routes.js'
import { declareRoutes as declareVersionedRoutes } from '../../fixtures/versions/expected/declare-routes.js'
import type { StandardSchema } from '../../runtime/index.js'
import type { JsonSchema, OpenApiDocument, OperationObject } from '../../runtime/openapi/document-types.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { openApiWithRoutes } from '../../runtime/openapi/index.js'
import { routes } from '../client/declared/serve.js'
import { fillBlog } from '../rest/support/blog.js'
import { ENDPOINT } from '../rest/support/client.js'
import { type Database, describeDatabases } from '../support/databases.js'

type Style = 'rest' | 'rpc'

function serve(db: Database, style: Style, customRoutes = routes, options: object = {}) {
  const openapi = openApiWithRoutes()
  const handler =
    style === 'rest'
      ? db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes, openapi, ...options })
      : db.routes.RPCApiHandler({ routes: customRoutes, openapi, ...options })
  const send = (path: string, init?: RequestInit) =>
    handler.fetch(new Request(`http://localhost${path}`, init), { getOrm: () => db.orm })
  return { send, document: async (): Promise<OpenApiDocument> => (await send('/openapi.json')).json() }
}

/** Returns the errors of a response body that its schema in the document finds. */
async function findErrors(document: OpenApiDocument, operation: OperationObject | undefined, response: Response) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(JSON.parse(JSON.stringify(document).replaceAll('"#/components', '"doc#/components')) as object, 'doc')
  const described = JSON.parse(JSON.stringify(operation?.responses[response.status] ?? {}).replaceAll('"#/', '"doc#/'))
  const found = described.$ref ? document.components.responses[described.$ref.split('/').at(-1)] : described
  const content = JSON.parse(JSON.stringify(found?.content ?? {}).replaceAll('"#/', '"doc#/'))
  const [media]: { schema?: object }[] = Object.values(content)
  const validate = ajv.compile(media?.schema ?? false)
  return validate(await response.json()) ? [] : validate.errors
}

describeDatabases(
  'OpenAPI operations of declared routes',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    it.each(['rest', 'rpc'] as const)('%s: describes the idempotency key of routes that write', async (style) => {
      const keys = idempotency({ model: 'key', scope: () => 'all' })
      const { paths } = await serve(db, style, routes, { idempotency: keys }).document()
      const key = { $ref: '#/components/parameters/idempotencyKey' }
      const prefix = style === 'rest' ? '/post/{id}' : '/post'
      const parametersOf = (operation: OperationObject | undefined) => operation?.parameters ?? []
      expect(parametersOf(paths[`${prefix}/publish`]?.post)).toContainEqual(key)
      expect(parametersOf(paths[`${prefix}/archive`]?.delete)).toContainEqual(key)
      expect(parametersOf(paths['/post/stats']?.get)).not.toContainEqual(key)
      const without = await serve(db, style).document()
      expect(parametersOf(without.paths[`${prefix}/publish`]?.post)).not.toContainEqual(key)
    })

    it('REST: describes the path, the body, the result and the errors', async () => {
      const { paths, components } = await serve(db, 'rest').document()
      const item = paths['/post/{id}/publish']
      expect(item?.parameters).toEqual([{ $ref: '#/components/parameters/id' }])
      expect(item?.post).toMatchObject({
        operationId: 'publishPost',
        tags: ['Post'],
        requestBody: {
          content: {
            'application/vnd.api+json': { schema: { properties: { note: { type: 'string', maxLength: 5 } } } },
          },
        },
        responses: {
          200: { $ref: expect.stringContaining('Post') as unknown },
          409: { description: expect.stringContaining('`already-published`') as unknown },
          '4XX': { $ref: '#/components/responses/UpdateError' },
        },
      })
      expect(components.responses['UpdateError']?.description).toContain('- 404: `not-found`')
      expect(JSON.stringify(item?.post?.parameters)).toContain('Post-include')
      expect(paths['/post/{id}/touch']?.put?.responses[204]).toBeDefined()
      expect(paths['/orders']?.post?.operationId).toBe('submitOrders')
    })

    it.each([
      ['rest', '/post/{id}/publish', 'application/vnd.api+json', 'source'],
      ['rpc', '/post/publish', 'application/json', 'issues'],
    ] as const)('%s: describes the location of declared errors', async (style, path, type, location) => {
      const { paths, components } = await serve(db, style).document()
      const response = paths[path]?.post?.responses[409] as { content: Record<string, { schema: JsonSchema }> }
      const resolve = (schema: JsonSchema | undefined) =>
        components.schemas[String(Object(schema).$ref).split('/').at(-1) ?? ''] ?? {}
      const document = resolve(response.content[type]?.schema)
      const error = style === 'rest' ? resolve(document.properties?.['errors']?.items as JsonSchema) : document
      expect(error.properties?.[location]).toBeDefined()
      expect(error.properties?.['code']).not.toHaveProperty('enum')
    })

    it('REST: describes the query of a route as parameters', async () => {
      const { paths } = await serve(db, 'rest').document()
      const parameters = paths['/post/popular']?.get?.parameters
      expect(parameters).toContainEqual({
        name: 'views',
        in: 'query',
        required: true,
        schema: expect.anything() as unknown,
      })
      expect(parameters).toContainEqual({ name: 'limit', in: 'query', schema: { type: 'number' } })
    })

    it('REST: describes the parameters of a list like those of the generated list', async () => {
      const { paths } = await serve(db, 'rest').document()
      const operation = paths['/post/recent']?.get
      const generated = [...(paths['/post']?.get?.parameters ?? []), ...(paths['/post']?.parameters ?? [])]
      const shared = generated.filter((parameter) => !JSON.stringify(parameter).includes('page-total'))
      expect(shared.length).toBeGreaterThan(4)
      expect(operation?.parameters).toEqual(expect.arrayContaining(shared))
      const schema = expect.objectContaining({ type: 'integer' }) as unknown
      expect(operation?.parameters).toContainEqual({ name: 'views', in: 'query', schema })
      expect(JSON.stringify(operation?.parameters)).not.toContain('page-total')
      expect(operation?.responses['4XX']).toEqual({ $ref: '#/components/responses/RelatedError' })
      expect(paths['/user/{id}/articles']?.parameters).toEqual([{ $ref: '#/components/parameters/id' }])
    })

    it('RPC: describes the arguments of a list like those of findMany', async () => {
      const { paths, components } = await serve(db, 'rpc').document()
      const [parameter]: readonly object[] = paths['/post/recent']?.get?.parameters ?? []
      const { contentSchema }: { contentSchema?: JsonSchema } = Object(parameter).schema
      const { allOf, properties } = components.schemas['PostFindManyArgs'] ?? {}
      expect(contentSchema).toMatchObject({ allOf, properties: { ...properties, views: { type: 'integer' } } })
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const schemas = JSON.stringify({ components }).replaceAll('"#/components', '"doc#/components')
      ajv.addSchema(JSON.parse(schemas) as object, 'doc')
      const isValid = (path: string, args: object) => {
        const [q]: readonly object[] = paths[path]?.get?.parameters ?? []
        const schema = JSON.stringify(Object(q).schema.contentSchema).replaceAll('"#/', '"doc#/')
        return ajv.validate(JSON.parse(schema) as object, args)
      }
      const list = { where: { status: 'DRAFT' }, take: 2, select: { id: true } }
      expect(isValid('/post/recent', { views: 1, ...list })).toBe(true)
      expect(isValid('/post/recent', { take: 'x' })).toBe(false)
      expect(isValid('/user/articles', { id: 1, ...list })).toBe(true)
      expect(isValid('/user/articles', list)).toBe(false)
      expect(isValid('/user/articles', { id: 1, views: 1 })).toBe(false)
    })

    it('RPC: describes the arguments with the id, the result and the errors', async () => {
      const { paths, components } = await serve(db, 'rpc').document()
      expect(paths['/post/publish']?.post).toMatchObject({
        operationId: 'postPublish',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                properties: { id: { $ref: '#/components/schemas/Int' }, note: { type: 'string' } },
                required: ['id', 'note'],
              },
            },
          },
        },
        responses: { 409: { description: expect.stringContaining('`already-published`') as unknown } },
      })
      expect(paths['/post/popular']?.get?.parameters?.[0]).toMatchObject({ name: 'q', required: true })
      expect(components.schemas['CommentShoutArguments']?.required).toEqual(['postId_seq', 'mark'])
    })

    it('REST: tags routes without a model with their group', async () => {
      const { paths, tags } = await serve(db, 'rest').document()
      expect(paths['/reports/monthly']?.get).toMatchObject({
        operationId: 'monthlyReports',
        tags: ['reports'],
        parameters: [{ name: 'views', in: 'query', required: true }],
        responses: { 404: { description: expect.stringContaining('`no-posts`') as unknown } },
      })
      expect(JSON.stringify(paths['/reports/best']?.get)).toContain('Post-include')
      expect(tags.filter(({ name }) => name === 'reports')).toHaveLength(1)
    })

    it('RPC: tags routes without a model with their group', async () => {
      const { paths, tags } = await serve(db, 'rpc').document()
      expect(paths['/reports/monthly']?.get).toMatchObject({ operationId: 'reportsMonthly', tags: ['reports'] })
      expect(paths['/reports/label']?.post?.requestBody).toMatchObject({
        content: { 'application/json': { schema: { required: ['name'] } } },
      })
      expect(tags.filter(({ name }) => name === 'reports')).toHaveLength(1)
    })

    it.each(['rest', 'rpc'] as const)('%s: allocates names for groups with other characters', async (style) => {
      const route = { method: 'POST', path: '/send' } as const
      const declared = declareRoutes({ 'Sales-reports_2': { send: route }, Operations: { send: route } })
      const run = () => undefined
      const customRoutes = implementRoutes(declared, { 'Sales-reports_2': { send: run }, Operations: { send: run } })
      const { paths, tags } = await serve(db, style, customRoutes).document()
      expect(paths['/sales-reports_2/send']?.post).toMatchObject({
        operationId: style === 'rest' ? 'sendSalesReports2' : 'SalesReports2Send',
        tags: ['Sales-reports_2'],
      })
      const names = tags.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(expect.arrayContaining(['Sales-reports_2', 'Operations', 'Post']))
    })

    it.each<[style: Style, method: string, path: string, key: string, body?: object]>([
      ['rest', 'post', '/post/3/publish?include=author', '/post/{id}/publish', { note: 'x' }],
      ['rest', 'post', '/post/1/publish', '/post/{id}/publish', { note: 'x' }],
      ['rest', 'get', '/post/popular?views=20&include=author', '/post/popular'],
      ['rest', 'get', '/post/recent?views=20&include=author&page[limit]=2', '/post/recent'],
      ['rest', 'get', '/user/1/articles?page[limit]=1', '/user/{id}/articles'],
      ['rest', 'get', '/post/stats', '/post/stats'],
      ['rest', 'get', '/reports/monthly?views=20', '/reports/monthly'],
      ['rest', 'get', '/reports/monthly?views=99', '/reports/monthly'],
      ['rest', 'get', '/reports/best?include=author', '/reports/best'],
      ['rest', 'post', '/reports/label', '/reports/label', { name: 'new' }],
      ['rest', 'post', '/orders', '/orders', { count: 1 }],
      ['rpc', 'post', '/orders/submit', '/orders/submit', { count: 1 }],
      ['rpc', 'get', '/reports/monthly?q={"views":20}', '/reports/monthly'],
      ['rpc', 'get', '/reports/monthly?q={"views":99}', '/reports/monthly'],
      ['rpc', 'get', '/reports/best', '/reports/best'],
      ['rpc', 'post', '/reports/reset', '/reports/reset', { note: 'x' }],
      ['rpc', 'post', '/post/publish', '/post/publish', { id: 3, note: 'x' }],
      ['rpc', 'post', '/post/publish', '/post/publish', { id: 1, note: 'x' }],
      ['rpc', 'get', '/post/popular?q={"views":20}', '/post/popular'],
      ['rpc', 'get', '/post/recent?q={"views":20,"include":{"author":true}}', '/post/recent'],
      ['rpc', 'get', '/post/stats', '/post/stats'],
      ['rpc', 'put', '/post/touch', '/post/touch', { id: 3 }],
    ])('%s: %s %s: describes the response', async (style, method, path, key, body) => {
      const { send, document } = serve(db, style)
      const described = await document()
      const response = await send(path, {
        method: method.toUpperCase(),
        ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      })
      const operation = described.paths[key]?.[method as 'get']
      expect(await findErrors(described, operation, response)).toEqual([])
    })

    const toValidator = (document: OpenApiDocument, name: string) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const text = JSON.stringify({ components: document.components, $ref: `#/components/schemas/${name}` })
      return ajv.compile(JSON.parse(text) as object)
    }

    it('REST: describes the atomic operations that call routes', async () => {
      const { send, document } = serve(db, 'rest')
      const described = await document()
      const isValid = toValidator(described, 'AtomicOperations')
      const operation = (op: string, href: string, meta?: object) => ({ 'atomic:operations': [{ op, href, meta }] })
      const add = operation('add', '/tag/add', { body: { name: 'x' } })
      for (const valid of [
        add,
        operation('update', 'https://blog.example/api/post/7/touch'),
        operation('update', 'post/raise', { body: { by: 1 } }),
        operation('update', 'post/:id/touch', { lid: 'new' }),
        operation('add', '/reports/reset', { body: { note: 'x' } }),
        operation('remove', '/post/7/archive'),
        operation('remove', '/post/:id/archive?reason=x', { lid: 'new' }),
      ]) {
        expect(isValid(JSON.parse(JSON.stringify(valid))), JSON.stringify(valid)).toBe(true)
      }
      for (const invalid of [
        operation('add', '/tag/add', {}),
        operation('add', '/tag/add', { body: { name: 1 } }),
        operation('update', '/tag/add', { body: { name: 'x' } }),
        operation('update', '/post/:id/touch', { lid: '' }),
        operation('update', '/post/7/touch?reason=x'),
        operation('add', '/reports/reset', { body: { note: 1 } }),
        operation('add', '/post/3/publish', { body: { note: 'x' } }),
      ]) {
        expect(isValid(JSON.parse(JSON.stringify(invalid))), JSON.stringify(invalid)).toBe(false)
      }
      const operations = [
        add,
        operation('update', '/post/raise', { body: { by: 1 } }),
        operation('add', '/post/tally', { body: {} }),
        operation('remove', '/post/3/archive?reason=x'),
        operation('add', '/reports/label', { body: { name: 'y' } }),
      ]
      const response = await send('/operations', {
        method: 'POST',
        headers: { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
        body: JSON.stringify({ 'atomic:operations': operations.flatMap((one) => one['atomic:operations']) }),
      })
      expect(response.status).toBe(200)
      expect(await findErrors(described, described.paths['/operations']?.post, response)).toEqual([])
      const body = { $ref: '#/components/schemas/TagAddBody' }
      expect(JSON.stringify(described.paths['/tag/add']?.post?.requestBody)).toContain(JSON.stringify(body))
    })

    it('RPC: describes the operations of a transaction that call routes', async () => {
      const { send, document } = serve(db, 'rpc')
      const described = await document()
      const isValid = toValidator(described, 'Operation')
      expect(isValid({ model: 'Tag', op: 'add', args: { name: 'x' } })).toBe(true)
      expect(isValid({ model: 'Post', op: 'touch', args: { id: 3 } })).toBe(true)
      expect(isValid({ model: 'Post', op: 'touch' })).toBe(false)
      expect(isValid({ model: 'Tag', op: 'add', args: { name: 1 } })).toBe(false)
      expect(isValid({ model: 'Post', op: 'publish', args: { id: 3, note: 'x' } })).toBe(false)
      expect(isValid({ model: 'Post', op: 'archive', args: { id: 3, reason: 'x' } })).toBe(true)
      expect(isValid({ model: 'reports', op: 'reset', args: { note: 'x' } })).toBe(true)
      expect(isValid({ model: 'reports', op: 'reset', args: { note: 1 } })).toBe(false)
      expect(isValid({ model: 'reports', op: 'monthly', args: { views: 1 } })).toBe(false)
      const path = '/$transaction/sequential'
      const response = await send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify([
          { model: 'Tag', op: 'add', args: { name: 'x' } },
          { model: 'Post', op: 'raise', args: { by: 1 } },
          { model: 'Post', op: 'tally', args: {} },
          { model: 'Post', op: 'touch', args: { id: 3 } },
          { model: 'Post', op: 'archive', args: { id: 3, reason: 'x' } },
          { model: 'reports', op: 'label', args: { name: 'y' } },
        ]),
      })
      expect(response.status).toBe(200)
      expect(await findErrors(described, described.paths[path]?.post, response)).toEqual([])
      const args = { $ref: '#/components/schemas/TagAddArguments' }
      expect(JSON.stringify(described.paths['/tag/add']?.post?.requestBody)).toContain(JSON.stringify(args))
    })

    it.each(['rest', 'rpc'] as const)('%s: lists the error codes of routes in transactions', async (style) => {
      const route = {
        method: 'POST',
        result: 'Tag',
        nullable: true,
        errors: { taken: 409 },
        transaction: true,
      } as const
      const declared = declareRoutes({ tag: { one: { ...route, path: '/one' }, two: { ...route, path: '/two' } } })
      const customRoutes = implementRoutes(declared, { tag: { one: () => null, two: () => null } })
      const { paths } = await serve(db, style, customRoutes).document()
      const path = style === 'rest' ? '/operations' : '/$transaction/sequential'
      expect(paths[path]?.post?.responses[409]).toMatchObject({
        description: 'Codes of custom routes: `taken`. `4XX` describes the other errors with this status.',
        headers: { 'Retry-After': expect.anything() as unknown },
      })
    })

    it('RPC: lists null once in the results of a transaction', async () => {
      const { components } = await serve(db, 'rpc').document()
      const schemas = components.schemas['OperationResult']?.anyOf?.map((schema) => JSON.stringify(schema)) ?? []
      expect(schemas).toContain('{"type":"null"}')
      expect(schemas).toEqual([...new Set(schemas)])
    })

    it('REST: describes the row of a route without calling it related', async () => {
      const { paths, components } = await serve(db, 'rest').document()
      const describedResult = (reference: unknown) =>
        components.responses[String(Object(reference).$ref).split('/').at(-1) ?? '']?.description
      expect(describedResult(paths['/post/{id}/publish']?.post?.responses[200])).toBe('The current resource.')
      expect(describedResult(paths['/post/latest']?.get?.responses[200])).toBe('The resource, or null.')
    })

    it.each<[title: string, result: StandardSchema<unknown, string | undefined>, described: object]>([
      ['an optional value of zod', z.string().optional(), { anyOf: [{ type: 'string' }, { type: 'null' }] }],
      ['an asynchronous schema', z.string().refine(() => Promise.resolve(true)), { type: 'string' }],
      ['a schema that rejects with an error', z.any().transform((value: string) => value.trim()), {}],
      ['a default', z.string().default('x'), { type: 'string', description: 'Default: "x".' }],
      ['any value', z.any(), {}],
      ['an optional value without JSON Schema', v.optional(v.string()), { description: expect.any(String) as unknown }],
      [
        'an optional value of valibot',
        toStandardJsonSchema(v.optional(v.string())),
        { anyOf: [{ type: 'string' }, { type: 'null' }] },
      ],
    ])('describes null if the result can be undefined: %s', async (_title, result, described) => {
      const declared = declareRoutes({ tag: { last: { method: 'GET', path: '/last', result } } })
      const customRoutes = implementRoutes(declared, { tag: { last: () => undefined } })
      for (const style of ['rest', 'rpc'] as const) {
        const { send, document } = serve(db, style, customRoutes)
        const operation = (await document()).paths['/tag/last']?.get
        const [media] = Object.values<{ schema: JsonSchema }>(Object(operation?.responses[200]).content)
        const { meta, data } = media?.schema.properties ?? {}
        expect(style === 'rest' ? meta?.properties?.['result'] : data).toEqual(described)
        const response = await send('/tag/last')
        if (response.ok) expect(await findErrors(await document(), operation, response)).toEqual([])
      }
    })

    it.each(['rest', 'rpc'] as const)('%s: contains the summary and the description of a route', async (style) => {
      const texts = { summary: 'Adds a tag', description: 'The name must be *unique*.' }
      const declared = declareRoutes({
        tag: { one: { method: 'POST', path: '/one', ...texts }, two: { method: 'GET', path: '/two' } },
      })
      const customRoutes = implementRoutes(declared, { tag: { one: () => undefined, two: () => undefined } })
      const { paths } = await serve(db, style, customRoutes).document()
      expect(paths['/tag/one']?.post).toMatchObject(texts)
      expect(paths['/tag/two']?.get?.summary).toBe(style === 'rest' ? 'Custom route "two" of "tag"' : 'Tag.two')
      expect(paths['/tag/two']?.get?.description).toBe(style === 'rest' ? undefined : 'Custom route.')
    })

    it('describes schemas of other libraries by their JSON Schema, and otherwise as any value', async () => {
      const validate = (value: unknown) => ({ value: value as object })
      const vendor = { version: 1, vendor: 'test', validate } as const
      const json = (io: string) => () => ({
        type: 'object',
        properties: { [io]: { type: 'string' } },
        dependentRequired: { default: [io] },
      })
      const declared = declareRoutes({
        tag: {
          described: {
            method: 'POST',
            path: '/described',
            body: { '~standard': { ...vendor, jsonSchema: { input: json('in'), output: json('out') } } },
          },
          opaque: { method: 'POST', path: '/opaque', body: { '~standard': vendor } },
          cyclic: {
            method: 'POST',
            path: '/cyclic',
            body: z.object({
              get self() {
                return z.optional(z.lazy(() => z.object({ name: z.string().meta({ id: 'Name' }) })))
              },
            }),
          },
        },
      })
      const run = () => undefined
      const customRoutes = implementRoutes(declared, { tag: { described: run, opaque: run, cyclic: run } })
      const { paths } = await serve(db, 'rest', customRoutes).document()
      const bodyOf = (path: string) => JSON.stringify(paths[path]?.post?.requestBody)
      expect(bodyOf('/tag/described')).toContain(
        '"properties":{"in":{"type":"string"}},"dependentRequired":{"default":["in"]}',
      )
      expect(bodyOf('/tag/opaque')).toContain('The API description does not contain the schema')
      expect(bodyOf('/tag/cyclic')).toContain('The API description does not contain the schema')
    })

    it('describes defaults in words, because openapi-typescript makes properties with a default required', async () => {
      const declared = declareRoutes({
        tag: {
          call: {
            method: 'POST',
            path: '/call',
            body: z.object({
              channel: z.string().describe('The channel').default('phone'),
              default: z.object({ default: z.number().optional() }).optional(),
              lines: z.array(z.object({ count: z.int().default(1) })),
            }),
          },
        },
      })
      const customRoutes = implementRoutes(declared, { tag: { call: () => undefined } })
      const { paths } = await serve(db, 'rest', customRoutes).document()
      expect(Object.values(Object(paths['/tag/call']?.post?.requestBody).content)[0]).toMatchObject({
        schema: {
          properties: {
            channel: { type: 'string', description: 'The channel. Default: "phone".' },
            default: { type: 'object', properties: { default: { type: 'number' } } },
            lines: { items: { properties: { count: { type: 'integer', description: 'Default: 1.' } } } },
          },
          required: ['lines'],
        },
      })
      expect(JSON.stringify(paths['/tag/call'])).not.toMatch(/"default":(?!\{)/)
    })

    it('adds the operations to generated paths', async () => {
      const declared = declareRoutes({ comment: { replace: { method: 'POST', path: '/:id' } } })
      const customRoutes = implementRoutes(declared, { comment: { replace: () => undefined } })
      const { paths } = await serve(db, 'rest', customRoutes).document()
      expect(Object.keys(paths['/comment/{id}'] ?? {})).toEqual(expect.arrayContaining(['get', 'post', 'parameters']))
    })
  },
  { only: ['sqlite'] },
)

describeDatabases(
  'OpenAPI operations of declared routes with versions',
  (db) => {
    it('RPC: describes the version as an argument, which is required if the model requires it', async () => {
      const route = (path: `/${string}`) => ({ method: 'POST', path, body: z.object({ note: z.string() }) }) as const
      const declarations = declareVersionedRoutes({
        account: { close: route('/:id/close') },
        bank: { close: route('/:id/close'), open: route('/open') },
      })
      const close = () => undefined
      const customRoutes = implementVersionedRoutes(declarations, { account: { close }, bank: { close, open: close } })
      const handler = db.routes.RPCApiHandler({ routes: customRoutes, openapi: openApiWithRoutes() })
      const response = await handler.fetch(new Request('http://localhost/openapi.json'), { getOrm: () => db.orm })
      const { paths }: OpenApiDocument = await response.json()
      const argumentsOf = (path: string) => {
        const { content = {} } = Object(paths[path]?.post?.requestBody)
        const { properties = {}, required }: JsonSchema = Object(content['application/json']).schema
        return [Object.keys(properties), required]
      }
      expect(argumentsOf('/account/close')).toEqual([
        ['id', 'version', 'note', 'meta'],
        ['id', 'note'],
      ])
      expect(argumentsOf('/bank/close')).toEqual([
        ['id', 'updatedAt', 'note', 'meta'],
        ['id', 'updatedAt', 'note'],
      ])
      expect(argumentsOf('/bank/open')).toEqual([['note', 'meta'], ['note']])
    })
  },
  { fixture: 'versions', only: ['sqlite'] },
)
