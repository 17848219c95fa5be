import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a process is asked. */
export type AppRequest = 'usage'

/** What a process tells. */
export type AppMessage = { readonly port: number } | { readonly usage: NodeJS.CpuUsage }

/** What a process is started with. */
export interface ProcessOptions {
  readonly name: string
  /** The URL of the primary. */
  readonly primary: string
  /** The URL of a replica that reads go to. Default: none. */
  readonly replica?: string
  readonly statementNames?: boolean
  /** How many connections it may have to each server. */
  readonly pool?: number
}

/** A running process of the app. */
export interface AppProcess {
  readonly name: string
  readonly port: number
  /** The processor time that it has used so far, in milliseconds. */
  usage(): Promise<number>
  stop(): Promise<void>
}

/** Starts a process and waits until it answers. */
export async function startApp(options: ProcessOptions): Promise<AppProcess> {
  const { name, primary, replica = '', statementNames = false, pool = 5 } = options
  const child = fork(fileURLToPath(new URL('app.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      TSX_TSCONFIG_PATH: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
      APP_NAME: name,
      APP_PRIMARY: primary,
      APP_REPLICA: replica,
      APP_STATEMENT_NAMES: statementNames ? '1' : '',
      APP_POOL: String(pool),
    },
    // Failures are provoked here, and each is logged with its stack.
    stdio: ['ignore', 'inherit', process.env['TESTBED_VERBOSE'] ? 'inherit' : 'ignore', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const gone = ended.then(() => Promise.reject(new Error(`The process ${name} has ended.`)))
  gone.catch(() => {})
  const hear = <T extends AppMessage>(is: (told: AppMessage) => told is T) =>
    new Promise<T>((resolve, reject) => {
      gone.catch(reject)
      const listener = (told: AppMessage) => {
        if (!is(told)) return
        child.off('message', listener)
        resolve(told)
      }
      child.on('message', listener)
    })
  const { port } = await hear((told) => 'port' in told)
  return {
    name,
    port,
    async usage() {
      const told = hear((told) => 'usage' in told)
      child.send('usage' satisfies AppRequest)
      const { usage } = await told
      return (usage.user + usage.system) / 1000
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
