import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { TestRequest, Cost, DatabaseTarget } from './types.js'

/** A child process that is asked one request after the other, and made anew where one took too long. */
export class TimedProcess {
  readonly #place: DatabaseTarget
  readonly #limit: number
  #child: ChildProcess | undefined

  /** @param limit after how many milliseconds a request is given up, and its process killed */
  constructor(place: DatabaseTarget, limit: number) {
    this.#place = place
    this.#limit = limit
  }

  /** Asks a request; undefined where it took longer than the limit. */
  async ask(asked: TestRequest): Promise<Cost | undefined> {
    const child = (this.#child ??= await this.#start())
    const given = new AbortController()
    const late = setTimeout(() => given.abort(), this.#limit)
    try {
      const answered = once(child, 'message', { signal: given.signal })
      child.send(asked)
      const [cost] = (await answered) as [Cost]
      return cost
    } catch (error) {
      this.close()
      if (given.signal.aborted) return undefined
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [JSON.stringify(this.#place)], {
      execArgv: [...process.execArgv, '--expose-gc'],
    })
    await once(child, 'message')
    return child
  }
}
