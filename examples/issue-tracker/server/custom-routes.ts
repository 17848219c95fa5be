import { implementRoutes } from '#routes/custom-routes.js'
import type { Caller } from './caller.js'
import { declarations } from './declarations.js'

declare module '#routes/custom-routes.js' {
  interface AppTypes {
    context: Caller
  }
}

/** The implementations of the declared routes. They write with the caller's client, so permissions and hooks apply. */
export const routes = implementRoutes(declarations, {
  issue: {
    /** Closes an issue and adds the note as a comment, in one transaction. */
    close: ({ orm, context, where, body, fail }) =>
      orm.$transaction(async (tx) => {
        const { id, status } = await tx.issue.findUniqueOrThrow({ where })
        if (status === 'DONE') throw fail('closed', 'The issue is already closed.')
        await tx.comment.create({ data: { text: body.note, issueId: id, authorId: context.id } })
        return tx.issue.update({ where: { id, status }, data: { status: 'DONE' } })
      }),
  },
})
