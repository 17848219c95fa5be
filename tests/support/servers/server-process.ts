import { execFile, spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

import type { User } from './programs.js'

const run = promisify(execFile)

/** Maximum time until a server responds or exits, in milliseconds. */
const PATIENCE = 30_000

/** A server's process. */
export interface ServerProcess {
  readonly pid: number
  /** Sends a signal and waits until the process exits. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Kills the process and all of its children immediately, like a power failure. */
  kill(): Promise<void>
  /** Suspends the process. Connections stay open. */
  freeze(): void
  /** Resumes the process. */
  thaw(): void
}

/** Options for a server's process. */
export interface ProcessOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly user: User | undefined
  /** The file for the output of the server. */
  readonly log: string
  /** A folder that is removed if the test process dies without stopping the server. */
  readonly folder?: string
  /** Whether the server accepts connections. */
  readonly isReady: () => Promise<boolean>
}

/**
 * Starts a server and waits until it responds. The server is killed when this process ends, even if it ends abnormally.
 * @throws Error with the end of the server's log if it does not start
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

/** Kills the server when this process ends, even after SIGKILL. Returns a function that disarms the guard. */
function guard(pid: number, folder = ''): () => void {
  const script = 'cat >/dev/null; kill -9 "$0" 2>/dev/null; sleep 1; test -z "$1" || rm -rf "$1"'
  const shell = spawn('sh', ['-c', script, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.unref()
  const { stdin } = shell
  stdin.on('error', () => {})
  // A pipe is a socket in Node, and would keep the process alive.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => {
    shell.kill('SIGKILL')
    // Closes the pipe that the shell reads.
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
    // It has already exited.
  }
}
