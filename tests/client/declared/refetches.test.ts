import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import { beforeEach, expect, it, vi } from 'vitest'

import { createRestQueriesWithRoutes, createRpcQueriesWithRoutes } from '../../../client/query/index.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { fillBlog } from '../../rest/support/blog.js'
import { type Database, describeDatabases } from '../../support/databases.js'
import { serveRoutes } from './serve.js'

const KEYS = ['rpc', 'rest']

/** Values of `otherKeys`. */
const OTHER_KEYS = {
  'with its own keys': [],
  'by default': undefined,
  'with all keys listed': KEYS,
  'with all keys listed twice': [...KEYS, ...KEYS, 'rpc-routes', 'rest-routes'],
}

/** Opens a page with queries of operations and routes. Tags are not affected by the mutations. */
async function openPage(db: Database, otherKeys?: readonly string[]) {
  const { rest, rpc, sent } = serveRoutes(db)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const queries = {
    rest: createRestQueriesWithRoutes(rest, { graph, otherKeys }),
    rpc: createRpcQueriesWithRoutes(rpc, { graph, otherKeys }),
  }
  const all: readonly object[] = [
    queries.rest.post.list.queryOptions(),
    queries.rest.post.popular.queryOptions({ views: 20 }),
    queries.rest.tag.list.queryOptions(),
    queries.rpc.post.findMany.queryOptions(),
    queries.rpc.post.popular.queryOptions({ views: 20 }),
    queries.rpc.tag.findMany.queryOptions(),
  ]
  for (const options of all) new QueryObserver(client, options as never).subscribe(() => undefined)
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  const initial = new Set([...sent.rest, ...sent.rpc])
  expect(initial.size).toBe(all.length)
  return {
    rest,
    rpc,
    client,
    queries,
    run: <V>(options: object, variables: V) =>
      new MutationObserver<unknown, Error, V>(client, options).mutate(variables),
    /** Returns the paths of the reads since the page was opened. */
    async refetched() {
      await vi.waitFor(() => expect(client.isFetching()).toBe(0))
      const reads = [...sent.rest, ...sent.rpc].filter((sent) => sent.method === 'GET' && !initial.has(sent))
      return reads.map(({ url }) => new URL(url).pathname).toSorted()
    },
  }
}

type Page = Awaited<ReturnType<typeof openPage>>

const update = { where: { id: 3 }, data: { title: 'New' } }

const MUTATIONS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'an RPC route': ({ queries, run }) => run(queries.rpc.post.publish.mutationOptions(), { id: 3, note: 'x' }),
  'an RPC operation': ({ queries, run }) => run(queries.rpc.post.update.mutationOptions(), update),
  'a $transaction of routes': ({ queries, rpc, run }) =>
    run(queries.rpc.$transaction.mutationOptions(), [rpc.post.raise.call({ by: 1 }), rpc.post.tally.call({})]),
  'a $transaction of a route and an operation': ({ queries, rpc, run }) =>
    run(queries.rpc.$transaction.mutationOptions(), [rpc.post.raise.call({ by: 1 }), rpc.post.update.call(update)]),
  'a direct $transaction': async ({ queries, rpc, client }) => {
    const calls = [rpc.post.raise.call({ by: 1 }), rpc.post.update.call(update)]
    await queries.rpc.$transaction.invalidate(client, calls, await rpc.$transaction(calls))
  },
  'a REST route': ({ queries, run }) =>
    run(queries.rest.post.publish.mutationOptions(), { id: 3, data: { note: 'x' } }),
  'a REST operation': ({ queries, run }) =>
    run(queries.rest.post.update.mutationOptions(), { id: 3, data: { title: 'New' } }),
  'direct $operations': async ({ queries, rest, client }) => {
    const [post] = await rest.$operations([rest.post.update.call(3, { title: 'New' })])
    await queries.rest.post.update.invalidate(client, { id: 3, data: { title: 'New' } }, post)
  },
}

const POSTS = ['/rest/post', '/rest/post/popular', '/rpc/post/findMany', '/rpc/post/popular']

describeDatabases(
  'Refetches of active queries',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    it.each(
      Object.keys(MUTATIONS).flatMap((mutation) =>
        Object.entries(OTHER_KEYS).map(([name, keys]) => [mutation, name, keys] as const),
      ),
    )('%s: refetches each affected query once %s', async (mutation, _, otherKeys) => {
      const page = await openPage(db, otherKeys)
      await MUTATIONS[mutation]?.(page)
      const style = /REST|operations/.test(mutation) ? '/rest' : '/rpc'
      expect(await page.refetched()).toEqual(POSTS.filter((path) => otherKeys?.length !== 0 || path.startsWith(style)))
    })

    it('a mutation repeats refetches that began before it', async () => {
      const page = await openPage(db)
      void page.client.refetchQueries({ queryKey: page.queries.rpc.post.findMany.queryKey() })
      await MUTATIONS['an RPC route']?.(page)
      expect(await page.refetched()).toEqual([...POSTS, '/rpc/post/findMany'].toSorted())
    })

    it('a $transaction of reads refetches no queries', async () => {
      const page = await openPage(db)
      await page.run(page.queries.rpc.$transaction.mutationOptions(), [page.rpc.post.count.call()])
      expect(await page.refetched()).toEqual([])
    })
  },
  { only: ['sqlite'] },
)
