import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

import { freePort } from '../../support/servers/programs.js'
import { TOOL_ENVIRONMENT, TOOLS } from './tools.js'

/** A running Prism proxy. It responds with its own error if the API does not match the document. */
export interface Prism {
  /** For example, `http://127.0.0.1:4010`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts Prism as a proxy that validates requests and responses.
 * @param document path of a file
 * @param upstream URL of the API that the paths of the document are appended to
 * @param options additional command-line options
 */
export async function startPrism(document: string, upstream: string, ...options: readonly string[]): Promise<Prism> {
  const port = await freePort()
  const args = ['proxy', document, upstream, '--errors', `--port=${port}`, '--host=127.0.0.1', ...options]
  const prism = spawn(join(TOOLS, 'node_modules/.bin/prism'), args, { cwd: TOOLS, env: TOOL_ENVIRONMENT })
  const ended = new Promise<void>((resolve) => prism.once('exit', () => resolve()))
  await listening(prism)
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      prism.kill()
      await ended
    },
  }
}

function listening(prism: ChildProcess): Promise<void> {
  let printed = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Prism is listening')) resolve()
    }
    prism.stdout?.on('data', read)
    prism.stderr?.on('data', read)
    prism.once('exit', () => reject(new Error(`Prism has not started: ${printed}`)))
  })
}
