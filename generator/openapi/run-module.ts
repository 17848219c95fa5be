import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { isLoadResultMessage, type LoadedModule, type LoadResult } from './load-result.js'

/** So much of what a module printed is kept, counted from the end. */
const PRINTED = 2000

/** How long we read on once a process was ended: others that it has started may hold its output open. */
const READ_ON_MS = 500

/**
 * Loads a module of the app in a process of its own, and has its handlers describe themselves. The process is ended once it has answered,
 * whatever the module has left open.
 * @param file absolute
 * @param seconds how long that may take
 */
export async function runModule(file: string, seconds: number): Promise<LoadedModule> {
  const child = fork(fileURLToPath(new URL('load-module.js', import.meta.url)), [file], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      printed = (printed + text).slice(-PRINTED)
    })
  }
  const closed = once(child, 'close')
  const stop = new AbortController()
  const late = delay(seconds * 1000, undefined, { signal: stop.signal }).then((): LoadResult => ({
    kind: 'late',
    seconds,
  }))
  const said = new Promise<LoadResult>((resolve) =>
    child.on('message', (message) => isLoadResultMessage(message) && resolve(message.routewright)),
  )
  const ended = closed.then((): LoadResult => ({ kind: 'ended', code: child.exitCode, signal: child.signalCode }))
  try {
    const outcome = await Promise.race([said, ended, late])
    child.kill('SIGKILL')
    await Promise.race([closed, delay(READ_ON_MS, undefined, { signal: stop.signal })])
    return { outcome, printed: wholeLines(printed) }
  } finally {
    late.catch(() => undefined)
    stop.abort()
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.unref()
  }
}

/** Without the part of a line that is left where what was printed before is not kept. */
function wholeLines(printed: string): string {
  const start = printed.length < PRINTED ? 0 : printed.indexOf('\n') + 1
  return printed.slice(start).trim()
}
