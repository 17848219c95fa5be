import { createRpcClient } from '../../../client/index.js'
import type { Prisma, PrismaClient } from '../../../fixtures/blog/client/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'

/** A client of the blog's routes. Nothing here is run: the compiler tests. */
export const api = createRpcClient<Api, Prisma.Decimal>({ url: '/api', decimal: (text) => text as never })

/** A Prisma client on which the blog's write-only field is not read. */
export declare const prisma: PrismaClient<never, { user: { password: true } }>
