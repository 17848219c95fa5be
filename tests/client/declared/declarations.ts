import * as z from 'zod'

import { declareRoutes } from '../../../fixtures/blog/expected/declare-routes.js'

/** Declared routes of each kind: with and without a model and an id, with each kind of input, with list parameters, and with each result. */
export const declarations = declareRoutes({
  post: {
    publish: {
      method: 'POST',
      path: '/:id/publish',
      body: z.object({ note: z.string().max(5), at: z.iso.datetime().optional() }),
      result: 'Post',
      errors: { 'already-published': 409, locked: 403 },
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
    recent: {
      method: 'GET',
      path: '/recent',
      list: true,
      query: z.object({ views: z.coerce.number<number>().int().optional() }),
      result: ['Post'],
    },
    tally: {
      method: 'POST',
      path: '/tally',
      body: z.object({ views: z.int().optional() }),
      result: z.object({ count: z.int(), at: z.date() }),
      transaction: true,
    },
    raise: { method: 'PATCH', path: '/raise', body: z.object({ by: z.int() }), result: ['Post'], transaction: true },
    latest: { method: 'GET', path: '/latest', query: z.object({ tag: z.string() }), result: 'Post', nullable: true },
    touch: { method: 'PUT', path: '/:id/touch', writes: ['Tag'], transaction: true },
    archive: {
      method: 'DELETE',
      path: '/:id/archive',
      query: z.object({ reason: z.string().optional() }),
      transaction: true,
    },
  },
  user: { articles: { method: 'GET', path: '/:id/articles', list: true, result: ['Post'] } },
  tag: {
    add: { method: 'POST', path: '/add', body: z.object({ name: z.string() }), result: 'Tag', transaction: true },
    countUses: { method: 'POST', path: '/count', result: z.int(), transaction: true },
  },
  reports: {
    monthly: {
      method: 'GET',
      path: '/monthly',
      query: z.object({ views: z.coerce.number<number>().int() }),
      result: z.object({ count: z.int(), at: z.date() }),
      errors: { 'no-posts': 404, 'too-early': 409 },
    },
    best: { method: 'GET', path: '/best', result: ['Post'] },
    // The names of members of documents and of arguments of operations.
    save: {
      method: 'POST',
      path: '/save',
      body: z.object({
        data: z.object({ attributes: z.object({ title: z.string().max(5) }) }).optional(),
        create: z.string().max(6).optional(),
        update: z.string().max(5).optional(),
        links: z.string().max(5).optional(),
      }),
      transaction: true,
    },
    // The name of a method of collections.
    list: { method: 'GET', path: '/list', result: z.array(z.string()) },
    reset: { method: 'POST', path: '/reset', body: z.object({ note: z.string().max(5) }), transaction: true },
    label: {
      method: 'POST',
      path: '/label',
      body: z.object({ name: z.string() }),
      result: 'Tag',
      writes: ['Tag'],
      transaction: true,
    },
  },
  // A route with the path of its group.
  orders: {
    submit: {
      method: 'POST',
      path: '/',
      body: z.object({ count: z.int() }),
      result: z.object({ price: z.int() }),
      transaction: true,
    },
  },
  comment: {
    shout: {
      method: 'PATCH',
      path: '/:id/shout',
      body: z.object({ mark: z.string() }),
      result: 'Comment',
      transaction: true,
    },
  },
})
