import { expectTypeOf } from 'vitest'

import { createRestClient, createRpcClient } from '../../../client/index.js'
import { createRestQueries, createRpcQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import type { Computed } from './computing.js'

/** Type tests: this code never runs. */
const rpc = createRpcQueries(createRpcClient<Api<Computed>>({ url: '/api' }), { graph })
const rest = createRestQueries(createRestClient<Api<Computed>>({ url: '/api', graph }), { graph })

/** The result of a query or a mutation. */
type DataOf<T extends { readonly queryFn: unknown } | { readonly mutationFn: unknown }> = T extends {
  readonly queryFn: (...args: never) => Promise<infer R>
}
  ? R
  : T extends { readonly mutationFn: (...args: never) => Promise<infer R> }
    ? R
    : never

/** Queries have the same computed fields as the clients. */
export function queries(): void {
  const posts = rpc.post.findMany.queryOptions({
    select: { excerpt: true, fee: true, author: { select: { loud: true } } },
  })
  expectTypeOf<DataOf<typeof posts>>().toEqualTypeOf<
    { excerpt: string; fee: string; author: { loud: string | null } | null }[]
  >()
  const user = rpc.user.findFirstOrThrow.queryOptions()
  expectTypeOf<DataOf<typeof user>['loud']>().toEqualTypeOf<string | null>()
  const quiet = rpc.user.findUniqueOrThrow.queryOptions({ where: { id: 1 }, omit: { loud: true } })
  expectTypeOf<DataOf<typeof quiet>>().not.toHaveProperty('loud')
  const update = rpc.user.update.mutationOptions({ select: { loud: true } })
  expectTypeOf<DataOf<typeof update>>().toEqualTypeOf<{ loud: string | null }>()
  const create = rpc.user.create.mutationOptions()
  expectTypeOf<DataOf<typeof create>['loud']>().toEqualTypeOf<string | null>()
  rpc.post.update.mutationOptions({
    optimistic: (_, row) => {
      expectTypeOf(row.excerpt).toEqualTypeOf<string>()
      return row
    },
  })

  const resource = rest.post.get.queryOptions(1)
  expectTypeOf<DataOf<typeof resource>['day']>().toEqualTypeOf<Date>()
  const sparse = rest.post.get.queryOptions(1, { fields: { post: ['excerpt'] } })
  expectTypeOf<DataOf<typeof sparse>['excerpt']>().toEqualTypeOf<string>()
  expectTypeOf<DataOf<typeof sparse>>().not.toHaveProperty('day')
  const list = rest.post.list.queryOptions({ include: ['author'] })
  expectTypeOf<NonNullable<DataOf<typeof list>[number]['author']>['loud']>().toEqualTypeOf<string | null>()
  const change = rest.user.update.mutationOptions()
  expectTypeOf<DataOf<typeof change>['loud']>().toEqualTypeOf<string | null>()
  rest.post.update.mutationOptions({
    optimistic: (_, post) => {
      expectTypeOf(post.subtitle).toEqualTypeOf<string | null>()
      return post
    },
  })
}

/** Usages that the server rejects. */
export function mistakes(): void {
  // @ts-expect-error It cannot be used in a filter.
  rpc.user.findMany.queryOptions({ where: { email: 'a', loud: 'ANN' } })
  // @ts-expect-error It cannot be used in an order.
  rpc.user.findMany.infiniteQueryOptions({ take: 1, orderBy: { email: 'asc', loud: 'asc' } })
  // @ts-expect-error It is hidden.
  rpc.user.findMany.queryOptions({ select: { email: true, hint: true } })
  // @ts-expect-error It is hidden.
  rpc.user.update.mutationOptions({ select: { hint: true } })
  const update = rpc.user.update.mutationOptions()
  // @ts-expect-error It cannot be written.
  void update.mutationFn({ where: { id: 1 }, data: { loud: 'A' } })
  // @ts-expect-error It cannot be used in a filter.
  rest.user.list.queryOptions({ filter: { email: 'a', loud: 'ANN' } })
  // @ts-expect-error It cannot be used in an order.
  rest.user.list.queryOptions({ sort: ['loud'] })
  // @ts-expect-error It is hidden.
  rest.user.list.queryOptions({ fields: { user: ['hint'] } })
  const create = rest.user.create.mutationOptions()
  // @ts-expect-error It cannot be written.
  void create.mutationFn({ email: 'a', password: 'b', loud: 'A' })
}
