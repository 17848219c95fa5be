/** The blog with both styles. Its client is a stub that responds immediately, because Prisma takes the same time in every app. */
import { Hono } from 'hono'

import { createHonoHandler } from '../../fixtures/blog/expected/hono.js'
import { RestApiHandler, RPCApiHandler, type Orm } from '../../fixtures/blog/expected/index.js'
import { measureStart } from './first-responses.js'

const row = { id: 1, slug: 'hello', title: 'Hello', content: null, authorId: null, categoryId: null }
const orm = { post: { findUnique: () => Promise.resolve(row) } } as unknown as Orm
const app = new Hono()
const rest = RestApiHandler({ endpoint: 'http://localhost/rest' })
app.route('/rest', createHonoHandler({ getOrm: () => orm, handler: rest }))
app.route('/rpc', createHonoHandler({ getOrm: () => orm, handler: RPCApiHandler() }))
const q = encodeURIComponent(JSON.stringify({ where: { id: 1 } }))
await measureStart(app, ['/rest/post/1', `/rpc/post/findUnique?q=${q}`])
