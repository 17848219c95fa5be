import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'

import type { Database } from '../../support/databases.js'
import { SCHEMA } from './database-errors.js'

/**
 * The connection of a request's client: as a user without some or all privileges, while another transaction has locked the
 * row, with a short statement timeout, or in a read-only transaction.
 */
export type Session = 'restricted' | 'stranger' | 'locked' | 'hurried' | 'read-only'

type Orm = Database['orm']

/** The clients of a database with the objects of {@link SCHEMA}. */
export interface Sessions {
  client(session: Session | undefined): Orm
  /** Locks the rows that a session waits for. Returns a function that releases them. */
  lockRows(session: Session | undefined): Promise<() => Promise<void>>
  /** Closes the clients, and drops the users. */
  close(): Promise<void>
}

/** Creates the objects, the users and the clients. */
export async function openSessions(db: Database): Promise<Sessions> {
  await db.execute(SCHEMA[db.provider])
  const user = `routewright_${crypto.randomUUID().slice(0, 8)}`
  const { clients, drop } = await OPEN[db.provider](db, user)
  return {
    client: (session) => (session && clients[session]) ?? db.orm,
    async lockRows(session) {
      if (session !== 'locked') return async () => undefined
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const holder = await new Promise<{ readonly done: Promise<unknown> }>((resolve, reject) => {
        const done = db.orm.$transaction(async (tx) => {
          await tx.category.create({ data: { name: 'held' } })
          resolve({ done })
          await released
          await tx.category.delete({ where: { name: 'held' } })
        })
        done.catch(reject)
      })
      return async () => {
        release()
        await holder.done
      }
    },
    async close() {
      await Promise.all(Object.values(clients).map((orm) => orm.$disconnect()))
      await drop()
    },
  }
}

interface Opened {
  readonly clients: Partial<Record<Session, Orm>>
  drop(): Promise<void>
}

const OPEN = { sqlite, postgresql, mysql }

async function sqlite(db: Database): Promise<Opened> {
  const [main] = await db.orm.$queryRawUnsafe<{ readonly file: string }[]>('PRAGMA database_list')
  const adapter = new PrismaLibSql({ url: `file:${main?.file}`, intMode: 'bigint' })
  return { clients: { locked: new db.client.PrismaClient({ adapter }) as unknown as Orm }, drop: async () => undefined }
}

async function postgresql(db: Database, user: string): Promise<Opened> {
  await db.execute(`
    CREATE ROLE ${user};
    GRANT ALL ON "Category" TO ${user}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${user};
    GRANT SELECT, INSERT ("email") ON "User" TO ${user};`)
  /** A client whose queries run in a transaction with a setting. */
  const local = (setting: string): Orm => {
    const extension = {
      query: {
        $allModels: {
          async $allOperations({ args, query }: { readonly args: object; query(args: object): Promise<unknown> }) {
            const calls = [db.orm.$executeRawUnsafe(`SET LOCAL ${setting}`), query(args)] as Promise<unknown>[]
            return (await db.orm.$transaction(calls as never))[1]
          },
        },
      },
    }
    return db.orm.$extends(extension as object) as unknown as Orm
  }
  return {
    clients: {
      restricted: local(`ROLE ${user}`),
      locked: local("lock_timeout = '20ms'"),
      hurried: local("statement_timeout = '20ms'"),
      'read-only': local('transaction_read_only = on'),
    },
    drop: () => db.execute(`DROP OWNED BY ${user}; DROP ROLE ${user}`),
  }
}

async function mysql(db: Database, user: string): Promise<Opened> {
  const [row] = await db.orm.$queryRawUnsafe<{ readonly name: string }[]>('SELECT database() AS name')
  const database = row?.name ?? ''
  const users = [user, `${user}_2`].map((name) => `'${name}'@'%'`)
  await db.execute(`
    CREATE USER ${users.join(', ')};
    GRANT SELECT ON \`${database}\`.* TO ${users[0]};
    GRANT INSERT (email) ON \`${database}\`.User TO ${users[0]};`)
  const { hostname: host, port, username } = new URL(process.env['TEST_MYSQL_URL'] ?? '')
  const client = (options: object): Orm => {
    const adapter = new PrismaMariaDb({
      host,
      port: Number(port || 3306),
      user: username,
      database,
      connectionLimit: 1,
      ...options,
    })
    return new db.client.PrismaClient({ adapter }) as unknown as Orm
  }
  return {
    clients: {
      restricted: client({ user }),
      stranger: client({ user: `${user}_2`, acquireTimeout: 500 }),
      locked: client({ initSql: 'SET SESSION innodb_lock_wait_timeout = 0' }),
      hurried: client({ initSql: 'SET SESSION max_statement_time = 0.02' }),
      'read-only': client({ initSql: 'SET SESSION TRANSACTION READ ONLY' }),
    },
    drop: () => db.execute(`DROP USER ${users.join(', ')}`),
  }
}
