/**
 * The RPC operations of the benchmark as tRPC procedures, with zod and superjson. Not type-checked with the repository, because only the
 * benchmark installs its packages.
 */
import { initTRPC } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import superjson from 'superjson'
import * as z from 'zod'

import type { App, Orm } from '../contenders/contender.js'

const { router, procedure } = initTRPC.create({ transformer: superjson })

const status = z.enum(['DRAFT', 'PUBLISHED'])
const order = z.enum(['asc', 'desc'])
const id = z.int()
const newPost = z.strictObject({
  slug: z.string(),
  title: z.string(),
  body: z.string(),
  status: status.optional(),
  authorId: id,
})
const findManyArgs = z.strictObject({
  where: z.strictObject({ authorId: id.optional(), status: status.optional() }).optional(),
  include: z.strictObject({ author: z.boolean().optional(), comments: z.boolean().optional() }).optional(),
  orderBy: z.strictObject({ id: order.optional() }).optional(),
  take: z.int().min(1).max(1000).default(1000),
})

/** Creates the app, with the Prisma client of the other contenders. */
export function trpc(orm: Orm): App {
  const routes = router({
    findMany: procedure.input(findManyArgs).query(({ input }) => orm.post.findMany(input)),
    findUnique: procedure
      .input(z.strictObject({ where: z.strictObject({ id }) }))
      .query(({ input }) => orm.post.findUnique(input)),
    create: procedure.input(newPost).mutation(({ input }) => orm.post.create({ data: input })),
    createAll: procedure
      .input(z.array(newPost).max(100))
      .mutation(({ input }) => orm.$transaction(input.map((data) => orm.post.create({ data })))),
    summary: procedure
      .input(z.strictObject({ id }))
      .query(({ input }) => orm.post.findUniqueOrThrow({ where: input, select: { title: true, views: true } })),
  })
  return { fetch: (req) => fetchRequestHandler({ endpoint: '/trpc', req, router: routes }) }
}
