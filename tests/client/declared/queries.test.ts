import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import { beforeEach, expect, expectTypeOf, it, vi } from 'vitest'

import { createRestQueriesWithRoutes, createRpcQueriesWithRoutes } from '../../../client/query/index.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { fillBlog } from '../../rest/support/blog.js'
import { type Database, describeDatabases } from '../../support/databases.js'
import { serveRoutes } from './serve.js'

function page(db: Database) {
  const { rest, rpc, sent } = serveRoutes(db)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  /** Mounts queries, and returns a function that lists the indexes of the queries fetched since. */
  const watch = async (...all: readonly object[]) => {
    const observers = all.map((options) => new QueryObserver(client, options as never))
    for (const observer of observers) observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    const countOf = (at: number) => client.getQueryState(observers[at]?.options.queryKey ?? [])?.dataUpdateCount ?? 0
    const before = observers.map((_, at) => countOf(at))
    return () => observers.flatMap((_, at) => (countOf(at) > (before[at] ?? 0) ? [at] : []))
  }
  return {
    rest: createRestQueriesWithRoutes(rest, { graph }),
    rpc: createRpcQueriesWithRoutes(rpc, { graph }),
    client,
    watch,
    sent,
  }
}

describeDatabases(
  'TanStack Query options of declared routes',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    it('REST: fetches a GET route under a key with its arguments', async () => {
      const { rest, client } = page(db)
      const options = rest.post.popular.queryOptions({ views: 20 }, { include: ['author'] }, { staleTime: 5 })
      expect(options.queryKey).toEqual(['rest-routes', 'post.popular', { views: 20 }, { include: ['author'] }])
      expect(options.staleTime).toBe(5)
      const posts = await client.fetchQuery(options)
      expect(posts.map(({ id, author }) => [id, author?.$type])).toContainEqual(['2', 'user'])
      expect(client.getQueryData(options.queryKey)?.[0]?.id).toBe('2')
      expect(client.getQueriesData({ queryKey: rest.post.popular.queryKey() })).toHaveLength(1)
    })

    it('REST: passes the headers of a query', async () => {
      const { rest, client, sent } = page(db)
      const stats = await client.fetchQuery(rest.post.stats.queryOptions({ headers: { 'X-Trace': 'a' } }))
      expectTypeOf(stats).toEqualTypeOf<{ count: number; readers: bigint; at: Date }>()
      expect(sent.rest[0]?.headers.get('X-Trace')).toBe('a')
    })

    it('REST: a mutation sends the id and data, and invalidates the queries of the route’s model', async () => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(
        rest.post.list.queryOptions(),
        rest.user.list.queryOptions({ include: ['posts'] }),
        rest.tag.list.queryOptions(),
        rest.post.stats.queryOptions(),
      )
      const options = rest.post.publish.mutationOptions({ include: ['author'] })
      const post = await new MutationObserver(client, options).mutate({ id: 3, data: { note: 'hello' } })
      expect(post).toMatchObject({ id: '3', content: 'hello', author: { name: 'Ann' } })
      expect(refetched()).toEqual([0, 1, 3])
    })

    it('REST: a mutation invalidates the queries of the models in `writes`', async () => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(rest.post.list.queryOptions(), rest.tag.list.queryOptions())
      await new MutationObserver(client, rest.post.touch.mutationOptions()).mutate({ id: 3 })
      expect(refetched()).toEqual([1])
    })

    it('REST: a mutation of a route without an id has the body as its variables', async () => {
      const { rest, client } = page(db)
      const tag = await new MutationObserver(client, rest.tag.add.mutationOptions()).mutate({ name: 'new' })
      expect(tag).toMatchObject({ id: 'new' })
    })

    it('REST: a rejected mutation does not invalidate queries', async () => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(rest.post.list.queryOptions())
      const mutation = new MutationObserver(client, rest.post.publish.mutationOptions())
      await expect(mutation.mutate({ id: 1, data: { note: 'x' } })).rejects.toMatchObject({ code: 'already-published' })
      expect(refetched()).toEqual([])
    })

    it('REST: mutations of generated routes invalidate the queries of declared routes', async () => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(rest.post.popular.queryOptions({ views: 0 }), rest.post.stats.queryOptions())
      await new MutationObserver(client, rest.tag.create.mutationOptions()).mutate({ name: 'x' })
      expect(refetched()).toEqual([0, 1])
    })

    it('REST: `invalidate` invalidates the queries after a direct call', async () => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(rest.post.list.queryOptions(), rest.tag.list.queryOptions())
      await rest.post.publish.invalidate(client)
      expect(refetched()).toEqual([0])
    })

    it('RPC: fetches a GET route', async () => {
      const { rpc, client } = page(db)
      const options = rpc.post.popular.queryOptions({ views: 20, limit: 1 })
      expect(options.queryKey).toEqual(['rpc-routes', 'post.popular', { views: 20, limit: 1 }])
      expect(await client.fetchQuery(options)).toMatchObject([{ id: 2 }])
      expect(await client.fetchQuery(rpc.post.stats.queryOptions())).toMatchObject({ count: 5 })
    })

    it('RPC: a mutation invalidates the queries of the route’s model', async () => {
      const { rpc, client, watch } = page(db)
      const refetched = await watch(
        rpc.post.findMany.queryOptions(),
        rpc.tag.findMany.queryOptions(),
        rpc.post.popular.queryOptions({ views: 0 }),
      )
      const mutation = new MutationObserver(client, rpc.post.publish.mutationOptions())
      expect(await mutation.mutate({ id: 3, note: 'hello' })).toMatchObject({ content: 'hello' })
      expect(refetched()).toEqual([0, 2])
    })

    it('RPC: keeps the options of operations and transactions', async () => {
      const { rpc, client } = page(db)
      expect(await client.fetchQuery(rpc.post.count.queryOptions())).toBe(5)
      expect(rpc.$transaction.mutationOptions().mutationKey).toEqual(['rpc', '$transaction'])
    })

    /** Compile errors. Never called. */
    function mistakes(): void {
      const { rest, rpc } = page(db)
      // @ts-expect-error A GET route has no mutation.
      rest.post.popular.mutationOptions()
      // @ts-expect-error Other routes have no query.
      rest.post.publish.queryOptions(3, { note: 'x' })
      // @ts-expect-error The query is missing.
      rest.post.popular.queryOptions()
      // @ts-expect-error The variables have no data.
      void rest.post.publish.mutationOptions().mutationFn({ id: 3 })
      // @ts-expect-error The id is missing.
      void rpc.post.publish.mutationOptions().mutationFn({ note: 'x' })
    }
    void mistakes
  },
  { only: ['sqlite'] },
)
