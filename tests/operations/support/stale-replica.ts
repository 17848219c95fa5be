import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { readReplicas } from '@prisma/extension-read-replicas'

import { preparedFixture } from '../../../scripts/prepare-fixtures.js'
import type { Database } from '../../support/databases.js'
import type { FixtureName, Fixtures } from '../../support/fixtures.js'
import { createDatabaseFolder } from '../../support/database-folder.js'

/** A replica that never catches up: a separate database with fixed rows. */
export interface StaleReplica<O> {
  /** The replica's own client. */
  readonly orm: O
  /**
   * Adds the replica to a client.
   * @param extend extends the replica's own client
   */
  replicated(client: O, extend?: (replica: O) => O): O
  /** Returns and clears the operations that the replica received, for example `Post.findMany`. */
  takeCalls(): string[]
  close(): Promise<void>
}

/**
 * Creates a replica of a SQLite database.
 * @param fill creates its rows
 */
export async function staleReplica<F extends FixtureName>(
  db: Database<F>,
  fixture: F,
  fill: (db: Pick<Database<F>, 'orm'>) => Promise<void>,
): Promise<StaleReplica<Database<F>['orm']>> {
  type Orm = Database<F>['orm']
  // Every client has the same shape as the blog's, with other models.
  const { PrismaClient } = db.client as Fixtures['blog']['client']
  const folder = await createDatabaseFolder()
  const adapter = new PrismaLibSql({ url: `file:${join(folder, 'replica.db')}`, intMode: 'bigint' })
  const connection = await adapter.connect()
  await connection.executeScript(await readFile(preparedFixture(fixture, 'sqlite').tables, 'utf8'))
  await connection.dispose()
  const bare = new PrismaClient({ adapter })
  const orm = bare as unknown as Orm
  await fill({ orm })
  const calls: string[] = []
  const noted = bare.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }: Call) {
          calls.push(`${model}.${operation}`)
          return query(args)
        },
      },
    },
  })
  return {
    orm,
    replicated(client, extend = (same) => same) {
      const extendable = client as { $extends(extension: object): unknown }
      return extendable.$extends(readReplicas({ replicas: [extend(noted as unknown as Orm) as never] })) as Orm
    },
    takeCalls: () => calls.splice(0),
    async close() {
      await bare.$disconnect()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Call {
  readonly model: string
  readonly operation: string
  readonly args: object
  query(args: object): Promise<unknown>
}
