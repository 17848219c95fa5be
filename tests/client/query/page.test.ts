import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { beforeEach, expect, it } from 'vitest'

import { createRestClient } from '../../../client/index.js'
import { createRestQueries, createRpcQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { describeDatabases } from '../../support/databases.js'
import { seedBlog } from '../../support/seed-blog.js'
import { fetchOf } from '../rest/serve.js'
import { blogClient } from '../support.js'

/** The examples of docs/tanstack-query.md. Its code blocks are lines of this file. */
describeDatabases('docs/tanstack-query.md examples', (db) => {
  beforeEach(() => db.fill(seedBlog))

  it('prefetches posts and fetches pages', async () => {
    const queries = createRpcQueries(blogClient(db).api, { graph })
    const queryClient = new QueryClient()
    const options = queries.post.findMany.queryOptions({ where: { status: 'PUBLISHED' }, take: 5 })
    await queryClient.prefetchQuery(options)
    const posts = queryClient.getQueryData(options.queryKey) // typed: posts, or undefined
    expect(posts).toHaveLength(5)
    expect(options.queryKey).toEqual(['rpc', 'post', 'findMany', { where: { status: 'PUBLISHED' }, take: 5 }])
    const pages = queries.post.findMany.infiniteQueryOptions({ orderBy: { id: 'desc' }, take: 20 })
    expect((await queryClient.fetchInfiniteQuery(pages)).pages[0]).toHaveLength(20)
  })

  it('runs optimistic mutations', async () => {
    const queries = createRpcQueries(blogClient(db).api, { graph })
    const queryClient = new QueryClient()
    const archive = queries.post.update.mutationOptions({
      select: { id: true, status: true },
      optimistic: true,
      onSuccess: ({ status }) => console.log(status),
    })
    const assign = queries.post.update.mutationOptions({
      optimistic: ({ data }, post) => ({ ...post, authorId: data.authorId, author: null }),
    })
    await queryClient.fetchQuery(queries.post.findUnique.queryOptions({ where: { id: 1 } }))
    const archived = await new MutationObserver(queryClient, archive).mutate({
      where: { id: 1 },
      data: { status: 'ARCHIVED' },
    })
    expect(archived).toEqual({ id: 1, status: 'ARCHIVED' })
    const assigned = await new MutationObserver(queryClient, assign).mutate({ where: { id: 1 }, data: { authorId: 2 } })
    expect(assigned.authorId).toBe(2)
  })

  it('queries and mutates over REST', async () => {
    const queryClient = new QueryClient()
    const rest = createRestClient<Api>({ url: 'http://localhost/api', graph, fetch: fetchOf(db) })
    const queries = createRestQueries(rest, { graph })
    const list = queries.post.list.queryOptions({ filter: { status: 'PUBLISHED' }, include: ['author'] })
    const pages = queries.post.list.infiniteQueryOptions({ sort: ['-viewCount'] }) // follows the links to the next pages
    const post = queries.post.get.queryOptions(1, { include: ['tags'] })
    const comments = queries.post.related.queryOptions(1, 'comments')
    const update = queries.post.update.mutationOptions({ optimistic: true }) // mutate({ id, data })
    const tagging = queries.post.relationship.mutationOptions({ relation: 'tags', change: 'add' }) // mutate({ id, members })
    expect((await queryClient.fetchQuery(list)).length).toBeGreaterThan(0)
    expect((await queryClient.fetchInfiniteQuery(pages)).pages).toHaveLength(1)
    expect((await queryClient.fetchQuery(post)).title).toBeTypeOf('string')
    expect((await queryClient.fetchQuery(comments)).total).toBeTypeOf('number')
    await new MutationObserver(queryClient, update).mutate({ id: 1, data: { title: 'New' } })
    const [tag] = await rest.tag.list()
    await new MutationObserver(queryClient, tagging).mutate({ id: 1, members: tag ? [tag] : [] })
  })

  it('invalidates queries after a write outside of mutations', async () => {
    const { api } = blogClient(db)
    const queryClient = new QueryClient()
    const queries = createRpcQueries(api, { graph, relatedModels: { Post: ['Tag'] } })
    const args = { where: { id: 1 }, data: { title: 'New' } }
    const post = await api.post.update(args)
    await queries.post.update.invalidate(queryClient, args, post)
    expect(post.title).toBe('New')
  })
})
