/** Handles requests to the blog in a separate process, which can be killed if a request takes too long. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaPg } from '@prisma/adapter-pg'

import type { PrismaClient as BlogClient } from '../../fixtures/blog/client/client.js'
import type * as Expected from '../../fixtures/blog/expected/index.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { TestRequest, Cost, DatabaseTarget } from './types.js'

interface Client {
  readonly PrismaClient: typeof BlogClient
}

async function load<T>(folder: string, file: string): Promise<T> {
  return (await import(pathToFileURL(join(folder, file)).href)) as T
}

/** Returns a row of `/proc/self/status` in mebibytes. Without this file, returns the value for the process's lifetime. */
function memory(row: 'VmHWM' | 'VmRSS'): number {
  try {
    const [, kilobytes] = new RegExp(`${row}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return row === 'VmHWM' ? process.resourceUsage().maxRSS / 1024 : process.memoryUsage.rss() / 2 ** 20
  }
}

/** Resets the peak memory usage. */
function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // On other systems, the peak covers the process's lifetime.
  }
}

const { provider, url } = JSON.parse(process.argv[2] ?? '{}') as DatabaseTarget
const { folder } = preparedFixture('blog', provider)
const { PrismaClient } = await load<Client>(folder, 'client/client.ts')
const { RestApiHandler, RPCApiHandler } = await load<typeof Expected>(folder, 'expected/index.ts')
const adapter =
  provider === 'sqlite'
    ? new PrismaLibSql({ url, intMode: 'bigint' })
    : new PrismaPg({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
const orm = new PrismaClient({ adapter })
const handlers = {
  rest: RestApiHandler({ endpoint: 'http://localhost', atomicOperations: true }),
  rpc: RPCApiHandler({ transactions: true }),
}
const context = { getOrm: () => orm, log: () => {} }

/** Returns the id of the database's backend process, whose CPU time can be read if it runs on this machine. */
async function backend(): Promise<number | undefined> {
  if (provider === 'sqlite') return undefined
  const [row] = await orm.$queryRawUnsafe<{ pid: number }[]>('SELECT pg_backend_pid() AS pid')
  return row?.pid
}

/** Returns the CPU time used so far by this process and the backend, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + backendMs()
}

function backendMs(): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${database}/stat`, 'utf8').split(') ')
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
    return (user + system) * 10
  } catch {
    return 0
  }
}

/** The content types of request bodies. In REST, only atomic operations have a body here. */
const CONTENT_TYPES = {
  rest: 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
  rpc: 'application/json',
}

async function measureRequest({ style, method, path, body }: TestRequest): Promise<Cost> {
  const init = body === undefined ? { method } : { method, body, headers: { 'Content-Type': CONTENT_TYPES[style] } }
  const request = new Request(`http://localhost${path}`, init)
  globalThis.gc?.()
  resetPeak()
  const before = memory('VmRSS')
  const start = performance.now()
  const cpuBefore = processorMs()
  const response = await handlers[style].fetch(request, context)
  const text = await response.text()
  const ms = performance.now() - start
  const processor = processorMs() - cpuBefore
  const { status } = response
  const error = status === 200 ? {} : { error: text.slice(0, 400) }
  return {
    status,
    ms,
    processorMs: processor,
    mebibytes: memory('VmHWM') - before,
    responseLength: text.length,
    ...error,
  }
}

process.on('message', (request: TestRequest) => {
  void measureRequest(request).then((cost) => process.send?.(cost))
})
const database = await backend()
await orm.post.findFirst()
process.send?.('ready')
