import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ApiHandler } from '../../../runtime/http/api-handler.js'

/** One of the handlers that a framework serves side by side. */
export interface Mount {
  /** The whole path below which it is served, as `/v1/echo` or `/t/:tenant/api`. */
  readonly path: string
  readonly handler: ApiHandler<unknown>
  /** Is told the header `x-user`, read with the framework's own means from what the framework gave, and what `context` gave. */
  readonly getOrm: (user: string | null | undefined, context: unknown) => unknown
  /** Is told the same header. */
  readonly context: (user: string | null | undefined) => unknown
}

/** An adapter in its framework, serving. */
export interface Running {
  /** @param path below what {@link Running.base} says */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Where it listens, if it does. */
  readonly port?: number
  /** A path before that of every mount, where the framework wants one. */
  readonly base?: string
  /** What the framework's own log holds. Default: what was written to `console.error`. */
  readonly logged?: () => string
  close(): Promise<void>
}

/** Starts a framework with handlers mounted in it. */
export type Start = (mounts: readonly Mount[]) => Promise<Running>

/** A mount's path in two parts, for frameworks that know the first. */
export function inTwo(path: string): readonly [outer: string, inner: string] {
  const [, outer = '', inner = ''] = /^(\/[^/]+)(.*)$/.exec(path) ?? []
  return [outer, inner]
}

/** The header that tells who asks. */
export function userHeader(req: Pick<IncomingMessage, 'headers'>): string | undefined {
  const value = req.headers['x-user']
  return typeof value === 'string' ? value : undefined
}

/** Calls a framework's own entry for web requests. */
export function inProcess(serve: (request: Request) => Response | Promise<Response>, close = async () => {}): Running {
  return {
    fetch: async (path, init) => serve(new Request(`http://example.test${path}`, init)),
    close,
  }
}

/** Serves on a free port. */
export async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return running(server, () => new Promise<void>((resolve) => server.close(() => resolve())))
}

/** A server that listens already. */
export function running(server: Server, close: () => Promise<unknown>, base = ''): Running {
  const { port } = server.address() as AddressInfo
  // On a busy machine a client may take longer than the default to use its connection again.
  server.keepAliveTimeout = 60_000
  return {
    // Redirects are answers of the framework's that a test should see.
    fetch: (path, init) => fetch(`http://localhost:${port}${base}${path}`, { redirect: 'manual', ...init }),
    port,
    base,
    close: async () => {
      server.closeAllConnections()
      await close()
    },
  }
}
