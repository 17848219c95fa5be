/** The least that can be started: Hono with one route. */
import { Hono } from 'hono'

import { answer } from './answer.js'

const app = new Hono()
app.get('/rest/post/1', (c) => c.json({ data: { type: 'post', id: '1', attributes: { title: 'Hello' } } }))
await answer(app, ['/rest/post/1'])
