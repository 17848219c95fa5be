import { QueryClient } from '@tanstack/query-core'
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest'

import { createRestClient, createRpcClient, type Fetch } from '../../../client/index.js'
import { createRestQueries, createRpcQueries } from '../../../client/query/index.js'
import { Prisma } from '../../../fixtures/blog/client/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { ENDPOINT } from '../../rest/support/client.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { type Computed, exposeComputed, computing } from './computing.js'

const decimal = (text: string) => new Prisma.Decimal(text)

/** Computed fields of the first post that have the same value in both styles. */
const ONE = {
  excerpt: 'On',
  size: 3n,
  fee: decimal('1'),
  digest: new Uint8Array([79, 110, 101]),
  home: 'https://example.org/one',
}
const EXPECTED_DETAILS = { title: 'One', since: new Date('2024-02-01'), fees: [decimal('1')], pair: [10n, 'One'] }

/** Returns the classes of values, which `expect` does not always compare. */
const kinds = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Object.prototype.toString.call(value)]))

const KINDS = {
  excerpt: '[object String]',
  day: '[object Date]',
  size: '[object BigInt]',
  fee: '[object Decimal]',
  digest: '[object Uint8Array]',
  home: '[object String]',
  details: '[object Object]',
}

describeDatabases(
  'client: computed fields',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    /** Serves both styles from one client with computed fields. */
    function serve() {
      const orm = computing(db)
      const computed = exposeComputed(db)
      const app = db.hono.createHonoHandler({
        getOrm: () => orm,
        handler: db.routes.RPCApiHandler({ computed, transactions: true }),
        prefix: '/rpc',
      })
      const restApp = db.hono.createHonoHandler({
        getOrm: () => orm,
        handler: db.routes.RestApiHandler({ endpoint: ENDPOINT, computed, atomicOperations: true }),
        prefix: '/rest',
      })
      const to =
        (hono: typeof app): Fetch =>
        (request) =>
          hono.fetch(request)
      const rpc = createRpcClient<Api<Computed>, Prisma.Decimal>({ url: '/rpc', decimal, fetch: to(app) })
      const rest = createRestClient<Api<Computed>, Prisma.Decimal>({
        url: '/rest',
        decimal,
        graph,
        fetch: to(restApp),
      })
      return { rpc, rest }
    }

    describe('RPC', () => {
      it('returns typed values in whole rows by default', async () => {
        const { rpc } = serve()
        const post = await rpc.post.findFirstOrThrow({ where: { id: 1 }, include: { author: true } })
        const { subtitle, day, details, author, ...others } = post
        expect(others).toMatchObject(ONE)
        expect(kinds(post)).toMatchObject(KINDS)
        expect(day).toEqual(new Date(post.updatedAt.toISOString().slice(0, 10)))
        expect(subtitle).toBeUndefined()
        expect(details).toEqual({ ...EXPECTED_DETAILS, none: undefined })
        expect('describe' in details).toBe(false)
        expect(author?.loud).toBe('ANN')
        expect(post).not.toHaveProperty('quiet')
        expect(author).not.toHaveProperty('hint')
        const [fifth] = await rpc.post.findMany({ where: { slug: 'five' } })
        expect([fifth?.subtitle, fifth?.details.since]).toEqual(['Nobody', null])
      })

      it('selects and omits computed fields at any depth', async () => {
        const { rpc } = serve()
        const user = await rpc.user.findUniqueOrThrow({
          where: { id: 1 },
          select: {
            loud: true,
            posts: { select: { size: true, author: { select: { loud: true } } }, orderBy: { id: 'asc' }, take: 1 },
          },
        })
        expectTypeOf(user).toEqualTypeOf<{
          loud: string | null
          posts: { size: bigint; author: { loud: string | null } | null }[]
        }>()
        expect(user).toEqual({ loud: 'ANN', posts: [{ size: 3n, author: { loud: 'ANN' } }] })
        const comment = await rpc.comment.findFirstOrThrow({
          where: { seq: 1 },
          include: { author: { omit: { loud: true } }, post: { omit: { details: true, day: true } } },
        })
        expect(comment.author).not.toHaveProperty('loud')
        expect(Object.keys(comment.post)).toEqual(expect.arrayContaining(['excerpt', 'size']))
        expect(Object.keys(comment.post)).not.toEqual(expect.arrayContaining(['details']))
        expect(Object.keys(comment.post)).not.toEqual(expect.arrayContaining(['day']))
      })

      it('returns computed fields in transactions and TanStack queries', async () => {
        const { rpc } = serve()
        const [changed, found] = await rpc.$transaction([
          rpc.post.update.call({ where: { id: 1 }, data: { title: 'New' }, select: { excerpt: true, fee: true } }),
          rpc.user.findMany.call({ where: { id: 2 }, select: { loud: true } }),
        ])
        expect([changed, found]).toEqual([{ excerpt: 'Ne', fee: decimal('1') }, [{ loud: 'BEN' }]])
        const options = createRpcQueries(rpc, { graph }).post.findMany.queryOptions({
          where: { id: 2 },
          select: { excerpt: true },
        })
        const posts = await new QueryClient().fetchQuery(options)
        expectTypeOf(posts).toEqualTypeOf<{ excerpt: string }[]>()
        expect(posts).toEqual([{ excerpt: 'Tw' }])
      })
    })

    describe('REST', () => {
      it('returns typed values in primary, included and related resources', async () => {
        const { rest } = serve()
        const post = await rest.post.get(1, { include: ['author'] })
        const { subtitle, day, details, author } = post
        expect(post).toMatchObject(ONE)
        expect(kinds(post)).toMatchObject(KINDS)
        expect(day).toEqual(new Date(post.updatedAt.toISOString().slice(0, 10)))
        expect(subtitle).toBeNull()
        expect(details).toEqual(EXPECTED_DETAILS)
        expect('describe' in details).toBe(false)
        expect(author?.loud).toBe('ANN')
        expect(post).not.toHaveProperty('quiet')
        const [fourth] = await rest.user.related(2, 'posts')
        expect([fourth?.excerpt, fourth?.size]).toEqual(['Fo', 4n])
      })

      it('returns computed fields only if the fieldset names them', async () => {
        const { rest } = serve()
        const [post] = await rest.post.list({
          filter: { id: 1 },
          include: ['author'],
          fields: { post: ['size', 'author'], user: ['loud'] },
        })
        expect(post && kinds(post)).toEqual({
          id: '[object String]',
          size: '[object BigInt]',
          author: '[object Object]',
        })
        expect(post?.author && { ...post.author }).toEqual({ id: '1', loud: 'ANN' })
        expect(await rest.post.get(1, { fields: { post: ['title'] } })).not.toHaveProperty('size')
      })

      it('returns computed fields in write responses and TanStack queries', async () => {
        const { rest } = serve()
        const created = await rest.post.create({ slug: 'six', title: 'Six' }, { fields: { post: ['excerpt'] } })
        expect({ ...created }).toMatchObject({ excerpt: 'Si' })
        const [changed] = await rest.$operations([rest.user.update.call(1, { name: 'Al' })])
        expect(changed.loud).toBe('AL')
        const options = createRestQueries(rest, { graph }).post.get.queryOptions(2, { fields: { post: ['day'] } })
        const { day } = await new QueryClient().fetchQuery(options)
        expectTypeOf(day).toEqualTypeOf<Date>()
        expect(day).toBeInstanceOf(Date)
      })
    })
  },
  { only: ['sqlite'] },
)
