import { createServer } from 'node:http'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'

import { defineHooks } from '../../../fixtures/payments/expected/hooks.js'
import { nodeHandler } from '../../../runtime/adapters/node.js'
import { idempotency } from '../../../runtime/idempotency/index.js'
import type { Provider } from '../../../scripts/prepare-fixtures.js'
import type { Fixtures } from '../../support/fixtures.js'

/** The client and the routes of payments for one database. */
interface PaymentsApp {
  readonly client: Fixtures['payments']['client']
  readonly routes: Fixtures['payments']['routes']
}

/** How long the process pauses after each line, so that the test can kill it then. In milliseconds. */
const MOMENT = 200

/** Serves payments in a child process. Prints its port, and a line after each write and after each commit of a payment. */
export async function servePayments(
  { client: { PrismaClient }, routes: { RestApiHandler } }: PaymentsApp,
  provider: Provider,
  url: string,
): Promise<void> {
  const prisma = new PrismaClient({ adapter: createAdapter(provider, url) })
  const handler = RestApiHandler({
    endpoint: 'http://localhost/rest',
    idempotency: idempotency({ model: 'idempotencyKey', scope: () => 'everybody' }),
    hooks: defineHooks({
      Payment: {
        create: {
          after: ({ row }) => say(`written ${row.reference}`),
          afterCommit: ({ row }) => say(`committed ${row.reference}`),
        },
      },
    }),
  })
  await prisma.account.count()
  const server = createServer(nodeHandler({ getOrm: () => prisma, handler, prefix: '/rest' }))
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
  })
}

function createAdapter(provider: Provider, url: string) {
  if (provider === 'postgresql') return new PrismaPg(url)
  if (provider === 'mysql') return new PrismaMariaDb(url)
  return new PrismaLibSql({ url, intMode: 'bigint' })
}

async function say(line: string): Promise<void> {
  process.stdout.write(`${line}\n`)
  await new Promise((resolve) => setTimeout(resolve, MOMENT))
}
