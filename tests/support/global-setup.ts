import { prepareFixtures } from '../../scripts/prepare-fixtures.js'
import { sweepMysql } from './engines/mysql.js'
import { sweepPostgresql } from './engines/postgresql.js'

/** Makes the clients, tables and routes that tests use, where they are not there yet. */
export default async function setup(): Promise<void> {
  const { TEST_POSTGRES_URL, TEST_MYSQL_URL } = process.env
  await Promise.all([
    prepareFixtures(),
    TEST_POSTGRES_URL ? sweepPostgresql(TEST_POSTGRES_URL) : undefined,
    TEST_MYSQL_URL ? sweepMysql(TEST_MYSQL_URL) : undefined,
  ])
}
