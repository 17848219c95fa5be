import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import { beforeEach, expect, it, vi } from 'vitest'

import { createRestClient } from '../../../client/index.js'
import { createRestQueries, createRpcQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { describeDatabases } from '../../support/databases.js'
import { seedBlog } from '../../support/seed-blog.js'
import { fetchOf } from '../rest/serve.js'
import { blogClient } from '../support.js'

describeDatabases(
  'TanStack Query over RPC and REST',
  (db) => {
    beforeEach(() => db.fill(seedBlog))

    async function page() {
      const rest = createRestClient<Api>({ url: 'http://localhost/api', graph, fetch: fetchOf(db) })
      const listed = createRestQueries(rest, { graph })
      const otherKeys = ['rpc', 'rest', 'other']
      const cached = createRpcQueries(blogClient(db).api, { graph, otherKeys: otherKeys })
      const other = createRestQueries(rest, { graph, keyPrefix: 'other' })
      const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
      const mountedQueries = {
        posts: listed.post.list.queryOptions({ page: { limit: 3 } }),
        authors: listed.user.list.queryOptions({ include: ['posts'] }),
        tags: listed.tag.list.queryOptions(),
        rows: cached.post.findMany.queryOptions({ where: { id: 1 } }),
        users: cached.user.findMany.queryOptions({ select: { id: true, _count: { select: { posts: true } } } }),
        names: cached.tag.findMany.queryOptions(),
        others: other.post.get.queryOptions(1),
      }
      const observers = Object.values(mountedQueries).map((options) => new QueryObserver(client, options as never))
      for (const observer of observers) observer.subscribe(() => undefined)
      await vi.waitFor(() => expect(client.isFetching()).toBe(0))
      const counts = () =>
        Object.entries(mountedQueries).map(([name, { queryKey }]) => [
          name,
          client.getQueryState(queryKey)?.dataUpdateCount,
        ])
      const before = new Map(counts() as [string, number][])
      return {
        rest,
        listed,
        cached,
        client,
        again: () => counts().flatMap(([name, count]) => (count === before.get(String(name)) ? [] : [name])),
      }
    }

    it('refetches REST queries after an RPC mutation', async () => {
      const { cached, client, again } = await page()
      const update = new MutationObserver(client, cached.post.update.mutationOptions() as never)
      await update.mutate({ where: { id: 1 }, data: { title: 'New' } } as never)
      expect(again()).toEqual(['posts', 'authors', 'rows', 'others'])
    })

    it('refetches RPC queries after a REST mutation', async () => {
      const { listed, client, again } = await page()
      const remove = new MutationObserver(client, listed.post.delete.mutationOptions() as never)
      await remove.mutate('1' as never)
      expect(again()).toEqual(expect.arrayContaining(['posts', 'authors', 'rows', 'users']))
      // Deleting a post also deletes its links to tags.
      expect(again()).not.toContain('others')
    })

    it('refetches RPC queries when invalidate reports a direct REST write', async () => {
      const { rest, listed, client, again } = await page()
      const post = await rest.post.update(1, { title: 'New' })
      await listed.post.update.invalidate(client, { id: 1, data: { title: 'New' } }, post)
      expect(again()).toContain('rows')
      expect(again()).not.toContain('names')
    })
  },
  { only: ['SQLite'] },
)
