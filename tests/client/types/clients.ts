import { createRpcClient } from '../../../client/index.js'
import type { Prisma, PrismaClient } from '../../../fixtures/blog/client/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'

/** A client of the blog's routes. Type tests: this code never runs. */
export const api = createRpcClient<Api, Prisma.Decimal>({ url: '/api', decimal: (text) => text as never })

/** A Prisma client that omits the blog's write-only field. */
export declare const prisma: PrismaClient<never, { user: { password: true } }>
