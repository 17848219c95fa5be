import * as z from 'zod'

import { declareRoutes } from '../../../fixtures/blog/expected/declare-routes.js'

/** Declared routes of each kind: with and without an id, with a body, a query or neither, and with each kind of result. */
export const declarations = declareRoutes({
  post: {
    publish: {
      method: 'POST',
      path: '/:id/publish',
      body: z.object({ note: z.string().max(5), at: z.iso.datetime().optional() }),
      result: 'Post',
      errors: { 'already-published': 409 },
    },
    popular: {
      method: 'GET',
      path: '/popular',
      query: z.object({ views: z.coerce.number<number>().int(), limit: z.coerce.number<number>().optional() }),
      result: ['Post'],
    },
    stats: {
      method: 'GET',
      path: '/stats',
      result: z.object({ count: z.int(), readers: z.bigint(), at: z.date() }),
    },
    touch: { method: 'PUT', path: '/:id/touch', writes: ['Tag'] },
    archive: { method: 'DELETE', path: '/:id/archive', query: z.object({ reason: z.string().optional() }) },
  },
  tag: { add: { method: 'POST', path: '/add', body: z.object({ name: z.string() }), result: 'Tag' } },
  comment: {
    shout: { method: 'PATCH', path: '/:id/shout', body: z.object({ mark: z.string() }), result: 'Comment' },
  },
})
