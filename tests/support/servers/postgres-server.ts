import { execFile } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { findProgram, freePort, postgresFolders, serverUser } from './programs.js'
import { type ServerProcess, startProcess } from './server-process.js'

const execute = promisify(execFile)

/** Finds the folder of PostgreSQL's programs. If they are missing, logs a message and returns undefined. */
export function postgresPrograms(): string | undefined {
  const program = findProgram('initdb', postgresFolders())
  return program === undefined ? undefined : dirname(program)
}

/** Options for a cluster. */
export interface PostgresOptions {
  /** The folder from {@link postgresPrograms}. */
  readonly programs: string
  /** Lines for `postgresql.conf`, for example `statement_timeout = '1s'`. The last line for a setting wins. */
  readonly conf?: readonly string[]
  /** Lines at the beginning of `pg_hba.conf`. By default, all local connections are trusted. */
  readonly hba?: readonly string[]
  /** Parent folder of its files, for example on a small file system. Default: the temporary folder. */
  readonly under?: string
  /** Makes the cluster a standby of this one, with its own `conf`. */
  readonly standbyOf?: PostgresServer
}

/** A PostgreSQL cluster for one test. The user is `postgres`, without a password. */
export interface PostgresServer {
  readonly port: number
  /** Path of the data directory. */
  readonly data: string
  /** Returns the URL of a database. Default: `postgres`. */
  url(database?: string): string
  start(): Promise<void>
  /** `smart` waits for clients, `fast` ends their connections, `immediate` leaves recovery to the next start. Default: `fast`. */
  stop(how?: 'smart' | 'fast' | 'immediate'): Promise<void>
  restart(): Promise<void>
  /** Kills all of its processes with SIGKILL. */
  kill(): Promise<void>
  /** Suspends the main process, so that it accepts no new connection. Open connections keep working. */
  freeze(): void
  thaw(): void
  /** Adds lines to `postgresql.conf`. They apply after a reload or a restart. */
  configure(lines: readonly string[]): Promise<void>
  /** Reloads the configuration. */
  reload(): Promise<void>
  /** Promotes a standby to a primary. */
  promote(): Promise<void>
  /** Runs one of PostgreSQL's programs as the server's user. Resolves to its output. */
  run(program: string, args: readonly string[]): Promise<string>
  /** Reads its log. */
  log(): Promise<string>
  /** Stops the cluster and removes its files. */
  remove(): Promise<void>
}

/** Creates a cluster on a free port and starts it. */
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
    // The data does not need to survive a crash, so no write waits for the disk.
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
