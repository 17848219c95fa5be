import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import type { OpenApiDocument, OperationObject } from '../../runtime/openapi/document-types.js'
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

    it('RPC: describes the arguments with the id, the result and the errors', async () => {
      const { paths } = await serve(db, 'rpc').document()
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
      expect(JSON.stringify(paths['/comment/shout']?.patch?.requestBody)).toContain('"postId_seq"')
    })

    it.each<[style: Style, method: string, path: string, key: string, body?: object]>([
      ['rest', 'post', '/post/3/publish?include=author', '/post/{id}/publish', { note: 'x' }],
      ['rest', 'post', '/post/1/publish', '/post/{id}/publish', { note: 'x' }],
      ['rest', 'get', '/post/popular?views=20&include=author', '/post/popular'],
      ['rest', 'get', '/post/stats', '/post/stats'],
      ['rpc', 'post', '/post/publish', '/post/publish', { id: 3, note: 'x' }],
      ['rpc', 'post', '/post/publish', '/post/publish', { id: 1, note: 'x' }],
      ['rpc', 'get', '/post/popular?q={"views":20}', '/post/popular'],
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

    it('describes schemas of other libraries by their JSON Schema, and otherwise as any value', async () => {
      const validate = (value: unknown) => ({ value: value as object })
      const vendor = { version: 1, vendor: 'test', validate } as const
      const json = (io: string) => () => ({ type: 'object', properties: { [io]: { type: 'string' } } })
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
      expect(bodyOf('/tag/described')).toContain('"properties":{"in":{"type":"string"}}')
      expect(bodyOf('/tag/opaque')).toContain('The API description does not contain the schema')
      expect(bodyOf('/tag/cyclic')).toContain('The API description does not contain the schema')
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
