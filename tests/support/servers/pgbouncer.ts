import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findProgram, freePort, serverUser } from './programs.js'
import { startProcess } from './server-process.js'

/** Finds PgBouncer. If it is missing, logs a message and returns undefined. */
export function pgbouncerProgram(): string | undefined {
  return findProgram('pgbouncer', ['/usr/sbin'])
}

/** Options for a pooler. */
export interface PgbouncerOptions {
  /** The path from {@link pgbouncerProgram}. */
  readonly program: string
  /** Port of the PostgreSQL server on 127.0.0.1. */
  readonly to: number
  /** Lines for the section `[pgbouncer]`, for example `default_pool_size = 4`. The last line for a setting wins. */
  readonly conf?: readonly string[]
}

/** A PgBouncer for one test, in transaction mode. The user is `postgres`, without a password. */
export interface Pgbouncer {
  readonly port: number
  /** Returns the URL of a database. Default: `postgres`. */
  url(database?: string): string
  /** Reads its log. */
  log(): Promise<string>
  /** Stops the pooler and removes its files. */
  remove(): Promise<void>
}

/** Creates a pooler on a free port and starts it. */
export async function startPgbouncer({ program, to, conf = [] }: PgbouncerOptions): Promise<Pgbouncer> {
  // Like PostgreSQL, it does not start as root.
  const user = await serverUser('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'routewright-pgbouncer-'))
  const port = await freePort()
  const logFile = join(folder, 'log')
  const file = join(folder, 'pgbouncer.ini')
  const config = [
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 1000',
  ]
  const databases = ['[databases]', `* = host=127.0.0.1 port=${to} user=postgres`]
  await writeFile(file, [...databases, '[pgbouncer]', ...config, ...conf, ''].join('\n'))
  if (user) for (const path of [folder, file]) await chown(path, user.uid, user.gid)
  try {
    const process = await startProcess({
      program,
      args: [file],
      user,
      log: logFile,
      isReady: () => listens(port),
    })
    return {
      port,
      url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
      log: () => readFile(logFile, 'utf8').catch(() => ''),
      async remove() {
        await process.end('SIGINT')
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
}
