import { DEFAULT_LIMITS } from '../../../runtime/limits.js'
import type { OpenApiDocument } from '../../../runtime/openapi/document.js'
import { rpcDocument } from '../../../runtime/openapi/rpc/rpc-document.js'
import type { Resource } from '../../../runtime/schema/resource.js'
import { compileSchema } from '../../../runtime/schema/schema.js'

const READS = 'findMany findFirst findFirstOrThrow findUnique findUniqueOrThrow count aggregate groupBy check'.split(
  ' ',
)
const CREATES = ['create', 'createMany', 'createManyAndReturn', 'upsert']
const UPDATES = ['update', 'updateMany', 'updateManyAndReturn']

/** The RPC document of so many models, each with nine fields and two relations, with all operations. */
export function manyModels(count: number): OpenApiDocument {
  const schema = compileSchema(Array.from({ length: count }, (_, index) => resourceOf(index, count)))
  const routes = [
    ...READS.flatMap((name) => ['GET', 'POST'].map((method) => ({ method, path: `/${name}` }))),
    ...CREATES.map((name) => ({ method: 'POST', path: `/${name}` })),
    ...UPDATES.flatMap((name) => ['PATCH', 'PUT'].map((method) => ({ method, path: `/${name}` }))),
    ...['delete', 'deleteMany'].map((name) => ({ method: 'DELETE', path: `/${name}` })),
  ]
  return rpcDocument({
    limits: DEFAULT_LIMITS,
    dialect: { provider: 'postgresql' },
    routes: new Map([...schema.values()].map((model) => [model, routes])),
    url: '/api',
    options: {},
    refusals: { statuses: [403], ownCodes: false },
  })
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
