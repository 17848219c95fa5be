import { type ApiEnv, httpError } from '@routewright/runtime'
import type { Hono } from 'hono'

import type { RestApi, RpcApi } from '../fixtures/blog/expected/custom-routes.js'

/** `POST /post/:id/publish`, with a JSON:API response. */
export function restRoutes(app: Hono<ApiEnv>, api: RestApi): void {
  app.post('/post/:id/publish', async (c) => {
    const orm = await api.orm(c)
    const where = api.id(c, 'Post')
    const { status } = await orm.post.findUniqueOrThrow({ where })
    if (status === 'PUBLISHED') throw httpError(409, 'The post is already published.', { code: 'already-published' })
    const data = { status: 'PUBLISHED', publishedAt: new Date() } as const
    const post = await orm.post.update({ where, data, ...api.select(c, 'Post') })
    return api.reply(c, 'Post', post)
  })
}

/** The same for RPC: `POST /post/publish`, with arguments. */
export function rpcRoutes(app: Hono<ApiEnv>, api: RpcApi): void {
  app.post('/post/publish', async (c) => {
    const { slug } = await api.args(c)
    if (typeof slug !== 'string') throw httpError(400, 'The "slug" of the post is required.')
    const orm = await api.orm(c)
    const data = { status: 'PUBLISHED', publishedAt: new Date() } as const
    return api.reply(c, 'Post', await orm.post.update({ where: { slug }, data }))
  })
}
