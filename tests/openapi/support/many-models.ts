import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import { READ_METHODS, UPDATE_METHODS } from '../../../runtime/http/read-and-update-methods.js'
import { openApi } from '../../../runtime/openapi/index.js'
import type { OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import { restHandler } from '../../../runtime/rest/rest-handler.js'
import { rpcHandler } from '../../../runtime/rpc/rpc-handler.js'
import type { Resource } from '../../../runtime/schema/resource.js'

const READS = 'findMany findFirst findFirstOrThrow findUnique findUniqueOrThrow count aggregate groupBy'.split(' ')
const CREATES = ['create', 'createMany', 'createManyAndReturn', 'upsert']
const UPDATES = ['update', 'updateMany', 'updateManyAndReturn']

/** The methods of a router that the builders use. */
interface Router {
  get(path: string, call: Call): void
  post(path: string, call: Call): void
  delete(path: string, call: Call): void
  on(methods: readonly string[], path: string, call: Call): void
  exists(methods: readonly string[], path: string, call: Call): void
  check(methods: readonly string[], path: string): void
}

type Call = () => Promise<never>

const call: Call = () => Promise.reject(new Error('There is no database.'))

const DIALECT = { provider: 'postgresql' }

/**
 * Returns the text of a REST document for a number of models, each with nine fields, two relations and all operations.
 * @param more options of the handler
 */
export async function manyInRest(count: number, more: object = {}): Promise<string> {
  const build = (app: Router): void => {
    app.get('/', call)
    app.post('/', call)
    app.get('/:id', call)
    app.on(UPDATE_METHODS, '/:id', call)
    app.delete('/:id', call)
    for (const name of ['parent', 'children']) {
      app.get(`/:id/${name}`, call)
      app.get(`/:id/relationships/${name}`, call)
      app.on(UPDATE_METHODS, `/:id/relationships/${name}`, call)
    }
    app.post('/:id/relationships/children', call)
    app.delete('/:id/relationships/children', call)
  }
  const options = { endpoint: 'https://example.com/api', openapi: openApi(), ...more }
  return documentOf(restHandler(routesOf(count, build), options, DIALECT))
}

/** Returns the same in the RPC style. */
export async function manyInRpc(count: number, more: object = {}): Promise<string> {
  const build = (app: Router): void => {
    for (const name of READS) app.on(READ_METHODS, `/${name}`, call)
    for (const name of CREATES) app.post(`/${name}`, call)
    for (const name of UPDATES) app.on(UPDATE_METHODS, `/${name}`, call)
    for (const name of ['delete', 'deleteMany']) app.delete(`/${name}`, call)
    app.exists(READ_METHODS, '/exists', call)
    app.check(READ_METHODS, '/check')
  }
  return documentOf(rpcHandler(routesOf(count, build), { openapi: openApi(), ...more }, DIALECT))
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

function routesOf(count: number, build: (app: Router) => void) {
  const resources = Array.from({ length: count }, (_, index) => resourceOf(index, count))
  return Object.fromEntries(
    resources.map((resource) => [resource.model, { resource, build: build as (app: never) => void }]),
  )
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
