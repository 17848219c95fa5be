import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { findProgram, freePort, serverUser } from './programs.js'
import { type ServerProcess, startProcess } from './server-process.js'

const execute = promisify(execFile)

/** Paths of MariaDB's programs. */
export interface MariadbPrograms {
  readonly install: string
  readonly server: string
}

/** Finds MariaDB's programs. If they are missing, logs a message and returns undefined. */
export function mariadbPrograms(): MariadbPrograms | undefined {
  const install = findProgram('mariadb-install-db')
  const server = findProgram('mariadbd', ['/usr/sbin', '/usr/libexec'])
  return install === undefined || server === undefined ? undefined : { install, server }
}

/** Options for a server. */
export interface MariadbOptions {
  readonly programs: MariadbPrograms
  /** Command-line options, for example `--max-connections=5`. */
  readonly flags?: readonly string[]
  /** Parent folder of its files. Default: the temporary folder. */
  readonly under?: string
}

/** A MariaDB server for one test. The user is `root`, without a password. */
export interface MariadbServer {
  readonly port: number
  /** Path of the data directory. */
  readonly data: string
  /** Returns the URL of a database. Default: `test`, which exists. */
  url(database?: string): string
  /** @param flags in addition to those that it was created with */
  start(flags?: readonly string[]): Promise<void>
  stop(): Promise<void>
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>
  /** Suspends the process. Connections stay open. */
  freeze(): void
  thaw(): void
  /** Reads its log. */
  log(): Promise<string>
  /** Stops the server and removes its files. */
  remove(): Promise<void>
}

/** Creates a server on a free port and starts it. */
export async function startMariadb({ programs, flags = [], under = tmpdir() }: MariadbOptions): Promise<MariadbServer> {
  const user = await serverUser('mysql')
  const folder = await mkdtemp(join(under, 'routewright-mariadb-'))
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const logFile = join(folder, 'log')
  const port = await freePort()
  // InnoDB's default of 128 MB takes longer to create than a test runs.
  const small = ['--innodb-buffer-pool-size=16M', '--innodb-log-file-size=8M']
  let process: ServerProcess | undefined
  const server: MariadbServer = {
    port,
    data,
    url: (database = 'test') => `mysql://root@127.0.0.1:${port}/${database}`,
    async start(more = []) {
      const files = [`--datadir=${data}`, `--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`]
      const net = [`--port=${port}`, '--bind-address=127.0.0.1', '--skip-name-resolve']
      process = await startProcess({
        program: programs.server,
        args: ['--no-defaults', ...files, ...net, ...small, '--innodb-flush-log-at-trx-commit=2', ...flags, ...more],
        user,
        log: logFile,
        folder,
        isReady: () => greets(port),
      })
    },
    async stop() {
      await process?.end('SIGTERM')
      process = undefined
    },
    async kill() {
      await process?.kill()
      process = undefined
    },
    freeze: () => process?.freeze(),
    thaw: () => process?.thaw(),
    log: () => readFile(logFile, 'utf8').catch(() => ''),
    async remove() {
      process?.thaw()
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    const accounts = ['--auth-root-authentication-method=normal', '--skip-name-resolve']
    await execute(programs.install, ['--no-defaults', `--datadir=${data}`, ...accounts, ...small], {
      cwd: folder,
      ...user,
    })
    await server.start()
  } catch (error) {
    await server.remove()
    throw error
  }
  return server
}

/** Whether a server sends MySQL's handshake packet. */
async function greets(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    return await new Promise<boolean>((resolve) => {
      socket.setTimeout(1000, () => resolve(false))
      socket.once('data', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
    })
  } finally {
    socket.destroy()
  }
}
