import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { createRpcClient } from '../../../client/index.js'
import { createRpcQueries } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { describeDatabases } from '../../support/databases.js'
import { seedBlog } from '../../support/seed-blog.js'
import { blogClient } from '../support.js'

const withoutRetries = () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })

describeDatabases('TanStack Query over RPC', (db) => {
  beforeEach(() => db.fill(seedBlog))

  function page() {
    const { api, sent } = blogClient(db)
    const queries = createRpcQueries(api, { graph })
    const client = withoutRetries()
    /** Mounts queries, and returns a function that lists the queries fetched since. */
    const watch = async (...all: readonly { readonly queryKey: readonly unknown[]; readonly queryFn: never }[]) => {
      const observers = all.map((options) => new QueryObserver(client, options))
      for (const observer of observers) observer.subscribe(() => undefined)
      await vi.waitFor(() => expect(client.isFetching()).toBe(0))
      const counts = observers.map((observer) => countOf(observer))
      return () => observers.flatMap((observer, index) => (countOf(observer) > (counts[index] ?? 0) ? [index] : []))
    }
    const countOf = (observer: QueryObserver) =>
      client.getQueryCache().get(observer.getCurrentQuery().queryHash)?.state.dataUpdateCount ?? 0
    return { api, queries, client, sent, watch }
  }

  it('fetches rows under a readable key', async () => {
    const { queries, client, api } = page()
    const args = { where: { status: 'PUBLISHED' }, orderBy: { id: 'asc' }, take: 3 } as const
    const options = queries.post.findMany.queryOptions(args, { staleTime: 1000 })
    expect(options.queryKey).toEqual(['rpc', 'post', 'findMany', args])
    expect(options.staleTime).toBe(1000)
    const posts = await client.fetchQuery(options)
    expect(posts).toEqual(await api.post.findMany(args))
    expect(client.getQueryData(queries.post.findMany.queryKey(args))).toBe(posts)
    expect(queries.post.findMany.queryKey()).toEqual(['rpc', 'post', 'findMany'])
    expect(queries.post.queryKey()).toEqual(['rpc', 'post'])
  })

  it('sends the headers of each query and mutation', async () => {
    const { queries, client, sent, api } = page()
    const headers = { 'X-Reason': 'own' }
    const { tag } = queries
    const list = tag.findMany.queryOptions({ take: 1 }, { headers })
    expect(list.queryKey).toEqual(tag.findMany.queryKey({ take: 1 }))
    await client.fetchQuery(list)
    await client.fetchInfiniteQuery(tag.findMany.infiniteQueryOptions({ take: 1 }, { headers }) as never)
    const mutate = (options: object) => new MutationObserver<unknown, Error, unknown>(client, options)
    await mutate(tag.create.mutationOptions({ headers })).mutate({ data: { name: 'of its own' } })
    await mutate(queries.$transaction.mutationOptions({ headers })).mutate([api.tag.count.call()])
    expect(sent.map((request) => request.headers.get('X-Reason'))).toEqual(Array(4).fill('own'))
  })

  it('builds distinct keys for BigInt and Prisma null values', async () => {
    const { queries, client } = page()
    const { DbNull, JsonNull } = db.client.Prisma
    const big = queries.category.count.queryOptions({ where: { readers: 2n ** 62n + 1n } })
    expect(await client.fetchQuery(big)).toBe(0)
    const keys = [DbNull, JsonNull].map((equals) =>
      JSON.stringify(queries.profile.count.queryKey({ where: { settings: { equals } } })),
    )
    expect(keys[0]).not.toBe(keys[1])
  })

  it.each(['cursor', 'skip'] as const)('%s: fetches all pages of an infinite query', async (paging) => {
    const { queries, client, api } = page()
    const observer = new InfiniteQueryObserver(
      client,
      queries.post.findMany.infiniteQueryOptions(
        { where: { id: { lte: 25 } }, orderBy: { id: 'desc' }, take: 10 },
        { paging },
      ),
    )
    const leave = observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toHaveLength(1))
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage()
    const { pages } = observer.getCurrentResult().data ?? { pages: [] }
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5])
    expect(pages.flat()).toEqual(await api.post.findMany({ where: { id: { lte: 25 } }, orderBy: { id: 'desc' } }))
    leave()
  })

  it('rejects an infinite query without take or without its cursor field', async () => {
    const { queries, client } = page()
    expect(() => queries.post.findMany.infiniteQueryOptions({} as { take: number })).toThrow('requires "take"')
    const options = queries.post.findMany.infiniteQueryOptions({ take: 2, select: { title: true } })
    await expect(client.fetchInfiniteQuery({ ...options, pages: 2 })).rejects.toThrow(
      "Select it, or set paging: 'skip'.",
    )
  })

  it('refetches only the queries that a mutation affects', async () => {
    const { queries, client, watch } = page()
    const { post, user, comment } = queries
    const fetched = await watch(
      ...([
        post.findUnique.queryOptions({ where: { id: 1 } }),
        post.findUnique.queryOptions({ where: { id: 2 } }),
        post.findMany.queryOptions({ where: { authorId: 1 }, select: { id: true } }),
        user.findUnique.queryOptions({ where: { id: 1 }, include: { posts: true } }),
        user.findMany.queryOptions(),
        comment.findMany.queryOptions({ where: { postId: 1 }, include: { post: { select: { title: true } } } }),
        post.count.queryOptions(),
      ] as never[]),
    )
    const { authorId } = (await db.orm.post.findUnique({ where: { id: 1 } })) ?? {}
    expect(authorId).not.toBe(1)
    const rename = new MutationObserver(client, post.update.mutationOptions())
    const renamed = await rename.mutate({ where: { id: 1 }, data: { title: 'Another' } })
    expect(renamed.title).toBe('Another')
    expect(fetched()).toEqual([0, 5])
    expect(client.getQueryData(post.findUnique.queryKey({ where: { id: 1 } }))?.title).toBe('Another')
  })

  it('refetches a list after updateMany adds rows to it', async () => {
    const { queries, client, watch } = page()
    const [parent] = await db.orm.category.findMany({ where: { parentId: null } })
    const parentId = parent?.id ?? null
    await db.orm.category.createMany({
      data: [7n, 8n].map((readers) => ({ name: `with ${readers}`, readers, parentId })),
    })
    const list = queries.category.findMany.queryOptions({ where: { parentId, readers: 7n } })
    const fetched = await watch(list as never)
    const update = new MutationObserver(client, queries.category.updateMany.mutationOptions())
    await update.mutate({ where: { parentId }, data: { readers: 7n } })
    expect(fetched()).toEqual([0])
  })

  it('refetches a list that a row leaves, even without the changed field', async () => {
    const { queries, client, watch } = page()
    const fetched = await watch(
      queries.post.findMany.queryOptions({ where: { id: 1, viewCount: { lt: 2e9 } }, select: { id: true } }) as never,
      queries.post.findMany.queryOptions({ where: { viewCount: { lt: 2e9 } }, select: { id: true } }) as never,
    )
    const { slug } = await db.orm.post.findUniqueOrThrow({ where: { id: 1 } })
    const update = new MutationObserver(client, queries.post.update.mutationOptions({ select: { slug: true } }))
    await update.mutate({ where: { slug }, data: { viewCount: 2e9 } })
    expect(fetched()).toEqual([0, 1])
  })

  it('identifies rows by their where condition if the key is not selected', async () => {
    const { queries, client, watch } = page()
    const { post, comment } = queries
    const fetched = await watch(
      ...([
        post.findUnique.queryOptions({ where: { id: 1 }, select: { title: true } }),
        post.findUnique.queryOptions({ where: { id: 2 }, select: { title: true } }),
        comment.findMany.queryOptions({ where: { postId: 2 }, select: { body: true } }),
        comment.findMany.queryOptions({ where: { postId: 1 }, select: { body: true } }),
      ] as never[]),
    )
    await new MutationObserver(client, post.delete.mutationOptions()).mutate({ where: { id: 1 } })
    expect(fetched()).toEqual([0, 3])
  })

  it('refetches findFirst with a negative take after a create', async () => {
    const { queries, client, watch } = page()
    const fetched = await watch(queries.category.findFirst.queryOptions({ orderBy: { id: 'asc' }, take: -1 }) as never)
    const create = new MutationObserver(client, queries.category.create.mutationOptions())
    await create.mutate({ data: { name: 'the last' } })
    expect(fetched()).toEqual([0])
  })

  it('does not refetch after a rejected mutation', async () => {
    const { queries, client, watch } = page()
    const fetched = await watch(queries.post.findMany.queryOptions() as never)
    const update = new MutationObserver(client, queries.post.update.mutationOptions())
    await expect(update.mutate({ where: { id: 1 }, data: { title: '' } })).rejects.toThrow()
    expect(fetched()).toEqual([])
  })

  it('refetches affected queries when invalidate reports a direct write', async () => {
    const { queries, client, watch, api } = page()
    const fetched = await watch(
      queries.post.findMany.queryOptions() as never,
      queries.tag.findMany.queryOptions() as never,
    )
    const args = { where: { id: 1 }, data: { title: 'Directly' } }
    const result = await api.post.update(args)
    expect(fetched()).toEqual([])
    await queries.post.update.invalidate(client, args, result)
    expect(fetched()).toEqual([0])
  })

  it('refetches the relatedModels of a written model', async () => {
    const { client, watch, api } = page()
    const queries = createRpcQueries(api, { graph, relatedModels: { Post: ['Tag'] } })
    const fetched = await watch(
      queries.tag.findMany.queryOptions() as never,
      queries.user.findMany.queryOptions() as never,
    )
    await new MutationObserver(client, queries.post.update.mutationOptions()).mutate({
      where: { id: 1 },
      data: { title: 'a' },
    })
    expect(fetched()).toEqual([0])
  })

  describe('optimistic mutations', () => {
    it('shows an update in all queries before the response arrives', async () => {
      const { queries, client, watch } = page()
      const { post, user } = queries
      const one = post.findUnique.queryOptions({ where: { id: 1 } })
      const open = post.findMany.queryOptions({ where: { status: 'PUBLISHED' }, select: { id: true, status: true } })
      const before = await db.orm.post.update({ where: { id: 1 }, data: { status: 'PUBLISHED', authorId: 1 } })
      const author = user.findUnique.queryOptions({
        where: { id: 1 },
        include: { posts: { select: { id: true, viewCount: true } } },
      })
      await watch(...([one, open, author] as never[]))
      const update = new MutationObserver(client, post.update.mutationOptions({ optimistic: true }))
      const seen: unknown[] = []
      client.getQueryCache().subscribe(() => {
        const [post, posts, user] = [one.queryKey, open.queryKey, author.queryKey].map((key) =>
          client.getQueryData(key),
        ) as [typeof before, (typeof before)[], { posts: { id: number; viewCount: number }[] }]
        const viewCount = user.posts.find(({ id }) => id === 1)?.viewCount
        // While `updatedAt` is unchanged, the response has not arrived.
        if (post.updatedAt.getTime() === before.updatedAt.getTime())
          seen.push([post.status, posts.some(({ id }) => id === 1), viewCount])
      })
      const pending = update.mutate({ where: { id: 1 }, data: { status: 'ARCHIVED', viewCount: before.viewCount + 5 } })
      const updated = await pending
      expect(seen).toContainEqual(['ARCHIVED', false, before.viewCount + 5])
      expect(client.getQueryData(one.queryKey)).toEqual(updated)
    })

    it('predicts the result of an increment', async () => {
      const { queries, client, watch } = page()
      const one = queries.category.findUnique.queryOptions({ where: { id: 1 }, select: { id: true, readers: true } })
      await watch(one as never)
      const before = client.getQueryData(one.queryKey)?.readers ?? 0n
      const seen: unknown[] = []
      client.getQueryCache().subscribe(() => seen.push(client.getQueryData(one.queryKey)?.readers))
      const update = new MutationObserver(client, queries.category.update.mutationOptions({ optimistic: true }))
      await update.mutate({ where: { id: 1 }, data: { readers: { increment: 5n } } })
      expect(seen[0]).toBe(before + 5n)
    })

    it('rolls back if the server rejects the update', async () => {
      const { queries, client, watch } = page()
      const list = queries.post.findMany.queryOptions({ take: 5, orderBy: { id: 'asc' } })
      await watch(list as never)
      const before = client.getQueryData(list.queryKey)
      const seen: unknown[] = []
      client.getQueryCache().subscribe(() => seen.push(client.getQueryData(list.queryKey)?.[0]?.viewCount))
      const update = new MutationObserver(client, queries.post.update.mutationOptions({ optimistic: true }))
      await expect(update.mutate({ where: { id: 1 }, data: { viewCount: -1 } })).rejects.toThrow()
      expect(seen).toContain(-1)
      expect(client.getQueryData(list.queryKey)).toEqual(before)
    })

    it('removes deleted rows, with true or a function', async () => {
      const { queries, client, watch } = page()
      const list = queries.comment.findMany.queryOptions({ where: { postId: 1 }, orderBy: { seq: 'asc' } })
      await db.orm.comment.createMany({ data: [90, 91].map((seq) => ({ postId: 1, seq, body: 'x' })) })
      await watch(list as never)
      const seen: number[] = []
      client.getQueryCache().subscribe(() => seen.push(client.getQueryData(list.queryKey)?.length ?? -1))
      const { length = 0 } = client.getQueryData(list.queryKey) ?? {}
      const where = { postId_seq: { postId: 1, seq: 90 } }
      const shows = { optimistic: () => undefined }
      await new MutationObserver(client, queries.comment.delete.mutationOptions({ optimistic: true })).mutate({ where })
      expect(seen[0]).toBe(length - 1)
      seen.length = 0
      const other = { postId_seq: { postId: 1, seq: 91 } }
      await new MutationObserver(client, queries.comment.delete.mutationOptions(shows)).mutate({ where: other })
      expect(seen[0]).toBe(length - 2)
    })

    it('rejects an update that it cannot predict without sending a request', async () => {
      const { queries, client, sent } = page()
      await client.fetchQuery(queries.post.findMany.queryOptions())
      const { length } = sent
      const update = new MutationObserver(client, queries.post.update.mutationOptions({ optimistic: true }))
      await expect(update.mutate({ where: { id: 1 }, data: { author: { connect: { id: 1 } } } })).rejects.toThrow(
        'optimistic: true cannot predict the nested write "author"',
      )
      await expect(update.mutate({ where: { slug: 'x', NOT: { title: 'b' } } as never, data: {} })).rejects.toThrow(
        'the condition "NOT"',
      )
      expect(sent).toHaveLength(length)
      const anything = { optimistic: true } as object
      expect(() => queries.post.create.mutationOptions(anything)).toThrow(
        'optimistic cannot predict the result of create',
      )
    })
  })
})

describe('RPC queries with a stub fetch', () => {
  it('aborts the request of a canceled query', async () => {
    const seen: AbortSignal[] = []
    const api = createRpcClient<Api>({
      url: 'http://localhost/api',
      fetch: ({ signal }) => {
        seen.push(signal)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    const queries = createRpcQueries(api, { graph })
    const client = withoutRetries()
    const options = queries.tag.findMany.queryOptions()
    void client.fetchQuery(options).catch(() => undefined)
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await client.cancelQueries({ queryKey: options.queryKey })
    expect(seen[0]?.aborted).toBe(true)
  })

  it('throws for a graph of another schema or a missing queryClient', async () => {
    const api = createRpcClient<Api>({ url: 'http://localhost/api', fetch: () => Response.json({ data: {} }) })
    const other = createRpcQueries(api, { graph: {} as typeof graph })
    expect(() => other.post).toThrow('graph does not contain "post".')
    const { onMutate } = createRpcQueries(api, { graph }).tag.create.mutationOptions()
    await expect(onMutate({ data: { name: 'a' } }, undefined as never)).rejects.toThrow('Pass "queryClient"')
  })
})
