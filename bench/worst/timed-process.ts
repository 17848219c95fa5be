import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { TestRequest, Cost, DatabaseTarget } from './types.js'

/** A child process that handles one request at a time. It is restarted if a request takes too long. */
export class TimedProcess {
  readonly #target: DatabaseTarget
  readonly #limit: number
  #child: ChildProcess | undefined

  /** @param limit timeout in milliseconds, after which the process is killed */
  constructor(target: DatabaseTarget, limit: number) {
    this.#target = target
    this.#limit = limit
  }

  /** Measures a request. Returns undefined if it exceeded the limit. */
  async measure(request: TestRequest): Promise<Cost | undefined> {
    const child = (this.#child ??= await this.#start())
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), this.#limit)
    try {
      const message = once(child, 'message', { signal: controller.signal })
      child.send(request)
      const [cost] = (await message) as [Cost]
      return cost
    } catch (error) {
      this.close()
      if (controller.signal.aborted) return undefined
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [JSON.stringify(this.#target)], {
      execArgv: [...process.execArgv, '--expose-gc'],
    })
    await once(child, 'message')
    return child
  }
}
