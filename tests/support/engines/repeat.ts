import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils'

/** Runs statements in one transaction, like Prisma. A server then flushes its log to disk only once. */
export async function repeatInTransaction(
  connection: SqlDriverAdapter,
  statements: readonly SqlQuery[],
): Promise<void> {
  const transaction = await connection.startTransaction()
  const end = async (how: 'commit' | 'rollback') => {
    // Some drivers send the statement themselves, others leave that to Prisma.
    if (!transaction.options.usePhantomQuery) await transaction.executeRaw({ sql: how, args: [], argTypes: [] })
    await transaction[how]()
  }
  try {
    for (const statement of statements) await transaction.executeRaw(statement)
  } catch (error) {
    await end('rollback')
    throw error
  }
  await end('commit')
}
