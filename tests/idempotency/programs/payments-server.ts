import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'

import { defineHooks } from '../../../fixtures/payments/expected/hooks.js'
import { nodeHandler } from '../../../runtime/adapters/node.js'
import { idempotency } from '../../../runtime/idempotency/index.js'
import type { Fixtures } from '../../support/fixtures.js'

/**
 * Serves payments in a child process: `payments-server.ts <folder of the fixture> <provider> <url>`. Prints its port, and a
 * line after each write and after each commit of a payment. Pauses after each line, so that the test can kill it then.
 */
const [, , folder = '', provider = '', url = ''] = process.argv
const MOMENT = 200

const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href)
const { PrismaClient } = (await load('client/client.ts')) as Fixtures['payments']['client']
const { RestApiHandler } = (await load('expected/index.ts')) as Fixtures['payments']['routes']

const adapter =
  provider === 'postgresql'
    ? new PrismaPg(url)
    : provider === 'mysql'
      ? new PrismaMariaDb(url)
      : new PrismaLibSql({ url, intMode: 'bigint' })
const prisma = new PrismaClient({ adapter })

const say = async (line: string) => {
  process.stdout.write(`${line}\n`)
  await new Promise((resolve) => setTimeout(resolve, MOMENT))
}
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
