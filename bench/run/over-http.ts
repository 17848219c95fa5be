import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'

import type { Operation, RequestOf } from '../operations.js'
import type { AppName } from './contenders.js'
import { asInProduction } from './program.js'
import { type Batch, interleave, type Samples } from './samples.js'

const CONNECTIONS = 32
const BATCH_MS = 60
const WARM_UP_MS = 600

/** A contender that serves HTTP on the loopback interface from its own process. */
export interface Server {
  readonly contender: AppName
  /** Sends requests that keep all connections busy, and waits for all responses. */
  readonly batch: (operation: Operation, calls: number) => ReturnType<Batch>
  close(): void
}

/**
 * Starts a contender.
 * @param programs the folder of the bundled programs
 */
export async function startServer(programs: string, contender: AppName, url: string): Promise<Server> {
  const options = { execArgv: ['--enable-source-maps=false'], env: asInProduction() }
  const child = fork(join(programs, 'serve.js'), [contender, url], options)
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }]
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let n = 0
  const cpuTime = async () => {
    child.send('cpu')
    const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: NodeJS.CpuUsage }]
    return cpu.user + cpu.system
  }
  return {
    contender,
    async batch(operation, calls) {
      const unique = `http-${operation.name}-${contender.replace(' ', '-')}`
      const requests = Array.from({ length: calls }, () => operation.request(++n, `${unique}-${n}`))
      const cpuBefore = await cpuTime()
      const before = performance.now()
      await Promise.all(requests.map((one) => send(agent, port, one)))
      const wall = (performance.now() - before) * 1000
      return { calls, wall, cpu: (await cpuTime()) - cpuBefore }
    },
    close() {
      agent.destroy()
      child.disconnect()
    },
  }
}

/** Measures an operation on all servers in turn. */
export async function measureOverHttp(
  operation: Operation,
  servers: readonly Server[],
  rounds: number,
): Promise<readonly Samples[]> {
  const batches: { contender: AppName; batch: Batch }[] = []
  for (const { contender, batch } of servers) {
    let size = CONNECTIONS
    for (const end = performance.now() + WARM_UP_MS; performance.now() < end;) {
      const { wall } = await batch(operation, size)
      size = Math.max(CONNECTIONS, Math.round((BATCH_MS * 1000 * size) / wall))
    }
    batches.push({ contender, batch: () => batch(operation, size) })
  }
  return interleave(batches, rounds)
}

function send(agent: Agent, port: number, { method, path, body }: RequestOf): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers =
    text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        const { statusCode = 0 } = response
        if (statusCode < 300) resolve()
        else reject(new Error(`${method} ${path} was answered with ${statusCode}.`))
      })
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
