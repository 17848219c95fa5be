import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'

import type { Operation, RequestOf } from '../operations.js'
import { type AppName, operationOf } from './app-names.js'
import { asInProduction } from './program.js'
import { type Batch, interleave, type Measured, summarize } from './samples.js'

const BATCH_MS = 60
const WARM_UP_MS = 600

interface Latencies {
  /** From sending each request to the end of its response, in microseconds. */
  readonly latencies: readonly number[]
}

/** A contender that serves HTTP on the loopback interface from its own process. */
export interface Server {
  readonly contender: AppName
  /** Number of connections. */
  readonly connections: number
  /** Sends requests that keep all connections busy, and waits for all responses. */
  readonly batch: (operation: Operation, calls: number) => Promise<Awaited<ReturnType<Batch>> & Latencies>
  close(): void
}

/**
 * Starts a contender.
 * @param programs the folder of the bundled programs
 */
export async function startServer(
  programs: string,
  contender: AppName,
  url: string,
  connections = 32,
): Promise<Server> {
  const options = { execArgv: ['--enable-source-maps=false'], env: asInProduction() }
  const child = fork(join(programs, 'serve.js'), [contender, url], options)
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }]
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let n = 0
  const cpuTime = async () => {
    child.send('cpu')
    const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: NodeJS.CpuUsage }]
    return cpu.user + cpu.system
  }
  return {
    contender,
    connections,
    async batch(operation, calls) {
      const unique = `http-${operation.name}-${contender.replace(' ', '-')}`
      const { request, followUp } = operation
      const requests = Array.from({ length: calls }, () => ({ n: ++n, first: request(n, `${unique}-${n}`) }))
      const cpuBefore = await cpuTime()
      const before = performance.now()
      const latencies: number[] = []
      const worker = async () => {
        for (let next = requests.pop(); next; next = requests.pop()) {
          const start = performance.now()
          const entityTag = await send(agent, port, next.first)
          if (followUp) await send(agent, port, followUp(next.n, entityTag))
          latencies.push((performance.now() - start) * 1000)
        }
      }
      await Promise.all(Array.from({ length: connections }, worker))
      const wall = (performance.now() - before) * 1000
      return { calls, wall, cpu: (await cpuTime()) - cpuBefore, latencies }
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
): Promise<readonly Measured[]> {
  const batches: { contender: AppName; batch: Batch }[] = []
  for (const { contender, connections, batch } of servers) {
    const supported = operationOf(contender, operation)
    if (!supported) continue
    let size = connections
    for (const end = performance.now() + WARM_UP_MS; performance.now() < end;) {
      const { wall } = await batch(supported, size)
      size = Math.max(connections, Math.round((BATCH_MS * 1000 * size) / wall))
    }
    batches.push({ contender, batch: () => batch(supported, size) })
  }
  return summarize(await interleave(batches, rounds))
}

/** Sends a request and returns the `ETag` of the response. */
function send(agent: Agent, port: number, { method, path, body, headers: more }: RequestOf): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...more,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        const { statusCode = 0 } = response
        if (statusCode < 300) resolve(response.headers.etag ?? '')
        else reject(new Error(`${method} ${path} was answered with ${statusCode}.`))
      })
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
