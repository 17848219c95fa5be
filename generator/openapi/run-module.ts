import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { isLoadResultMessage, type LoadedModule, type LoadResult } from './load-result.js'

/** Maximum number of characters of a module's output to keep. The last ones are kept. */
const MAX_OUTPUT_LENGTH = 2000

/** Time to read remaining output after the process was killed, in milliseconds. Child processes of the module may keep the streams open. */
const OUTPUT_DRAIN_MS = 500

/**
 * Loads a module of the app in a separate process and collects the documents of its handlers. The process is killed after it has reported,
 * even if the module has open handles.
 * @param file absolute path
 * @param seconds time limit
 */
export async function runModule(file: string, seconds: number): Promise<LoadedModule> {
  const child = fork(fileURLToPath(new URL('load-module.js', import.meta.url)), [file], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      printed = (printed + text).slice(-MAX_OUTPUT_LENGTH)
    })
  }
  const closed = once(child, 'close')
  const stop = new AbortController()
  const timedOut = delay(seconds * 1000, undefined, { signal: stop.signal }).then((): LoadResult => ({
    kind: 'late',
    seconds,
  }))
  const reported = new Promise<LoadResult>((resolve) =>
    child.on('message', (message) => isLoadResultMessage(message) && resolve(message.routewright)),
  )
  const ended = closed.then((): LoadResult => ({ kind: 'ended', code: child.exitCode, signal: child.signalCode }))
  try {
    const outcome = await Promise.race([reported, ended, timedOut])
    child.kill('SIGKILL')
    await Promise.race([closed, delay(OUTPUT_DRAIN_MS, undefined, { signal: stop.signal })])
    return { outcome, printed: dropPartialLine(printed) }
  } finally {
    timedOut.catch(() => undefined)
    stop.abort()
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.unref()
  }
}

/** Removes the incomplete first line if the output was truncated. */
function dropPartialLine(printed: string): string {
  const start = printed.length < MAX_OUTPUT_LENGTH ? 0 : printed.indexOf('\n') + 1
  return printed.slice(start).trim()
}
