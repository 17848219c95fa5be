import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { findProgram, freePort, serverUser } from './programs.js'
import { type ServerProcess, startProcess } from './server-process.js'

const execute = promisify(execFile)

/** MariaDB's programs. */
export interface MariadbPrograms {
  readonly install: string
  readonly server: string
}

/** MariaDB's programs, or undefined and a line that says so. */
export function mariadbPrograms(): MariadbPrograms | undefined {
  const install = findProgram('mariadb-install-db')
  const server = findProgram('mariadbd', ['/usr/sbin', '/usr/libexec'])
  return install === undefined || server === undefined ? undefined : { install, server }
}

/** How a server is made. */
export interface MariadbOptions {
  readonly programs: MariadbPrograms
  /** Options of the server's, as `--max-connections=5`. */
  readonly flags?: readonly string[]
  /** Where its files are made. Default: the temporary folder. */
  readonly under?: string
}

/** A MariaDB server of a test's own. Its user is `root`, without a password. */
export interface MariadbServer {
  readonly port: number
  /** Its data directory. */
  readonly data: string
  /** The URL of a database; default: `test`, which is there. */
  url(database?: string): string
  /** @param flags beside those that it was made with */
  start(flags?: readonly string[]): Promise<void>
  stop(): Promise<void>
  /** Kills it with signal 9. */
  kill(): Promise<void>
  /** Stops it in its tracks; connections stay open. */
  freeze(): void
  thaw(): void
  /** What it has written to its log. */
  log(): Promise<string>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Makes a server on a free port and starts it. */
export async function startMariadb({ programs, flags = [], under = tmpdir() }: MariadbOptions): Promise<MariadbServer> {
  const user = await serverUser('mysql')
  const folder = await mkdtemp(join(under, 'routewright-mariadb-'))
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const logFile = join(folder, 'log')
  const port = await freePort()
  // InnoDB's own default of 128 MB takes longer to make than a test.
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

/** Whether a server sends the packet that begins each connection of MySQL's. */
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
