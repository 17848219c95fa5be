import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ApiHandler } from '../../../runtime/http/handler-types.js'

/** One of several handlers that a framework serves. */
export interface Mount {
  /** The full mount path, for example `/v1/echo` or `/t/:tenant/api`. */
  readonly path: string
  readonly handler: ApiHandler<unknown>
  /** Receives the header `x-user`, read from the framework's own objects, and the return value of `context`. */
  readonly getOrm: (user: string | null | undefined, context: unknown) => unknown
  /** Receives the same header. */
  readonly context: (user: string | null | undefined) => unknown
}

/** A framework that serves handlers through an adapter. */
export interface Running {
  /** @param path relative to {@link Running.base} */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The port, if it listens. */
  readonly port?: number
  /** A path prefix of all mounts, if the framework requires one. */
  readonly base?: string
  /** Returns the framework's own log. Default: the output of `console.error`. */
  readonly logged?: () => string
  close(): Promise<void>
}

/** Starts a framework with mounted handlers. */
export type Start = (mounts: readonly Mount[]) => Promise<Running>

/** Splits a mount path into two parts, for frameworks with nested routing. */
export function inTwo(path: string): readonly [outer: string, inner: string] {
  const [, outer = '', inner = ''] = /^(\/[^/]+)(.*)$/.exec(path) ?? []
  return [outer, inner]
}

/** Returns the header that identifies the caller. */
export function userHeader(req: Pick<IncomingMessage, 'headers'>): string | undefined {
  const value = req.headers['x-user']
  return typeof value === 'string' ? value : undefined
}

/** Calls a framework's entry point for web requests. */
export function inProcess(serve: (request: Request) => Response | Promise<Response>, close = async () => {}): Running {
  return {
    fetch: async (path, init) => serve(new Request(`http://example.test${path}`, init)),
    close,
  }
}

/** Listens on a free port. */
export async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return running(server, () => new Promise<void>((resolve) => server.close(() => resolve())))
}

/** Wraps a server that is already listening. */
export function running(server: Server, close: () => Promise<unknown>, base = ''): Running {
  const { port } = server.address() as AddressInfo
  // On a busy machine, a client may take longer than the default timeout before it reuses a connection.
  server.keepAliveTimeout = 60_000
  return {
    // Redirects come from the framework, and tests must see them.
    fetch: (path, init) => fetch(`http://localhost:${port}${base}${path}`, { redirect: 'manual', ...init }),
    port,
    base,
    close: async () => {
      server.closeAllConnections()
      await close()
    },
  }
}
