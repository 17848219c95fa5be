import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { categoryResource } from '../../fixtures/blog/expected/category/resource.js'
import { commentResource } from '../../fixtures/blog/expected/comment/resource.js'
import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { profileResource } from '../../fixtures/blog/expected/profile/resource.js'
import { tagResource } from '../../fixtures/blog/expected/tag/resource.js'
import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { blogApp } from './support.js'
import { hasHooks, type Hooks, loadHooks } from './zenstack/hooks.js'
import { schemaOf } from './zenstack/schema.js'

const SCHEMA = schemaOf([categoryResource, commentResource, postResource, profileResource, tagResource, userResource])

describe.runIf(hasHooks)('ZenStack React hooks on RPC routes', () => {
  let hooks: Hooks
  let createRoot: (element: Element) => Root
  const mounted: Root[] = []

  beforeAll(async () => {
    hooks = await loadHooks()
    ;({ createRoot } = await import('react-dom/client'))
  })

  afterEach(() => {
    for (const root of mounted.splice(0)) root.unmount()
  })

  describeDatabases('hooks', (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

    /** Mounts a component that calls hooks. Returns the results of its last render and the recorded requests. */
    function mount<T>(use: (client: ReturnType<Hooks['useClientQueries']>) => T) {
      const app = blogApp(db)
      const requests: string[] = []
      const send: typeof fetch = async (input, init) => {
        const request = new Request(new URL(String(input), 'https://example.com'), init)
        requests.push(`${request.method} ${new URL(request.url).pathname}`)
        return app.fetch(request)
      }
      const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
      const seen: { now: T | undefined } = { now: undefined }
      const Page = () => {
        seen.now = use(hooks.useClientQueries(SCHEMA))
        return null
      }
      const page = createElement(
        hooks.QuerySettingsContext.Provider,
        { value: { endpoint: '/api', fetch: send } },
        createElement(Page),
      )
      const root = createRoot(document.createElement('div'))
      mounted.push(root)
      root.render(createElement(QueryClientProvider, { client: queryClient }, page))
      return {
        requests,
        queryClient,
        /** Waits until the results of the hooks meet an expectation. */
        async until(expectation: (value: T) => void): Promise<T> {
          return vi.waitFor(
            () => {
              if (seen.now === undefined) throw new Error('Nothing was rendered yet.')
              expectation(seen.now)
              return seen.now
            },
            { timeout: 10_000 },
          )
        },
      }
    }

    it('decodes Date, BigInt, Decimal and Bytes values of rows', async () => {
      const { until } = mount((client) => ({
        posts: client['post']?.useFindMany({
          where: { publishedAt: { gte: new Date('2024-02-01') } },
          orderBy: { id: 'asc' },
          select: { title: true, publishedAt: true, author: { select: { name: true } } },
        }),
        category: client['category']?.useFindUnique({ where: { id: 1 } }),
        avatar: client['profile']?.useFindUnique({ where: { id: 1 }, select: { avatar: true } }),
        count: client['comment']?.useCount(),
        groups: client['post']?.useGroupBy({ by: ['status'], orderBy: { status: 'asc' }, _count: true }),
        exists: client['tag']?.useExists({ where: { name: 'news' } }),
        none: client['user']?.useFindUnique({ where: { id: 99 } }),
      }))
      const { posts, category, avatar, count, groups, exists, none } = await until((all) => {
        for (const query of Object.values(all)) expect(query).toMatchObject({ isFetched: true, error: null })
      })
      expect(posts?.data).toEqual([
        { title: 'One', publishedAt: new Date(Date.UTC(2024, 1, 1)), author: { name: 'Ann' } },
        { title: 'Four', publishedAt: new Date(Date.UTC(2024, 1, 4)), author: { name: 'Ben' } },
      ])
      expect(category?.data).toMatchObject({ name: 'Science', readers: 9007199254740993n })
      expect(String(Reflect.get(Object(category?.data), 'adPrice'))).toBe('12.5')
      expect(avatar?.data).toEqual({ avatar: new Uint8Array([0, 255, 7]) })
      expect(count?.data).toBe(4)
      // SQLite orders an enum by its names, the servers by the order of its values in the schema.
      expect(groups?.data).toHaveLength(3)
      expect(groups?.data).toEqual(
        expect.arrayContaining([
          { status: 'ARCHIVED', _count: 1 },
          { status: 'DRAFT', _count: 2 },
          { status: 'PUBLISHED', _count: 2 },
        ]),
      )
      expect(exists?.data).toBe(true)
      expect(none?.data).toBeNull()
    })

    it('fetches pages with useInfiniteFindMany', async () => {
      const { until } = mount((client) =>
        client['post']?.useInfiniteFindMany(
          { orderBy: { id: 'asc' }, select: { id: true }, take: 2 },
          {
            getNextPageParam: (page: readonly { id: number }[]) =>
              page.length < 2
                ? undefined
                : { orderBy: { id: 'asc' }, select: { id: true }, take: 2, skip: 1, cursor: { id: page.at(-1)?.id } },
          },
        ),
      )
      const first = await until((query) => expect(query?.data).toMatchObject({ pages: [[{ id: 1 }, { id: 2 }]] }))
      await first?.fetchNextPage()
      await until((query) =>
        expect(query?.data).toMatchObject({
          pages: [
            [{ id: 1 }, { id: 2 }],
            [{ id: 3 }, { id: 4 }],
          ],
        }),
      )
    })

    it('refetches affected queries after mutations', async () => {
      const { until, requests } = mount((client) => ({
        posts: client['post']?.useFindMany({ where: { tags: { some: { name: 'tips' } } }, select: { title: true } }),
        users: client['user']?.useCount(),
        create: client['post']?.useCreate(),
        update: client['post']?.useUpdate(),
        upsert: client['tag']?.useUpsert(),
        remove: client['post']?.useDelete(),
        removeMany: client['comment']?.useDeleteMany(),
      }))
      const { create, update, upsert, remove, removeMany } = await until(({ posts, users }) => {
        expect(posts?.data).toEqual([])
        expect(users?.data).toBe(3)
      })
      const publishedAt = new Date('2024-05-05')
      const post = await create?.mutateAsync({
        data: { slug: 'new', title: 'New', publishedAt, tags: { connect: { name: 'tips' } } },
      })
      expect(post).toMatchObject({ slug: 'new', publishedAt })
      await until(({ posts }) => expect(posts?.data).toEqual([{ title: 'New' }]))
      await update?.mutateAsync({ where: { slug: 'new' }, data: { title: 'Newer' } })
      await until(({ posts }) => expect(posts?.data).toEqual([{ title: 'Newer' }]))
      const tag = { name: 'fresh', posts: { connect: { id: 1 } } }
      expect(await upsert?.mutateAsync({ where: { name: 'fresh' }, create: tag, update: tag })).toEqual({
        name: 'fresh',
      })
      expect(await removeMany?.mutateAsync({ where: { postId: 1, seq: { in: [1, 2] } } })).toEqual({ count: 2 })
      expect(await remove?.mutateAsync({ where: { slug: 'new' } })).toMatchObject({ title: 'Newer' })
      await until(({ posts }) => expect(posts?.data).toEqual([]))
      expect(requests.filter((request) => request === 'GET /api/user/count')).toHaveLength(1)
    })

    it('shows an optimistic update before the response arrives', async () => {
      const { until, requests } = mount((client) => ({
        posts: client['post']?.useFindMany({ where: { id: { lte: 2 } }, select: { id: true, title: true } }),
        update: client['post']?.useUpdate({ optimisticUpdate: true }),
      }))
      const { update } = await until(({ posts }) => expect(posts?.data).toHaveLength(2))
      const done = update?.mutateAsync({ where: { id: 2 }, data: { title: 'Changed' } })
      await until(({ posts }) => expect(posts?.data).toContainEqual(expect.objectContaining({ title: 'Changed' })))
      expect(await done).toMatchObject({ id: 2, title: 'Changed' })
      await until(() => expect(requests.filter((request) => request === 'GET /api/post/findMany')).toHaveLength(2))
    })

    it('reports error details in `error.info`', async () => {
      const { until } = mount((client) => ({
        wrong: client['post']?.useFindMany({ where: { titel: 'x' } }),
        create: client['tag']?.useCreate(),
      }))
      const { wrong, create } = await until(({ wrong }) => expect(wrong?.error).toBeInstanceOf(Error))
      expect(wrong?.error).toMatchObject({
        status: 400,
        info: { status: 400, message: expect.stringContaining('titel'), issues: [{ path: ['where', 'titel'] }] },
      })
      await expect(create?.mutateAsync({ data: { name: 'news' } })).rejects.toMatchObject({
        status: 409,
        info: { status: 409, orm: true, code: 'P2002', issues: [{ path: ['data', 'name'] }] },
      })
    })

    it('runs several writes in one transaction and rolls back on a 409', async () => {
      const { until, requests } = mount((client) => ({
        tags: client['tag']?.useFindMany({ orderBy: { name: 'asc' } }),
        transaction: client.$transaction.useSequential(),
      }))
      const { transaction } = await until(({ tags }) => expect(tags?.data).toHaveLength(3))
      const results = await transaction.mutateAsync([
        { model: 'Tag', op: 'create', args: { data: { name: 'zoo' } } },
        { model: 'Post', op: 'update', args: { where: { id: 1 }, data: { tags: { connect: { name: 'zoo' } } } } },
        { model: 'Tag', op: 'count' },
      ])
      expect(results).toMatchObject([{ name: 'zoo' }, { id: 1, publishedAt: new Date(Date.UTC(2024, 1, 1)) }, 4])
      await until(({ tags }) => expect(tags?.data).toHaveLength(4))
      const failing = transaction.mutateAsync([
        { model: 'Tag', op: 'create', args: { data: { name: 'lost' } } },
        { model: 'Tag', op: 'create', args: { data: { name: 'news' } } },
      ])
      await expect(failing).rejects.toMatchObject({ status: 409, info: { code: 'P2002' } })
      expect(await db.orm.tag.count({ where: { name: 'lost' } })).toBe(0)
      // The hooks send an object instead of a list if superjson adds metadata.
      const dated = transaction.mutateAsync([
        { model: 'Post', op: 'update', args: { where: { id: 1 }, data: { publishedAt: new Date() } } },
      ])
      await expect(dated).rejects.toMatchObject({ status: 400, info: { message: expect.stringContaining('list') } })
      expect(requests).toContain('POST /api/$transaction/sequential')
    })
  })
})
