import * as z from 'zod/mini'

import { rules } from '#routes/comment/input.js'
import { declareRoutes } from '#routes/declare-routes.js'

/** The routes of the app in addition to the generated ones. The pages import this file, which contains no server code. */
export const declarations = declareRoutes({
  issue: {
    close: {
      method: 'POST',
      path: '/:id/close',
      body: z.object({ note: rules.text }),
      result: 'Issue',
      writes: ['Issue', 'Comment'],
      errors: { closed: 409 },
      summary: 'Close an issue',
      description: 'Closes the issue and adds a comment with the note.',
    },
  },
})
