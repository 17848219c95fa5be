import type { QueryClient } from '@tanstack/query-core'
import * as react from '@tanstack/react-query'
import * as solid from '@tanstack/solid-query'
import * as svelte from '@tanstack/svelte-query'
import * as vue from '@tanstack/vue-query'

import { createRpcClient } from '../../../client/index.js'
import { createRpcQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'

const api = createRpcClient<Api>({ url: '/api' })
export const queries = createRpcQueries(api, { graph })

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function is<T extends true>(): T | undefined {
  return undefined
}

interface Listed {
  id: number
  author: { name: string | null } | null
}
const args = { select: { id: true, author: { select: { name: true } } } } as const
const list = queries.post.findMany.queryOptions(args)
const pages = queries.post.findMany.infiniteQueryOptions({ ...args, take: 10 })
const counted = queries.post.findMany.queryOptions(args, { select: (posts) => posts.length, staleTime: 1000 })

/** A component in React. */
export function inReact() {
  const { data } = react.useQuery(list)
  is<Equal<typeof data, Listed[] | undefined>>()
  const { data: sure } = react.useSuspenseQuery(list)
  is<Equal<typeof sure, Listed[]>>()
  const { data: length } = react.useQuery(counted)
  is<Equal<typeof length, number | undefined>>()
  const { data: all } = react.useInfiniteQuery(pages)
  is<Equal<NonNullable<typeof all>['pages'], Listed[][]>>()
  const update = react.useMutation(queries.post.update.mutationOptions({ select: { id: true, title: true } }))
  update.mutate({ where: { id: 1 }, data: { title: 'a' } })
  // @ts-expect-error Unknown field.
  update.mutate({ where: { id: 1 }, data: { titel: 'a' } })
  is<Equal<typeof update.data, { id: number; title: string } | undefined>>()
  const [first] = react.useQueries({ queries: [list] })
  is<Equal<typeof first.data, Listed[] | undefined>>()
}

/** A component in Vue. */
export function inVue() {
  const { data } = vue.useQuery(list)
  is<Equal<typeof data.value, Listed[] | undefined>>()
  const { data: all } = vue.useInfiniteQuery(pages)
  is<Equal<NonNullable<typeof all.value>['pages'], Listed[][]>>()
  const update = vue.useMutation(queries.post.update.mutationOptions())
  update.mutate({ where: { id: 1 }, data: { title: 'a' } })
}

/** A component in Svelte. */
export function inSvelte() {
  const query = svelte.createQuery(() => list)
  is<Equal<typeof query.data, Listed[] | undefined>>()
  const all = svelte.createInfiniteQuery(() => pages)
  is<Equal<NonNullable<typeof all.data>['pages'], Listed[][]>>()
  const update = svelte.createMutation(() => queries.post.update.mutationOptions())
  update.mutate({ where: { id: 1 }, data: { title: 'a' } })
}

/** A component in Solid. */
export function inSolid() {
  const query = solid.useQuery(() => list)
  is<Equal<typeof query.data, Listed[] | undefined>>()
  const all = solid.useInfiniteQuery(() => pages)
  is<Equal<NonNullable<typeof all.data>['pages'], Listed[][]>>()
  const update = solid.useMutation(() => queries.post.update.mutationOptions())
  update.mutate({ where: { id: 1 }, data: { title: 'a' } })
}

/** Without a framework. */
export async function inTheCore(client: QueryClient) {
  const rows = await client.fetchQuery(list)
  is<Equal<typeof rows, Listed[]>>()
  await client.prefetchQuery(queries.post.findUnique.queryOptions({ where: { id: 1 } }))
  const cached = client.getQueryData(queries.post.findMany.queryKey(args))
  is<Equal<typeof cached, Listed[] | undefined>>()
  client.setQueryData(list.queryKey, (posts) => posts?.filter(({ id }) => id > 1))
  // @ts-expect-error The title was not selected.
  client.setQueryData(list.queryKey, (posts) => posts?.filter(({ title }) => title))
  await client.fetchInfiniteQuery(pages)
}

/** Calls that do not compile. */
export const mistakes = [
  // @ts-expect-error Unknown field.
  queries.post.findMany.queryOptions({ where: { titel: 'a' } }),
  // @ts-expect-error Unknown field of a relation.
  queries.post.findMany.queryOptions({ include: { author: { select: { nam: true } } } }),
  // @ts-expect-error `where` is required.
  queries.post.findUnique.queryOptions(),
  // @ts-expect-error `take` is required.
  queries.post.findMany.infiniteQueryOptions({ where: { id: 1 } }),
  // @ts-expect-error Creates cannot be optimistic.
  queries.post.create.mutationOptions({ optimistic: true }),
  // @ts-expect-error A mutation has no query options.
  queries.post.update.queryOptions,
]
