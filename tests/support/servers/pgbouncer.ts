import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findProgram, freePort, serverUser } from './programs.js'
import { startProcess } from './server-process.js'

/** PgBouncer's program, or undefined and a line that says so. */
export function pgbouncerProgram(): string | undefined {
  return findProgram('pgbouncer', ['/usr/sbin'])
}

/** How a pooler is made. */
export interface PgbouncerOptions {
  /** As {@link pgbouncerProgram} gives it. */
  readonly program: string
  /** The port of the PostgreSQL server behind it, on 127.0.0.1. */
  readonly to: number
  /** Lines for the section `[pgbouncer]`, as `default_pool_size = 4`. Of two that say the same setting, the last counts. */
  readonly conf?: readonly string[]
}

/** A PgBouncer of a test's own, in transaction mode. Its user is `postgres`, without a password. */
export interface Pgbouncer {
  readonly port: number
  /** The URL of a database; default: `postgres`. */
  url(database?: string): string
  /** What it has written to its log. */
  log(): Promise<string>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Makes a pooler on a free port and starts it. */
export async function startPgbouncer({ program, to, conf = [] }: PgbouncerOptions): Promise<Pgbouncer> {
  // It refuses to run as root, as PostgreSQL does.
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
