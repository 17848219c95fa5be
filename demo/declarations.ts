import { declareRoutes } from '../fixtures/blog/expected/declare-routes.js'

/** The declared routes of the demo. This file contains no server code, so browsers can import it. */
export const declarations = declareRoutes({
  post: {
    publish: { method: 'POST', path: '/:id/publish', result: 'Post', errors: { 'already-published': 409 } },
  },
})
