import { implementRoutes } from '../../../fixtures/blog/expected/custom-routes.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
import { createRestClient, createRpcClient, type Fetch, withRestRoutes, withRpcRoutes } from '../../../client/index.js'
import { httpError } from '../../../runtime/index.js'
import { ENDPOINT } from '../../rest/support/client.js'
import type { Database } from '../../support/databases.js'
import { recorded } from '../rest/serve.js'
import { declarations } from './declarations.js'

/** The implementations of the declared routes. */
export const routes = implementRoutes(declarations, {
  post: {
    async publish({ orm, where, body, fail }) {
      const { status } = await orm.post.findUniqueOrThrow({ where })
      if (body.note === 'lock') throw fail('locked', 'The post is locked.')
      if (status === 'PUBLISHED') throw fail('already-published', 'The post is already published.')
      return orm.post.update({ where, data: { status: 'PUBLISHED', content: body.note } })
    },
    popular: ({ orm, query: { views, limit = 100 } }) =>
      orm.post.findMany({ where: { viewCount: { gte: views } }, take: limit, orderBy: { id: 'asc' } }),
    stats: async ({ orm }) => ({ count: await orm.post.count(), readers: 2n ** 60n, at: new Date(0) }),
    async recent({ orm, args, query: { views = 0 } }) {
      const where = { AND: [args.where, { viewCount: { gte: views } }] }
      return { rows: await orm.post.findMany({ ...args, where }), total: await orm.post.count({ where }) }
    },
    tally: async ({ orm, body: { views = 0 } }) => ({
      count: await orm.post.count({ where: { viewCount: { gte: views } } }),
      at: new Date(0),
    }),
    async raise({ orm, body }) {
      await orm.post.updateMany({ data: { viewCount: { increment: body.by } } })
      return orm.post.findMany({ orderBy: { id: 'asc' } })
    },
    latest: ({ orm, query: { tag } }) =>
      orm.post.findFirst({ where: { tags: { some: { name: tag } } }, orderBy: { id: 'desc' } }),
    async touch({ orm, where }) {
      await orm.post.update({ where, data: { viewCount: 99 } })
    },
    async archive({ orm, where, query }) {
      await orm.post.update({ where, data: { status: 'ARCHIVED', content: query.reason ?? 'none' } })
    },
  },
  reports: {
    async monthly({ orm, query: { views }, fail }) {
      if (views < 0) throw fail('too-early', 'There are no reports yet.')
      const count = await orm.post.count({ where: { viewCount: { gte: views } } })
      if (count === 0) throw fail('no-posts', 'No posts have so many views.')
      return { count, at: new Date(0) }
    },
    best: ({ orm }) => orm.post.findMany({ where: { viewCount: { gte: 20 } }, orderBy: { id: 'asc' } }),
    list: () => ['monthly'],
    save({ body }) {
      if (body.create !== undefined) throw httpError(409, 'It exists.', { field: body.create })
    },
    async reset({ orm, body: { note } }) {
      await orm.post.updateMany({ data: { content: note } })
    },
    label: ({ orm, body }) => orm.tag.create({ data: body }),
  },
  orders: { submit: ({ body }) => ({ price: body.count * 3 }) },
  user: {
    async articles({ orm, where, args }) {
      const { id } = await orm.user.findUniqueOrThrow({ where })
      return orm.post.findMany({ ...args, where: { AND: [args.where, { authorId: id }] } })
    },
  },
  tag: { add: ({ orm, body }) => orm.tag.create({ data: body }), countUses: ({ orm }) => orm.post.count() },
  comment: {
    async shout({ orm, where, body }) {
      const comment = await orm.comment.findUniqueOrThrow({ where })
      return orm.comment.update({ where, data: { body: comment.body + body.mark } })
    },
  },
})

/** Serves the declared routes of the blog in both styles. Returns the clients and the requests that they send. */
export function serveRoutes(db: Database, options: { readonly idempotency?: boolean; readonly fetch?: Fetch } = {}) {
  const getOrm = () => db.orm
  const handlers = {
    rest: db.routes.RestApiHandler({ endpoint: ENDPOINT, routes }),
    rpc: db.routes.RPCApiHandler({ routes }),
  }
  const fetchRest = recorded((request) => handlers.rest.fetch(request, { getOrm, prefix: '/rest' }))
  const fetchRpc = recorded((request) => handlers.rpc.fetch(request, { getOrm, prefix: '/rpc' }))
  return {
    rest: withRestRoutes(
      createRestClient<Api>({ url: 'http://localhost/rest', graph, fetch: fetchRest, ...options }),
      declarations,
    ),
    rpc: withRpcRoutes(
      createRpcClient<Api>({ url: 'http://localhost/rpc', fetch: fetchRpc, ...options }),
      declarations,
    ),
    sent: { rest: fetchRest.requests, rpc: fetchRpc.requests },
  }
}
