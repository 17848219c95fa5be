import { beforeEach, describe, expect, it } from 'vitest'

import type { ApiHandler } from '../../runtime/http/handler-types.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApi } from '../../runtime/openapi/index.js'
import { describeDatabases } from '../support/databases.js'
import type { FixtureName } from '../support/fixtures.js'
import { isLong } from '../support/form.js'
import { type Described, operationsOf } from './support/described.js'
import { examineExamples } from './support/examples.js'
import { argumentsOf, requestOf as rpcRequest } from './support/rpc-conformance.js'
import { served } from './support/served.js'
import { requestOf } from './support/rest-conformance.js'

const BASE = 'https://example.com/api'
const FIXTURES: readonly FixtureName[] = ['blog', 'annotations', 'workspace', 'tenants', 'names', 'kitchen-sink']

/** The fixtures of the short form. */
const SHORT: readonly FixtureName[] = ['blog', 'kitchen-sink']

/** Ordered so that rows are created after the rows that they reference. */
const MODELS = ['User', 'Category', 'Tag', 'Profile', 'Post', 'Comment']

for (const fixture of FIXTURES) {
  describeDatabases(
    `OpenAPI: examples of ${fixture}`,
    (db) => {
      it.runIf(isLong || SHORT.includes(fixture))('validates all REST examples against their schemas', async () => {
        for (const strict of fixture === 'blog' ? [false, true] : [false]) {
          const { base, send } = served(db, { strict })
          const document: OpenApiDocument = await (await send(new Request(`${base}/openapi.json`))).json()
          const { wrong, count } = examineExamples(document)
          expect(wrong).toEqual([])
          expect(count).toBeGreaterThan(35)
          expect(without(document)).toEqual([])
        }
      })

      it.runIf(isLong || fixture === 'blog')('validates all RPC examples against their schemas', async () => {
        const routes = db.routes as unknown as { RPCApiHandler(options: object): ApiHandler<unknown> }
        const handler = routes.RPCApiHandler({ openapi: openApi() })
        const response = await handler.fetch(new Request(`${BASE}/openapi.json`), {
          getOrm: () => db.orm,
          prefix: '/api',
        })
        const { wrong, count } = examineExamples(await response.json())
        expect(wrong).toEqual([])
        expect(count).toBeGreaterThan(40)
      })
    },
    { fixture, only: ['SQLite', 'PGlite'] },
  )
}

/** Lists the requests whose bodies have no example. */
function without(document: OpenApiDocument): readonly string[] {
  return operationsOf(document).flatMap(({ operation, requestBody }) => {
    const [media] = Object.values(requestBody?.content ?? {})
    return media && media.example === undefined ? [operation.operationId] : []
  })
}

describeDatabases('OpenAPI: examples sent as requests', (db) => {
  beforeEach(() => db.reset())

  describe('REST document', () => {
    it('creates, updates and reads rows with the example bodies', async () => {
      const { base, send } = served(db)
      const document: OpenApiDocument = await (await send(new Request(`${base}/openapi.json`))).json()
      const operations = operationsOf(document)
      const ids = new Map<string, string>()
      const sendExample = async (described: Described, id: string) => {
        const [media] = Object.values(described.requestBody?.content ?? {})
        const response = await send(requestOf(described, { id, body: media?.example }, base))
        return [described.operation.operationId, response.status, await response.json()] as const
      }
      for (const name of MODELS) {
        const create = operations.find(({ operation }) => operation.operationId === `create${name}`)
        if (!create) throw new Error(`There is no create of ${name}.`)
        const [, status, body] = await sendExample(create, '')
        expect([name, status, body.errors]).toEqual([name, 201, undefined])
        ids.set(`/${name.toLowerCase()}`, body.data.id)
      }
      const changes = operations.filter(
        ({ method, path }) => ['patch', 'post'].includes(method) && path.includes('{id}'),
      )
      for (const described of changes) {
        const id = ids.get(described.path.slice(0, described.path.indexOf('/', 1))) ?? ''
        const [operation, status, { errors }] = await sendExample(described, id)
        expect([operation, status, errors]).toEqual([operation, 200, undefined])
      }
      for (const described of operations.filter(({ method, path }) => method === 'get' && path.endsWith('/{id}'))) {
        const id = ids.get(described.path.slice(0, -'/{id}'.length)) ?? ''
        const [, , { data }] = await sendExample(described, id)
        const [example] = document.components.schemas[described.operation.tags[0] ?? '']?.examples ?? []
        expect(example).toMatchObject({ type: data.type, id: data.id, links: data.links })
      }
    })
  })

  describe('RPC document', () => {
    it('responds with success to each example, and with 409 to createMany', async () => {
      const handler = db.routes.RPCApiHandler({ openapi: openApi() }) as unknown as ApiHandler<unknown>
      const send = (request: Request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' })
      const document: OpenApiDocument = await (await send(new Request(`${BASE}/openapi.json`))).json()
      const rejected: string[] = []
      for (const operation of [
        'create',
        'update',
        'updateMany',
        'upsert',
        ...READS,
        'createMany',
        'delete',
        'deleteMany',
      ]) {
        // Rows are deleted before the rows that they reference.
        const models = operation.startsWith('delete') ? MODELS.toReversed() : MODELS
        for (const model of models) {
          const path = `/${model.toLowerCase()}/${operation}`
          const described = operationsOf(document).find((one) => one.path === path)
          if (!described) continue
          const [args] = document.components.schemas[schemaOf(described)]?.examples ?? []
          const response = await send(rpcRequest({ described, args: args ?? {} }, BASE))
          const text = await response.text()
          // The create operations have already created these rows.
          const expected = operation === 'createMany' ? [409] : [200, 201]
          if (!expected.includes(response.status)) rejected.push(`${path} ${JSON.stringify(args)}: ${text}`)
        }
      }
      expect(rejected).toEqual([])
    })
  })
})

const READS = 'findMany findFirst findFirstOrThrow findUnique findUniqueOrThrow count aggregate groupBy check'.split(
  ' ',
)

function schemaOf(described: Described): string {
  return argumentsOf(described).$ref?.split('/').at(-1) ?? ''
}
