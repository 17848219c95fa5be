/** The minimal app: Hono with one route. */
import { Hono } from 'hono'

import { measureStart } from './first-responses.js'

const app = new Hono()
app.get('/rest/post/1', (c) => c.json({ data: { type: 'post', id: '1', attributes: { title: 'Hello' } } }))
await measureStart(app, ['/rest/post/1'])
