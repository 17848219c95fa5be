import { execFile } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { findProgram, freePort, postgresFolders, serverUser } from './programs.js'
import { type ServerProcess, startProcess } from './server-process.js'

const execute = promisify(execFile)

/** The folder of PostgreSQL's programs, or undefined and a line that says so. */
export function postgresPrograms(): string | undefined {
  const program = findProgram('initdb', postgresFolders())
  return program === undefined ? undefined : dirname(program)
}

/** How a cluster is made. */
export interface PostgresOptions {
  /** The folder of its programs, as {@link postgresPrograms} gives it. */
  readonly programs: string
  /** Lines for `postgresql.conf`, as `statement_timeout = '1s'`. Of two that say the same setting, the last counts. */
  readonly conf?: readonly string[]
  /** Lines that stand before all others in `pg_hba.conf`. Everyone on this machine is trusted as it is. */
  readonly hba?: readonly string[]
  /** Where its files are made. Default: the temporary folder. One of a small file system gives a small disk. */
  readonly under?: string
  /** Makes it a standby of this one: a copy, which follows it. It has its own `conf`. */
  readonly standbyOf?: PostgresServer
}

/** A PostgreSQL cluster of a test's own. Its user is `postgres`, without a password. */
export interface PostgresServer {
  readonly port: number
  /** Its data directory. */
  readonly data: string
  /** The URL of a database; default: `postgres`. */
  url(database?: string): string
  start(): Promise<void>
  /** `smart` waits for clients, `fast` ends their connections, `immediate` leaves recovery to the next start. Default: `fast`. */
  stop(how?: 'smart' | 'fast' | 'immediate'): Promise<void>
  restart(): Promise<void>
  /** Kills all of its processes with signal 9. */
  kill(): Promise<void>
  /** Stops its first process in its tracks, so that it takes no connection; those that are open go on. */
  freeze(): void
  thaw(): void
  /** Adds lines to `postgresql.conf`. They count after a reload or a restart. */
  configure(lines: readonly string[]): Promise<void>
  /** Makes it read its settings anew. */
  reload(): Promise<void>
  /** Makes a standby take writes. */
  promote(): Promise<void>
  /** Runs one of PostgreSQL's programs as the user that the server runs as, and gives what it prints. */
  run(program: string, args: readonly string[]): Promise<string>
  /** What it has written to its log. */
  log(): Promise<string>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Makes a cluster on a free port and starts it. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { programs, conf = [], hba = [], under = tmpdir(), standbyOf } = options
  const user = await serverUser('postgres')
  const folder = await mkdtemp(join(under, 'routewright-postgres-'))
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const logFile = join(folder, 'log')
  const port = await freePort()
  const run = async (program: string, args: readonly string[]) => {
    const { stdout } = await execute(join(programs, program), [...args], { cwd: folder, ...user })
    return stdout
  }
  const configure = (lines: readonly string[]) => appendFile(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`)
  let process: ServerProcess | undefined
  const server: PostgresServer = {
    port,
    data,
    url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async start() {
      process = await startProcess({
        program: join(programs, 'postgres'),
        args: ['-D', data],
        user,
        log: logFile,
        folder,
        isReady: () =>
          run('pg_isready', ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
            () => true,
            () => false,
          ),
      })
    },
    async stop(how = 'fast') {
      await process?.end(({ smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const)[how])
      process = undefined
    },
    async restart() {
      await server.stop()
      await server.start()
    },
    async kill() {
      await process?.kill()
      process = undefined
    },
    freeze: () => process?.freeze(),
    thaw: () => process?.thaw(),
    configure,
    async reload() {
      await run('pg_ctl', ['reload', '-D', data])
    },
    async promote() {
      await run('pg_ctl', ['promote', '-w', '-D', data])
    },
    run,
    log: () => readFile(logFile, 'utf8').catch(() => ''),
    async remove() {
      process?.thaw()
      await server.stop('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    if (standbyOf) {
      await run('pg_basebackup', ['-D', data, '-d', standbyOf.url(), '--write-recovery-conf', '--checkpoint=fast'])
    } else {
      await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
    }
    // Nothing here outlives the machine, so that nothing has to wait for its disk.
    const config = [
      'fsync = off',
      'full_page_writes = off',
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
    ]
    await configure([...config, 'shared_buffers = 16MB', ...conf, `port = ${port}`])
    if (hba.length > 0) {
      const file = join(data, 'pg_hba.conf')
      await writeFile(file, `${hba.join('\n')}\n${await readFile(file, 'utf8')}`)
    }
    await server.start()
  } catch (error) {
    await server.remove()
    throw error
  }
  return server
}
