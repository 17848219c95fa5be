import type { Route } from '../../http/route.js'
import { RPC_OPERATIONS } from '../../rpc/operations.js'
import { TRANSACTION_PATH } from '../../rpc/transaction-path.js'
import type { Model } from '../../schema/schema.js'
import type { HttpMethod, JsonSchema, PathItem, Reference } from '../document.js'
import { closed } from '../schemas/shapes.js'
import { type RpcDescription, shared } from './describe.js'
import { envelope } from './results.js'

const DESCRIPTION =
  'Does operations in order and in one transaction: all of them, or none. What one may not do alone, it may not do here. An error has the ' +
  'index of the operation as the first step of its `path`.'

/** The path of transactions. What each operation takes and gives, its own path says. */
export function transactionPath(
  described: RpcDescription,
  routes: ReadonlyMap<Model, readonly Route[]>,
  failures: (operation: string, method: HttpMethod) => Readonly<Record<string, Reference>>,
): readonly [path: string, item: PathItem] {
  const operations = new Set([...routes.values()].flat().map(({ path }) => path.slice(1)))
  const operation = closed(
    {
      model: { enum: [...routes.keys()].map(({ name }) => name) },
      op: { enum: [...operations].filter((name) => RPC_OPERATIONS.has(name)).sort() },
      args: {
        type: 'object',
        description: 'The arguments of the operation, as a body has them: with `meta` where JSON does not say all.',
      },
    },
    ['model', 'op'],
  )
  const most = described.limits.operations
  const list: JsonSchema = {
    type: 'array',
    items: shared(described, 'Operation', () => operation),
    ...(most < Infinity && { maxItems: most }),
  }
  const data: JsonSchema = { type: 'array', items: {}, description: 'What each operation gives, in their order.' }
  const result = described.components.response(described.names.shared('Results'), () => ({
    description: 'The results.',
    content: { 'application/json': { schema: envelope(described, data) } },
  }))
  return [
    TRANSACTION_PATH,
    {
      post: {
        operationId: 'transaction',
        summary: 'Several operations in one transaction',
        description: DESCRIPTION,
        tags: ['Transactions'],
        requestBody: { required: true, content: { 'application/json': { schema: list } } },
        responses: { 200: result, ...failures('$transaction', 'post') },
      },
    },
  ]
}
