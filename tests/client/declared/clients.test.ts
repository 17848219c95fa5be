import { beforeEach, expect, expectTypeOf, it } from 'vitest'

import { type RestError, type RpcError, toFormErrors, withRestRoutes } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { blogClient } from '../rest/apis.js'
import { serveRoutes } from './serve.js'

describeDatabases(
  'clients of declared routes',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    it('REST: sends the id and the body and returns the resource with its includes', async () => {
      const { rest, sent } = serveRoutes(db)
      const post = await rest.post.publish('3', { note: 'hello' }, { include: ['author'], fields: { user: ['name'] } })
      expect(post).toMatchObject({ id: '3', $type: 'post', content: 'hello', author: { name: 'Ann' } })
      expectTypeOf(post?.author?.name).toEqualTypeOf<string | null | undefined>()
      expectTypeOf(post?.publishedAt).toEqualTypeOf<Date | null | undefined>()
      expect(sent.rest[0]?.method).toBe('POST')
      expect(decodeURIComponent(sent.rest[0]?.url ?? '')).toBe(
        'http://localhost/rest/post/3/publish?include=author&fields[user]=name',
      )
    })

    it('REST: accepts a resource as the id, and request options', async () => {
      const { rest, sent } = serveRoutes(db)
      const post = await rest.post.get(3)
      await rest.post.publish(post, { note: 'x' }, {}, { headers: { 'X-Trace': 'a' } })
      expect(sent.rest[1]?.headers.get('X-Trace')).toBe('a')
    })

    it('REST: sends the query of a GET route and returns a list', async () => {
      const { rest } = serveRoutes(db)
      const posts = await rest.post.popular({ views: 20, limit: 2 }, { include: ['author'] })
      expect(posts.map(({ id, author }) => [id, author?.id])).toEqual([
        ['2', '1'],
        ['3', '1'],
      ])
      expect(posts.links).toMatchObject({ self: expect.stringContaining('/post/popular?') as unknown })
      expect(await rest.post.popular({ views: 20 })).toHaveLength(3)
    })

    it('REST: restores the types of a value', async () => {
      const { rest } = serveRoutes(db)
      const stats = await rest.post.stats()
      expect(stats).toEqual({ count: 5, readers: 2n ** 60n, at: new Date(0) })
      expectTypeOf(stats).toEqualTypeOf<{ count: number; readers: bigint; at: Date }>()
    })

    it('REST: returns undefined if a route has no result', async () => {
      const { rest } = serveRoutes(db)
      expectTypeOf(await rest.post.touch(3)).toEqualTypeOf<void>()
      expect(await rest.post.archive(3)).toBeUndefined()
      expect(await rest.post.archive(3, { reason: 'old' }, { headers: {} })).toBeUndefined()
      expect(await rest.post.get(3)).toMatchObject({ viewCount: 99, status: 'ARCHIVED', content: 'old' })
    })

    it('REST: accepts compound ids', async () => {
      const { rest } = serveRoutes(db)
      expect(await rest.comment.shout('1_2', { mark: '!' })).toMatchObject({ body: 'Second.!' })
    })

    it('REST: rejects with the code of a declared error, and with the fields of an invalid body', async () => {
      const { rest } = serveRoutes(db)
      await expect(rest.post.publish(1, { note: 'x' })).rejects.toMatchObject({
        name: 'RestError',
        status: 409,
        code: 'already-published',
      })
      const error = await rest.post.publish(3, { note: 'too long' }).catch((error: RestError) => error)
      expect(error).toMatchObject({ status: 422, errors: [{ source: { pointer: '/note' } }] })
      expect(toFormErrors(error)).toMatchObject({ fields: [{ path: ['note'], name: 'note' }], form: [] })
    })

    it('REST: rejects values that a URL cannot contain', async () => {
      const { rest, sent } = serveRoutes(db)
      await expect(rest.post.popular({ views: [1] as never })).rejects.toThrow('views must be a single value')
      await expect(rest.post.touch('')).rejects.toThrow('"" is not an id.')
      expect(sent.rest).toEqual([])
    })

    it('REST: keeps the methods of the collections and of other models', async () => {
      const { rest } = serveRoutes(db)
      expect(await rest.post.get(1)).toMatchObject({ id: '1' })
      expect(await rest.user.get(1)).toMatchObject({ name: 'Ann' })
    })

    it('REST: rejects a route with the name of a method', () => {
      const route = { method: 'GET', path: '/get' }
      expect(() => withRestRoutes(blogClient(), { post: { get: route } }).post).toThrow(
        'post.get is a method of the REST client.',
      )
    })

    it('RPC: sends the id and the body as arguments and returns the row', async () => {
      const { rpc, sent } = serveRoutes(db)
      const post = await rpc.post.publish({ id: 3, note: 'hello' })
      expect(post).toMatchObject({ id: 3, content: 'hello' })
      expectTypeOf(post?.publishedAt).toEqualTypeOf<Date | null | undefined>()
      expect(sent.rpc[0]?.method).toBe('POST')
      expect(sent.rpc[0]?.url).toBe('http://localhost/rpc/post/publish')
    })

    it('RPC: sends the query of a GET route in the URL and returns rows', async () => {
      const { rpc, sent } = serveRoutes(db)
      const posts = await rpc.post.popular({ views: 20, limit: 2 })
      expect(posts.map(({ id }) => id)).toEqual([2, 3])
      expect(sent.rpc[0]?.method).toBe('GET')
    })

    it('RPC: restores the types of a value', async () => {
      const { rpc } = serveRoutes(db)
      const stats = await rpc.post.stats()
      expect(stats).toEqual({ count: 5, readers: 2n ** 60n, at: new Date(0) })
      expectTypeOf(stats).toEqualTypeOf<{ count: number; readers: bigint; at: Date }>()
    })

    it('RPC: sends the declared method', async () => {
      const { rpc, sent } = serveRoutes(db)
      expect(await rpc.post.touch({ id: 3 })).toBeNull()
      expect(await rpc.post.archive({ id: 3, reason: 'old' })).toBeNull()
      expect(await rpc.comment.shout({ postId_seq: { postId: 1, seq: 2 }, mark: '!' })).toMatchObject({
        body: 'Second.!',
      })
      expect(sent.rpc.map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'PATCH'])
      expect(await rpc.post.findUnique({ where: { id: 3 } })).toMatchObject({ viewCount: 99, content: 'old' })
    })

    it('RPC: rejects with the code of a declared error, and with the issues of an invalid body', async () => {
      const { rpc } = serveRoutes(db)
      await expect(rpc.post.publish({ id: 1, note: 'x' })).rejects.toMatchObject({
        name: 'RpcError',
        status: 409,
        code: 'already-published',
      })
      const error = await rpc.post.publish({ id: 3, note: 'too long' }).catch((error: RpcError) => error)
      expect(error).toMatchObject({ status: 400, issues: [{ path: ['note'] }], isCustomRoute: true })
      expect(toFormErrors(error)).toMatchObject({ fields: [{ path: ['note'], name: 'note' }], form: [] })
      // Only the data of other operations is a form.
      const generated = await rpc.post.findMany({ where: { views: 1 } as never }).catch((failure: RpcError) => failure)
      expect(generated).toMatchObject({ isCustomRoute: false })
      expect(toFormErrors(generated)).toMatchObject({ fields: [], form: [expect.stringContaining('views')] })
    })

    it.each(['rest', 'rpc'] as const)('%s: retries a write with the same key', async (style) => {
      const sent: Request[] = []
      const fetch = (request: Request): never => {
        sent.push(request)
        throw new TypeError('fetch failed')
      }
      const clients = serveRoutes(db, { idempotency: true, fetch })
      const call = style === 'rest' ? clients.rest.tag.add({ name: 'x' }) : clients.rpc.tag.add({ name: 'x' })
      await expect(call).rejects.toMatchObject({ code: 'network-error' })
      const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'))
      expect(keys).toEqual([expect.stringMatching(/^"[\w-]{36}"$/), keys[0], keys[0]])
    })

    /** Compile errors. Never called. */
    async function mistakes(): Promise<void> {
      const { rest, rpc } = serveRoutes(db)
      // @ts-expect-error The id is missing.
      await rest.post.touch()
      // @ts-expect-error The body is missing.
      await rest.post.publish(3)
      // @ts-expect-error The body has another type.
      await rest.post.publish(3, { note: 1 })
      // @ts-expect-error The body has another property.
      await rest.post.publish(3, { note: 'x', notes: 'x' })
      // @ts-expect-error A relation that does not exist.
      await rest.post.publish(3, { note: 'x' }, { include: ['writer'] })
      // @ts-expect-error The author is not included, so it has only an id.
      void (await rest.post.publish(3, { note: 'x' }))?.author?.name
      // @ts-expect-error A route that does not exist.
      await rest.post.publis(3)
      // @ts-expect-error The id is missing.
      await rpc.post.touch({})
      // @ts-expect-error The id has another type.
      await rpc.post.touch({ id: '3' })
      // @ts-expect-error The body has another property.
      await rpc.post.publish({ id: 3, note: 'x', notes: 'x' })
      // @ts-expect-error A hidden field.
      void (await rpc.tag.add({ name: 'x' }))?.secret
      // @ts-expect-error The declarations contain a model that does not exist.
      await withRestRoutes(blogClient(), { pots: { a: { method: 'GET', path: '/a', result: 'Post' } } }).pots.a(1)
    }
    void mistakes
  },
  { only: ['sqlite'] },
)
