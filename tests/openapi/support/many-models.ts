import { atomicOperations } from '../../../runtime/features/atomic/index.js'
import { cursorPagination } from '../../../runtime/features/cursors/index.js'
import { filterExpressions } from '../../../runtime/features/expressions/index.js'
import { includedLists } from '../../../runtime/features/included-lists/index.js'
import { jsonFilters } from '../../../runtime/features/json-filters/index.js'
import { minimalResponses } from '../../../runtime/features/minimal-responses/index.js'
import { relatedCounts } from '../../../runtime/features/related-counts/index.js'
import { transactions } from '../../../runtime/features/transactions/index.js'
import type { ApiHandler, App } from '../../../runtime/http/handler-types.js'
import { READ_METHODS, UPDATE_METHODS } from '../../../runtime/http/routing/route.js'
import { openApi } from '../../../runtime/openapi/index.js'
import type { OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import * as rest from '../../../runtime/rest/index.js'
import { restHandler } from '../../../runtime/rest/rest-handler.js'
import * as rpc from '../../../runtime/rpc/index.js'
import { rpcHandler } from '../../../runtime/rpc/rpc-handler.js'
import type { Resource } from '../../../runtime/schema/resource.js'

const call = () => Promise.reject(new Error('There is no database.'))

const DIALECT = { provider: 'postgresql' }

const REST_FEATURES = [
  atomicOperations,
  cursorPagination,
  filterExpressions,
  includedLists,
  jsonFilters,
  minimalResponses,
  relatedCounts,
]

/**
 * Returns the text of a REST document for a number of models, each with nine fields, two relations and all operations.
 * @param more options of the handler
 */
export async function manyInRest(count: number, more: object = {}): Promise<string> {
  const build = (app: App, api: never): void => {
    app.get('/', rest.list(api, call))
    app.post('/', rest.create(api, call, call))
    app.get('/:id', rest.get(api, call))
    app.on(UPDATE_METHODS, '/:id', rest.update(api, call))
    app.delete('/:id', rest.delete(api, call))
    for (const name of ['parent', 'children']) {
      const relation = name as never
      app.get(`/:id/${name}`, rest.related(api, relation, call as never))
      app.get(`/:id/relationships/${name}`, rest.linkage(api, relation, call as never))
      app.on(UPDATE_METHODS, `/:id/relationships/${name}`, rest.replace(api, relation, call))
    }
    const children = 'children' as never
    app.post('/:id/relationships/children', rest.add(api, children, call))
    app.delete('/:id/relationships/children', rest.remove(api, children, call))
  }
  const options = { endpoint: 'https://example.com/api', openapi: openApi(), atomicOperations: false, ...more }
  return documentOf(restHandler(routesOf(count, build), options, DIALECT, REST_FEATURES))
}

/** Returns the same in the RPC style. */
export async function manyInRpc(count: number, more: object = {}): Promise<string> {
  const build = (app: App, api: never): void => {
    app.on(READ_METHODS, '/findMany', rpc.findMany(api, call))
    app.on(READ_METHODS, '/findFirst', rpc.findFirst(api, call))
    app.on(READ_METHODS, '/findFirstOrThrow', rpc.findFirstOrThrow(api, call))
    app.on(READ_METHODS, '/findUnique', rpc.findUnique(api, call))
    app.on(READ_METHODS, '/findUniqueOrThrow', rpc.findUniqueOrThrow(api, call))
    app.on(READ_METHODS, '/count', rpc.count(api, call))
    app.on(READ_METHODS, '/aggregate', rpc.aggregate(api, call))
    app.on(READ_METHODS, '/groupBy', rpc.groupBy(api, call))
    app.post('/create', rpc.create(api, call))
    app.post('/createMany', rpc.createMany(api, call))
    app.post('/createManyAndReturn', rpc.createManyAndReturn(api, call))
    app.post('/upsert', rpc.upsert(api, call))
    app.on(UPDATE_METHODS, '/update', rpc.update(api, call))
    app.on(UPDATE_METHODS, '/updateMany', rpc.updateMany(api, call))
    app.on(UPDATE_METHODS, '/updateManyAndReturn', rpc.updateManyAndReturn(api, call))
    app.delete('/delete', rpc.delete(api, call))
    app.delete('/deleteMany', rpc.deleteMany(api, call))
    app.on(READ_METHODS, '/exists', rpc.exists(api, call))
    app.on(READ_METHODS, '/check', rpc.check(api))
  }
  const options = { openapi: openApi(), transactions: false, ...more }
  return documentOf(rpcHandler(routesOf(count, build), options, DIALECT, [transactions]))
}

/** Returns the components that are never referenced, and the references without a component. */
export function looseEnds(text: string): { readonly unused: readonly string[]; readonly missing: readonly string[] } {
  const { components }: OpenApiDocument = JSON.parse(text)
  const there = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `"#/components/${kind}/${name}"`),
  )
  const named = new Set(text.match(/"#\/components\/[^"]+"/g))
  const declared = new Set(there)
  return {
    unused: there.filter((reference) => !named.has(reference)),
    missing: [...named].filter((reference) => !declared.has(reference)),
  }
}

function routesOf(count: number, build: (app: App, api: never) => void) {
  const resources = Array.from({ length: count }, (_, index) => resourceOf(index, count))
  return Object.fromEntries(resources.map((resource) => [resource.model, { resource, build }]))
}

async function documentOf(handler: ApiHandler<object>): Promise<string> {
  const response = await handler.fetch(new Request('https://example.com/openapi.json'), { getOrm: () => ({}) })
  if (response.status !== 200) throw new Error(await response.text())
  return response.text()
}

function resourceOf(index: number, count: number): Resource {
  return {
    model: `Model${index}`,
    delegate: `model${index}`,
    id: 'id',
    uniques: { slug: ['slug'] },
    fields: {
      id: { type: 'Int', default: true, generated: true },
      slug: { type: 'String' },
      title: { type: 'String' },
      note: { type: 'String', optional: true },
      views: { type: 'Int', default: 0 },
      price: { type: 'Decimal', optional: true },
      at: { type: 'DateTime', default: true },
      state: { type: 'Enum', values: ['OPEN', 'CLOSED'], default: 'OPEN' },
      parentId: { type: 'Int', optional: true },
    },
    relations: {
      parent: { model: `Model${(index + 1) % count}`, optional: true, foreignKey: { parentId: 'id' } },
      children: { model: `Model${(index + count - 1) % count}`, many: true, inverse: 'parent' },
    },
  }
}
