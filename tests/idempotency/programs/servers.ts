import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import { build } from 'esbuild'

import { preparedFixture, prismaEnvironment, type Provider, ROOT } from '../../../scripts/prepare-fixtures.js'
import { databaseName } from '../../support/engines/names.js'

/** A database that outlives its server processes. */
export interface PersistentDatabase {
  readonly url: string
  /** Counts the rows that match a condition. */
  count(table: 'Payment' | 'IdempotencyKey', where?: string): Promise<number>
  close(): Promise<void>
}

/** A process that serves payments. */
export interface Server {
  readonly url: string
  /** Resolves to the next line of its output, or undefined after it has exited. */
  line(): Promise<string | undefined>
  kill(): Promise<void>
}

/** Builds the program that serves payments. Starting it takes a fifth of the time of its TypeScript sources. */
export async function buildServer(provider: Provider): Promise<string> {
  const { folder } = preparedFixture('payments', provider)
  const outfile = join(ROOT, `tests/.generated/payments-server-${process.pid}-${provider}.mjs`)
  const source = (path: string) => JSON.stringify(path)
  await build({
    stdin: {
      contents: [
        `import * as client from ${source(join(folder, 'client/client.ts'))}`,
        `import * as routes from ${source(join(folder, 'expected/index.ts'))}`,
        `import { servePayments } from ${source(join(ROOT, 'tests/idempotency/programs/payments-server.ts'))}`,
        `await servePayments({ client, routes }, ${source(provider)}, process.argv[2])`,
      ].join('\n'),
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Resolves the runtime's package name to its sources.
    tsconfig: join(ROOT, 'tsconfig.json'),
  })
  return outfile
}

/**
 * Starts a process. Resolves when it listens.
 * @param program the result of {@link buildServer}
 */
export async function startServer(program: string, { url }: PersistentDatabase): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [program, url], {
    cwd: ROOT,
    env: prismaEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  if (!child.stdout) throw new Error('The process has no output.')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    return done ? undefined : String(value)
  }
  const port = await line()
  if (port === undefined) throw new Error('The process has ended before it listened.')
  return {
    url: `http://127.0.0.1:${port}/rest`,
    line,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Creates a database with the tables of payments and one account. */
export async function createPersistentDatabase(provider: Provider, server: string): Promise<PersistentDatabase> {
  const created = await MAKERS[provider](server)
  await created.run(await readFile(preparedFixture('payments', provider).tables, 'utf8'))
  const quote = provider === 'mysql' ? '`' : '"'
  const name = (text: string) => quote + text + quote
  await created.run(`INSERT INTO ${name('Account')} (${name('owner')}) VALUES ('ann')`)
  return {
    url: created.url,
    close: created.close,
    async count(table, where = '1 = 1') {
      const [row] = await created.rows(`SELECT count(*) AS n FROM ${name(table)} WHERE ${where}`)
      return Number(row?.['n'])
    },
  }
}

interface CreatedDatabase {
  readonly url: string
  run(sql: string): Promise<unknown>
  rows(sql: string): Promise<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

const MAKERS: Readonly<Record<Provider, (server: string) => Promise<CreatedDatabase>>> = {
  async sqlite() {
    const folder = await mkdtemp(join(tmpdir(), 'routewright-killed-'))
    const url = `file:${join(folder, 'kept.db')}`
    const connection = await new PrismaLibSql({ url }).connect()
    await connection.executeScript('PRAGMA journal_mode = WAL')
    return {
      url,
      run: (sql) => connection.executeScript(sql),
      async rows(sql) {
        const { columnNames, rows } = await connection.queryRaw({ sql, args: [], argTypes: [] })
        return rows.map((row) => Object.fromEntries(columnNames.map((column, index) => [column, row[index]])))
      },
      async close() {
        await connection.dispose()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
  async postgresql(server) {
    const name = databaseName()
    const admin = await new PrismaPg(server).connect()
    await admin.executeScript(`CREATE DATABASE "${name}"`)
    const url = withPath(server, name)
    const connection = await new PrismaPg(url).connect()
    return {
      url,
      run: (sql) => connection.underlyingDriver().query(sql),
      rows: async (sql) => (await connection.underlyingDriver().query<Record<string, unknown>>(sql)).rows,
      async close() {
        await connection.dispose()
        await admin.executeScript(`DROP DATABASE "${name}" WITH (FORCE)`)
        await admin.dispose()
      },
    }
  },
  async mysql(server) {
    const name = databaseName()
    const admin = await new PrismaMariaDb(server).connect()
    await admin.underlyingDriver().query(`CREATE DATABASE \`${name}\``)
    const url = withPath(server, name)
    const connection = await new PrismaMariaDb(`${url}?multipleStatements=true`).connect()
    return {
      url,
      run: (sql) => connection.underlyingDriver().query(sql),
      rows: (sql) => connection.underlyingDriver().query<Record<string, unknown>[]>(sql),
      async close() {
        await connection.dispose()
        await admin.underlyingDriver().query(`DROP DATABASE \`${name}\``)
        await admin.dispose()
      },
    }
  },
}

function withPath(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = name
  return url.href
}
