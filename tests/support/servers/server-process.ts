import { execFile, spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

import type { User } from './programs.js'

const run = promisify(execFile)

/** How long a server may take until it answers, and until it has ended. */
const PATIENCE = 30_000

/** A server's process. */
export interface ServerProcess {
  readonly pid: number
  /** Sends a signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Ends the process and all that it has started, at once, as a machine that loses its power. */
  kill(): Promise<void>
  /** Stops it in its tracks; connections stay open. */
  freeze(): void
  /** Lets it go on. */
  thaw(): void
}

/** What a server's process is started with. */
export interface ProcessOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly user: User | undefined
  /** The file that takes what the server says. */
  readonly log: string
  /** What is removed with it where nobody stops it any more. */
  readonly folder?: string
  /** Whether it takes connections. */
  readonly isReady: () => Promise<boolean>
}

/**
 * Starts a server and waits until it answers. It ends with the process that has started it, however that one ends.
 * @throws Error with the end of its log, where it does not
 */
export async function startProcess({
  program,
  args,
  user,
  log,
  folder,
  isReady,
}: ProcessOptions): Promise<ServerProcess> {
  const file = await open(log, 'a')
  const child = spawn(program, args, { stdio: ['ignore', file.fd, file.fd], detached: true, ...user })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => {})
  await file.close()
  const { pid } = child
  if (pid === undefined) return failed
  const stopGuard = guard(pid, folder)
  child.once('exit', stopGuard)
  child.unref()
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const signal = (name: NodeJS.Signals) => {
    if (!isOver()) child.kill(name)
  }
  const until = Date.now() + PATIENCE
  while (!(await isReady())) {
    if (isOver() || Date.now() > until) {
      signal('SIGKILL')
      throw new Error(`${program} did not start:\n${(await readFile(log, 'utf8')).slice(-2000)}`)
    }
    await wait(50)
  }
  return {
    pid,
    async end(name) {
      signal(name)
      const late = wait(PATIENCE, 'late', { ref: false })
      if ((await Promise.race([ended, late])) === 'late') signal('SIGKILL')
      await ended
    },
    async kill() {
      const children = isOver() ? [] : await childrenOf(pid)
      signal('SIGKILL')
      for (const one of children) tryKill(one)
      await ended
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

/** Kills the server when this process is no more: nothing else would where it is killed itself. */
function guard(pid: number, folder = ''): () => void {
  const script = 'cat >/dev/null; kill -9 "$0" 2>/dev/null; sleep 1; test -z "$1" || rm -rf "$1"'
  const shell = spawn('sh', ['-c', script, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.unref()
  const { stdin } = shell
  stdin.on('error', () => {})
  // A pipe is a socket in Node, and keeps the process alive otherwise.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => {
    shell.kill('SIGKILL')
    // What waits in the shell's place.
    stdin.destroy()
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const rows = stdout.trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([one, parent]) => {
      return one !== undefined && parent === pid ? [one] : []
    })
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
