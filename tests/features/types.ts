import type { Api } from '../../fixtures/blog/expected/client.js'
import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import type { RestClient } from '../../client/rest/types/collection.js'
import type { PlainClient } from '../../client/rest/types/api.js'
import type { RpcClient } from '../../client/rpc/methods.js'
import { cursorPagination } from '../../runtime/features/cursors/index.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'

/** An API without features, and one that an earlier version generated. */
type Without = Omit<Api, 'features'> & { features: never }
type Earlier = Omit<Api, 'features'>

declare const rest: RestClient<Api, PlainClient>
declare const rpc: RpcClient<Api>
declare const plainRest: RestClient<Without, PlainClient>
declare const plainRpc: RpcClient<Without>
declare const earlierRest: RestClient<Earlier, PlainClient>

/**
 * Methods and options of features exist only if the API has the feature. This file is compiled, not run. Each `@ts-expect-error` is an
 * assertion: the line below it must not compile. Its text is the message that the compiler shows, because the option's type is that message.
 */
export function features(): readonly unknown[] {
  const database = { provider: 'sqlite' }
  const endpoint = 'https://example.com/api'
  const pages = [cursorPagination]
  restHandler({ Post: postRest }, { endpoint, pagination: 'cursor' }, database, pages)
  // @ts-expect-error Add "cursors" to the list "rest" of the generator block.
  restHandler({ Post: postRest }, { endpoint, pagination: 'cursor' }, database)
  // @ts-expect-error Add "atomic" to the list "rest" of the generator block.
  restHandler({ Post: postRest }, { endpoint, atomicOperations: '/batch' }, database, pages)
  // @ts-expect-error Add "transactions" to the list "rpc" of the generator block.
  rpcHandler({ Post: postRpc }, { transactions: true }, database)
  // The options of `lifecycle` and `computed` in both styles, without these features.
  // @ts-expect-error Add "lifecycle" to the list "rest" of the generator block.
  restHandler({ Post: postRest }, { endpoint, timeout: 1000 }, database, pages)
  // @ts-expect-error Add "lifecycle" to the list "rpc" of the generator block.
  rpcHandler({ Post: postRpc }, { health: true }, database)
  // @ts-expect-error Add "computed" to the list "files" of the generator block.
  restHandler({ Post: postRest }, { endpoint, computed: { Post: ['excerpt'] } }, database, pages)
  // @ts-expect-error Add "computed" to the list "files" of the generator block.
  rpcHandler({ Post: postRpc }, { computed: { Post: ['excerpt'] } }, database)
  return [
    rest.$operations,
    rpc.$transaction,
    earlierRest.$operations,
    // @ts-expect-error The API has no atomic operations.
    plainRest.$operations,
    // @ts-expect-error The API has no transactions.
    plainRpc.$transaction,
  ]
}
