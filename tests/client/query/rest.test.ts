import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import { beforeEach, expect, it, vi } from 'vitest'

import { createRestClient } from '../../../client/index.js'
import { createRestQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { describeDatabases } from '../../support/databases.js'
import { seedBlog } from '../../support/seed-blog.js'
import { fetchOf, recorded } from '../rest/serve.js'

describeDatabases('TanStack Query over REST', (db) => {
  beforeEach(() => db.fill(seedBlog))

  function page() {
    const rest = createRestClient<Api>({ url: 'http://localhost/api', graph, fetch: fetchOf(db, { pageSize: 10 }) })
    const queries = createRestQueries(rest, { graph })
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
    const countOf = (key: readonly unknown[]) => client.getQueryState(key)?.dataUpdateCount ?? 0
    /** Mounts queries, and returns a function that lists the queries fetched since. */
    const watch = async (...all: readonly object[]) => {
      const observers = all.map((options) => new QueryObserver(client, options as never))
      for (const observer of observers) observer.subscribe(() => undefined)
      await vi.waitFor(() => expect(client.isFetching()).toBe(0))
      const keys = observers.map((observer) => observer.options.queryKey as readonly unknown[])
      const counts = keys.map(countOf)
      return () => keys.flatMap((key, index) => (countOf(key) > (counts[index] ?? 0) ? [index] : []))
    }
    return { rest, queries, client, watch }
  }

  it('fetches lists, resources and related resources under readable keys', async () => {
    const { queries, client } = page()
    const { post } = queries
    const list = post.list.queryOptions({ filter: { status: 'PUBLISHED' }, include: ['author'], page: { limit: 3 } })
    expect(list.queryKey).toEqual([
      'rest',
      'post',
      'list',
      { filter: { status: 'PUBLISHED' }, include: ['author'], page: { limit: 3 } },
    ])
    const posts = await client.fetchQuery(list)
    expect(posts).toHaveLength(3)
    expect(posts.total).toBeGreaterThan(3)
    expect(posts.find(({ author }) => author)?.author?.email).toContain('@')
    const one = post.get.queryOptions(1, { include: ['tags'] })
    expect(one.queryKey).toEqual(['rest', 'post', 'get', 1, { include: ['tags'] }])
    expect((await client.fetchQuery(one)).id).toBe('1')
    const comments = post.related.queryOptions(1, 'comments', { sort: ['seq'] })
    expect(comments.queryKey).toEqual(['rest', 'post', 'related', 1, 'comments', { sort: ['seq'] }])
    expect((await client.fetchQuery(comments)).length).toBe(await db.orm.comment.count({ where: { postId: 1 } }))
  })

  it('sends the headers of each query and mutation', async () => {
    const fetch = recorded(fetchOf(db))
    const rest = createRestClient<Api>({ url: 'http://localhost/api', graph, fetch, headers: { 'X-Reason': 'client' } })
    const { post } = createRestQueries(rest, { graph })
    const client = new QueryClient()
    const headers = { 'X-Reason': 'own' }
    const list = post.list.queryOptions({ page: { limit: 1 } }, { headers, staleTime: 1000 })
    expect(list.queryKey).toEqual(post.list.queryKey({ page: { limit: 1 } }))
    await client.fetchQuery(list)
    await client.fetchQuery(post.get.queryOptions(1, {}, { headers }))
    await client.fetchQuery(post.related.queryOptions(1, 'comments', {}, { headers }))
    await client.fetchInfiniteQuery(post.list.infiniteQueryOptions({ page: { limit: 1 } }, { headers }) as never)
    const mutate = (options: object) => new MutationObserver<unknown, Error, unknown>(client, options)
    await mutate(post.update.mutationOptions({ headers })).mutate({ id: 1, data: { title: 'Other' } })
    const tag = { relation: 'tags', change: 'replace', headers } as const
    await mutate(post.relationship.mutationOptions(tag)).mutate({ id: 1, members: [] })
    await mutate(post.delete.mutationOptions({ headers })).mutate(1)
    expect(fetch.requests.map((request) => request.headers.get('X-Reason'))).toEqual(Array(7).fill('own'))
    await client.fetchQuery(post.get.queryOptions(2))
    expect(fetch.requests.at(-1)?.headers.get('X-Reason')).toBe('client')
  })

  it('follows page links in infinite queries', async () => {
    const { queries, client } = page()
    const query = { filter: { id: { lte: 25 } }, sort: ['-id'] } as const
    const observer = new InfiniteQueryObserver(client, queries.post.list.infiniteQueryOptions(query as never))
    const leave = observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toHaveLength(1))
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage()
    const pages = observer.getCurrentResult().data?.pages ?? []
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(25)
    leave()
  })

  it('follows cursors in infinite queries', async () => {
    const { queries, client } = page()
    const query = { filter: { id: { lte: 5 } }, sort: ['-id'], page: { after: '', size: 2 } } as const
    const observer = new InfiniteQueryObserver(client, queries.post.list.infiniteQueryOptions(query as never))
    const leave = observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toHaveLength(1))
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage()
    expect(
      observer
        .getCurrentResult()
        .data?.pages.flat()
        .map(({ id }) => id),
    ).toEqual(['5', '4', '3', '2', '1'])
    leave()
  })

  it('refetches the queries that a mutation affects', async () => {
    const { queries, client, watch, rest } = page()
    const { post, tag, user } = queries
    const all = [
      post.get.queryOptions(1),
      post.get.queryOptions(2),
      post.list.queryOptions({ filter: { status: 'PUBLISHED' } }),
      user.list.queryOptions(),
      tag.list.queryOptions(),
      post.related.queryOptions(1, 'tags'),
      post.related.queryOptions(2, 'comments'),
    ]
    const fetched = await watch(...all)
    const update = new MutationObserver(client, post.update.mutationOptions())
    const renamed = await update.mutate({ id: 1, data: { title: 'Another' } })
    expect(renamed.title).toBe('Another')
    expect(fetched()).toContain(0)
    for (const other of [1, 3, 4, 5, 6]) expect(fetched(), String(other)).not.toContain(other)
    expect(client.getQueryData<{ title: string }>(post.get.queryKey(1))?.title).toBe('Another')

    const links = new MutationObserver(
      client,
      post.relationship.mutationOptions({ relation: 'tags', change: 'replace' }),
    )
    const [first] = await rest.tag.list()
    await links.mutate({ id: 1, members: first ? [first] : [] })
    expect(fetched()).toContain(5)
    expect(client.getQueryData(post.related.queryOptions(1, 'tags').queryKey)).toHaveLength(1)

    await new MutationObserver(client, post.delete.mutationOptions()).mutate(2)
    expect(client.getQueryState(post.get.queryKey(2))?.status).toBe('error')
    expect(client.getQueryState(post.related.queryOptions(2, 'comments').queryKey)?.status).toBe('error')
    const created = await new MutationObserver(client, tag.create.mutationOptions()).mutate({ id: 'new-one' } as never)
    expect(created.id).toBe('new-one')
    expect(fetched()).toContain(4)
    expect(fetched()).not.toContain(3)
  })

  it('refetches a list after a change to a field that its filter references', async () => {
    const { queries, client, watch } = page()
    const { post } = queries
    const list = post.list.queryOptions({ filter: { slug: { $field: 'title' } } })
    const fetched = await watch(list)
    const update = new MutationObserver(client, post.update.mutationOptions())
    const { slug } = await update.mutate({ id: 1, data: { content: 'x' } })
    expect(fetched()).not.toContain(0)
    await update.mutate({ id: 1, data: { title: slug } })
    expect(fetched()).toContain(0)
    expect(client.getQueryData(list.queryKey)?.map(({ id }) => id)).toContain('1')
  })

  it('shows an optimistic update and rolls it back if the update fails', async () => {
    const { queries, client, watch } = page()
    const { post } = queries
    const list = post.list.queryOptions({ sort: ['id'], include: ['author'] })
    await watch(list)
    const seen: unknown[] = []
    client.getQueryCache().subscribe(() => {
      const posts = client.getQueryData(list.queryKey)
      seen.push([posts?.[0]?.viewCount, posts?.[0]?.$type, posts?.total])
    })
    const total = client.getQueryData(list.queryKey)?.total
    const update = new MutationObserver(client, post.update.mutationOptions({ optimistic: true }))
    await update.mutate({ id: 1, data: { viewCount: 77 } })
    expect(seen).toContainEqual([77, 'post', total])
    await expect(update.mutate({ id: 1, data: { viewCount: -5 } })).rejects.toThrow()
    expect(seen).toContainEqual([-5, 'post', total])
    expect(client.getQueryData(list.queryKey)?.[0]?.viewCount).toBe(77)
  })
})
