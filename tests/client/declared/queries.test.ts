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
    clients: { rest, rpc },
    api: rpc,
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

    it('REST: fetches a list with its parameters', async () => {
      const { rest, client } = page(db)
      const options = rest.post.recent.queryOptions({ views: 20 }, { sort: ['id'], include: ['author'] })
      expect(options.queryKey).toEqual([
        'rest-routes',
        'post.recent',
        { views: 20 },
        { sort: ['id'], include: ['author'] },
      ])
      const posts = await client.fetchQuery(options)
      expect(posts.map(({ id, author }) => [id, author?.name])).toEqual([
        ['2', 'Ann'],
        ['3', 'Ann'],
        ['4', 'Ben'],
      ])
      expect(client.getQueryData(options.queryKey)?.total).toBe(3)
    })

    it('REST: an infinite query follows the links and keeps the query of the route', async () => {
      const { rest, client, sent } = page(db)
      const options = rest.post.recent.infiniteQueryOptions(
        { views: 20 },
        { sort: ['id'], page: { limit: 2 } },
        { headers: { 'X-Trace': 'a' } },
      )
      const { pages } = await client.fetchInfiniteQuery({ ...options, pages: 3 })
      expect(pages.map((posts) => posts.map(({ id }) => id))).toEqual([['2', '3'], ['4']])
      expect(sent.rest.map(({ url }) => new URL(url).searchParams.get('views'))).toEqual(['20', '20'])
      expect(sent.rest[1]?.headers.get('X-Trace')).toBe('a')
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

    it.each([
      ['refetches nothing after invalid data', 3, 'x'.repeat(2000), 422, []],
      ['refetches the queries after a missing row', 99, 'x', 404, [0]],
      ['refetches the queries after a conflict', 1, 'x', 409, [0]],
    ])('REST: a rejected mutation %s', async (_, id, note, status, expected) => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(rest.post.list.queryOptions())
      const mutation = new MutationObserver(client, rest.post.publish.mutationOptions())
      await expect(mutation.mutate({ id, data: { note } })).rejects.toMatchObject({ status })
      expect(refetched()).toEqual(expected)
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

    it.each(['rest', 'rpc'] as const)('%s: fetches a route without a model', async (style) => {
      const { rest, rpc, client } = page(db)
      const options =
        style === 'rest'
          ? rest.reports.monthly.queryOptions({ views: 20 })
          : rpc.reports.monthly.queryOptions({ views: 20 })
      expect(options.queryKey).toEqual([`${style}-routes`, 'reports.monthly', { views: 20 }])
      const report = await client.fetchQuery(options)
      expectTypeOf(report).toEqualTypeOf<{ count: number; at: Date }>()
      expect(report).toEqual({ count: 3, at: new Date(0) })
    })

    it('REST: a mutation of a route without a model invalidates only the models in `writes`', async () => {
      const { rest, client, watch } = page(db)
      const refetched = await watch(
        rest.post.list.queryOptions(),
        rest.tag.list.queryOptions(),
        rest.reports.best.queryOptions(),
      )
      await new MutationObserver(client, rest.reports.reset.mutationOptions()).mutate({ note: 'x' })
      await rest.reports.reset.invalidate(client)
      expect(refetched()).toEqual([])
      const label = await new MutationObserver(client, rest.reports.label.mutationOptions()).mutate({ name: 'new' })
      expect(label).toMatchObject({ id: 'new' })
      expect(refetched()).toEqual([1, 2])
    })

    it('RPC: a mutation of a route without a model invalidates only the models in `writes`', async () => {
      const { rpc, client, watch } = page(db)
      const refetched = await watch(
        rpc.post.findMany.queryOptions(),
        rpc.tag.findMany.queryOptions(),
        rpc.reports.best.queryOptions(),
      )
      await new MutationObserver(client, rpc.reports.reset.mutationOptions()).mutate({ note: 'x' })
      expect(refetched()).toEqual([])
      await new MutationObserver(client, rpc.reports.label.mutationOptions()).mutate({ name: 'new' })
      expect(refetched()).toEqual([1, 2])
    })

    it.each(['rest', 'rpc'] as const)('%s: passes errors that isError accepts', async (style) => {
      const { rest, rpc, client, clients } = page(db)
      const mutation =
        style === 'rest'
          ? new MutationObserver(client, rest.post.publish.mutationOptions()).mutate({ id: 1, data: { note: 'x' } })
          : new MutationObserver(client, rpc.post.publish.mutationOptions()).mutate({ id: 1, note: 'x' })
      const error: unknown = await mutation.catch((failure: unknown) => failure)
      expect(clients[style].post.publish.isError(error)).toBe(true)
      const query = rest.reports.monthly.queryOptions({ views: 99 })
      const missing: unknown = await client.fetchQuery(query).catch((failure: unknown) => failure)
      expect(clients.rest.reports.monthly.isError(missing)).toBe(true)
    })

    it('REST: rejects groups that are neither models nor declared', () => {
      const { rest } = page(db)
      expect(() => Reflect.get(Reflect.get(rest, 'pots'), 'list')).toThrow('graph does not contain "pots".')
    })

    it('RPC: fetches a GET route', async () => {
      const { rpc, client } = page(db)
      const options = rpc.post.popular.queryOptions({ views: 20, limit: 1 })
      expect(options.queryKey).toEqual(['rpc-routes', 'post.popular', { views: 20, limit: 1 }])
      expect(await client.fetchQuery(options)).toMatchObject([{ id: 2 }])
      expect(await client.fetchQuery(rpc.post.stats.queryOptions())).toMatchObject({ count: 5 })
    })

    it('RPC: fetches a list with its arguments', async () => {
      const { rpc, client } = page(db)
      const options = rpc.post.recent.queryOptions({ views: 20, orderBy: { id: 'asc' }, select: { id: true } })
      const posts = await client.fetchQuery(options)
      expect(posts).toEqual([{ id: 2 }, { id: 3 }, { id: 4 }])
      expectTypeOf(posts).toEqualTypeOf<{ id: number }[]>()
      expect(client.getQueryData(options.queryKey)?.[0]?.id).toBe(2)
      expect(await client.fetchQuery(rpc.post.recent.queryOptions())).toHaveLength(5)
    })

    it.each(['cursor', 'skip'] as const)('RPC: an infinite query loads pages by %s', async (paging) => {
      const { rpc, client } = page(db)
      const options = rpc.post.recent.infiniteQueryOptions(
        { views: 20, orderBy: { id: 'asc' }, select: { id: true }, take: 2 },
        { paging },
      )
      const { pages } = await client.fetchInfiniteQuery({ ...options, pages: 3 })
      expect(pages).toEqual([[{ id: 2 }, { id: 3 }], [{ id: 4 }]])
      expect(options.queryKey.at(-1)).toBe('infinite')
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

    it('RPC: a transaction invalidates the queries of the models that its routes write', async () => {
      const { rpc, api, client, watch } = page(db)
      const refetched = await watch(
        rpc.post.findMany.queryOptions(),
        rpc.tag.findMany.queryOptions(),
        rpc.comment.findMany.queryOptions(),
        rpc.user.findMany.queryOptions(),
      )
      const shout = api.comment.shout.call({ postId_seq: { postId: 1, seq: 2 }, mark: '!' })
      // The route `touch` is declared to write tags.
      const calls = [api.user.count.call(), shout, api.post.touch.call({ id: 3 })]
      await new MutationObserver(client, rpc.$transaction.mutationOptions()).mutate(calls)
      expect(refetched()).toEqual([1, 2])
    })

    it('RPC: a transaction with routes without a model invalidates only the queries of the declared models', async () => {
      const { rpc, api, client, watch } = page(db)
      const refetched = await watch(rpc.post.findMany.queryOptions(), rpc.tag.findMany.queryOptions())
      await rpc.$transaction.invalidate(client, [api.reports.reset.call({ note: 'x' })])
      expect(refetched()).toEqual([])
      const calls = [api.reports.reset.call({ note: 'x' }), api.reports.label.call({ name: 'new' })]
      await rpc.$transaction.invalidate(client, calls)
      await vi.waitFor(() => expect(refetched()).toEqual([1]))
    })

    it('RPC: a transaction invalidates the queries of a route whose name is that of a read', async () => {
      const { rpc, api, client, watch } = page(db)
      const refetched = await watch(rpc.post.findMany.queryOptions(), rpc.tag.findMany.queryOptions())
      await rpc.$transaction.invalidate(client, [api.tag.countUses.call()])
      await vi.waitFor(() => expect(refetched()).toEqual([1]))
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
      // @ts-expect-error A sort field that does not exist.
      rest.post.recent.queryOptions({}, { sort: ['titel'] })
      // @ts-expect-error A route without list parameters.
      rest.post.popular.infiniteQueryOptions({ views: 1 })
      // @ts-expect-error An infinite query needs a page size.
      rpc.post.recent.infiniteQueryOptions({ views: 1 })
      // @ts-expect-error A field that does not exist.
      rpc.post.recent.queryOptions({ select: { titel: true } })
      // @ts-expect-error The variables have no data.
      void rest.post.publish.mutationOptions().mutationFn({ id: 3 })
      // @ts-expect-error The id is missing.
      void rpc.post.publish.mutationOptions().mutationFn({ note: 'x' })
    }
    void mistakes
  },
  { only: ['sqlite'] },
)
