import { QueryClient } from '@tanstack/query-core'
import { beforeEach, expect, expectTypeOf, it } from 'vitest'

import { createRpcQueries } from '../../client/query/index.js'
import { graph } from '../../fixtures/blog/expected/graph.js'
import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { blogClient } from './support.js'

describeDatabases('RPC client: $transaction', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })

  it('runs operations in order and returns typed results', async () => {
    const { api, sent } = blogClient(db)
    const publishedAt = new Date('2024-05-05')
    const [post, titles, count, hasTag, deleted] = await api.$transaction([
      api.post.update.call({ where: { id: 1 }, data: { title: 'Changed', publishedAt } }),
      api.post.findMany.call({ where: { publishedAt }, select: { title: true } }),
      api.comment.count.call(),
      api.tag.exists.call({ where: { name: 'none' } }),
      api.comment.deleteMany.call({ where: { postId: 1 } }),
    ])
    expectTypeOf(post.publishedAt).toEqualTypeOf<Date | null>()
    expectTypeOf(titles).toEqualTypeOf<{ title: string }[]>()
    expectTypeOf(count).toEqualTypeOf<number>()
    expectTypeOf(hasTag).toEqualTypeOf<boolean>()
    expectTypeOf(deleted).toEqualTypeOf<{ count: number }>()
    expect(post.publishedAt).toEqual(publishedAt)
    expect([titles, count, hasTag, deleted]).toEqual([[{ title: 'Changed' }], 4, false, { count: 3 }])
    expect(sent.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ['POST', '/api/$transaction/sequential'],
    ])
  })

  it('rolls back and rejects with 409 and the index of the failed operation', async () => {
    const { api } = blogClient(db)
    const failing = api.$transaction([
      api.tag.create.call({ data: { name: 'fresh' } }),
      api.user.create.call({ data: { email: 'ann@example.org', password: 'long enough' } }),
    ])
    await expect(failing).rejects.toMatchObject({
      status: 409,
      code: 'P2002',
      issues: [{ path: [1, 'args', 'data', 'email'] }],
    })
    expect(await api.tag.count({ where: { name: 'fresh' } })).toBe(0)
  })

  it('accepts only valid operation arguments at compile time', () => {
    const { api } = blogClient(db)
    // @ts-expect-error Unknown field.
    void api.post.findMany.call({ where: { titel: 'x' } })
    // @ts-expect-error `where` is required.
    void api.post.update.call({ data: { title: 'x' } })
    // @ts-expect-error A promise instead of a `.call`.
    void (() => api.$transaction([api.tag.count()]))
    // @ts-expect-error Not created by a method of the client.
    void (() => api.$transaction([{ model: 'tag', op: 'create', args: { data: { name: 1 } } }]))
  })

  it('invalidates only the queries of written models', async () => {
    const { api, sent } = blogClient(db)
    const queryClient = new QueryClient()
    const queries = createRpcQueries(api, { graph, queryClient })
    const tags = queries.tag.findMany.queryOptions({ select: { name: true } })
    const users = queries.user.count.queryOptions()
    await Promise.all([queryClient.fetchQuery(tags), queryClient.fetchQuery(users)])
    const { mutationFn, onMutate, onSettled } = queries.$transaction.mutationOptions()
    const calls = [
      api.tag.create.call({ data: { name: 'fresh' } }),
      api.user.count.call(),
      api.tag.create.call({ data: { name: 'fresher' } }),
    ]
    const context = { client: queryClient, meta: undefined }
    const onMutateResult = await onMutate(calls, context)
    const results = await mutationFn(calls)
    await onSettled?.(results, null, calls, onMutateResult, context)
    expect(queryClient.getQueryState(tags.queryKey)?.isInvalidated).toBe(true)
    expect(queryClient.getQueryState(users.queryKey)?.isInvalidated).toBe(false)
    expect(sent).toHaveLength(3)
  })
})
