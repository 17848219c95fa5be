import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'

import type { OpenDatabase } from './engine.js'
import { watchWrites } from './watch-writes.js'

/** The members of a Prisma client that are needed in addition to its models. */
interface PrismaLike {
  $on(event: 'query', note: (event: { readonly query: string }) => void): unknown
  $disconnect(): Promise<void>
}

/** The clients of one database. */
export interface Clients extends Pick<OpenDatabase, 'client' | 'record'> {
  disconnect(): Promise<void>
}

/**
 * Creates the Prisma clients of a database.
 * @param factory creates the connections
 * @param repeat runs statements that a client sent before, in order, outside Prisma
 */
export function prismaClients(
  factory: SqlDriverAdapterFactory,
  repeat: (statements: readonly SqlQuery[]) => Promise<void>,
): Clients {
  const created: PrismaLike[] = []
  let recording: SqlQuery[] | undefined
  return {
    client(Client, options = {}, watch) {
      const adapter = watchWrites(factory, (statement) => {
        watch?.write()
        if (statement) recording?.push(statement)
      })
      const log = [{ emit: 'event', level: 'query' }]
      const client = new Client({ ...options, adapter, log } as never)
      const prisma = client as unknown as PrismaLike
      prisma.$on('query', ({ query }) => watch?.query(query))
      created.push(prisma)
      return client
    },
    async record(work) {
      const statements: SqlQuery[] = (recording = [])
      try {
        await work()
      } finally {
        recording = undefined
      }
      return () => repeat(statements)
    },
    async disconnect() {
      await Promise.all(created.map((client) => client.$disconnect()))
    },
  }
}
