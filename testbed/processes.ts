import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A message to a process. */
export type AppRequest = 'usage'

/** A message from a process. */
export type AppMessage = { readonly port: number } | { readonly usage: NodeJS.CpuUsage }

/** Options of a process. */
export interface ProcessOptions {
  readonly name: string
  /** The URL of the primary. */
  readonly primary: string
  /** The URL of the replica for reads. Default: none. */
  readonly replica?: string
  readonly statementNames?: boolean
  /** Maximum number of connections to each server. */
  readonly pool?: number
}

/** A running process of the app. */
export interface AppProcess {
  readonly name: string
  readonly port: number
  /** Returns the CPU time used so far, in milliseconds. */
  usage(): Promise<number>
  stop(): Promise<void>
}

/** Starts a process and waits until it accepts requests. */
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
    // The checks provoke failures, and the app logs each with its stack.
    stdio: ['ignore', 'inherit', process.env['TESTBED_VERBOSE'] ? 'inherit' : 'ignore', 'ipc'],
  })
  const whenExited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const exited = whenExited.then(() => Promise.reject(new Error(`The process ${name} has ended.`)))
  exited.catch(() => {})
  const waitForMessage = <T extends AppMessage>(isExpected: (message: AppMessage) => message is T) =>
    new Promise<T>((resolve, reject) => {
      exited.catch(reject)
      const listener = (message: AppMessage) => {
        if (!isExpected(message)) return
        child.off('message', listener)
        resolve(message)
      }
      child.on('message', listener)
    })
  const { port } = await waitForMessage((message) => 'port' in message)
  return {
    name,
    port,
    async usage() {
      const usageMessage = waitForMessage((message) => 'usage' in message)
      child.send('usage' satisfies AppRequest)
      const { usage } = await usageMessage
      return (usage.user + usage.system) / 1000
    },
    async stop() {
      child.kill('SIGKILL')
      await whenExited
    },
  }
}
